"""Split a query for allocation candidates into its demands.

A query is a list of keys. A suffix groups the resources that must come from
one provider (placement's API reference, GET /allocation_candidates).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib import parse

#: Nova forbids it for every request (nova.scheduler.request_filter).
_DISABLED = 'COMPUTE_STATUS_DISABLED'

_KEY = re.compile(r'(resources|required|member_of|in_tree)(.*)')
#: The order in which demands are asked for: the first ones, if not all.
_KINDS = ('resources', 'member_of', 'in_tree', 'required')
#: Kind of a demand for resources that must come from one provider.
GROUP = 'group'

#: Keys whose values name aggregates and providers, for operators alone.
_NAMING = ('member_of', 'in_tree')


@dataclass(frozen=True)
class Demand:
    """Represent one demand of a query, which can be asked for alone.

    :param kind: a key of GET /resource_providers; or GROUP, which GET
        /allocation_candidates is asked for.
    :param value: its value: one resource, one trait, or alternatives; the
        query of a group.
    :param of_root: whether a host's root provider has to meet it; else any
        provider of its tree may.
    """

    kind: str
    value: str
    of_root: bool = False

    @property
    def query(self) -> str:
        """Return the query for it alone."""
        return parse.urlencode({self.kind: self.value})

    @property
    def forbids(self) -> bool:
        """Say whether it is met by those that lack something."""
        return self.value.startswith('!')

    @property
    def names(self) -> list[str]:
        """Return the traits, aggregates or the provider of its value."""
        return self.value.lstrip('!').removeprefix('in:').split(',')

    @property
    def resource(self) -> tuple[str, int]:
        """Return resource class and amount; '' and 0 for other kinds."""
        name, _, amount = self.value.partition(':')
        if self.kind != 'resources' or not amount.isdecimal():
            return '', 0
        return name, int(amount)

    def describe(self) -> str:
        """Return it as a query has it; a group in words."""
        return self.value if self.kind != GROUP else (
            f'a provider with {_describe_group(self.value)}'
        )

    def describe_lack(self, names: Mapping[str, str] | None = None) -> str:
        """Return what is true of a host that does not meet it.

        :param names: names of aggregates by UUID.
        :returns: a clause that begins with ``lacks``, ``is`` or ``has``.
        """
        if self.kind == 'resources':
            return f'lacks {self.value.partition(":")[0]}'
        if self.kind == GROUP:
            return f'lacks {self.describe()}'
        if self.kind == 'in_tree':
            return 'is not the host that was asked for'
        if self.kind == 'member_of':
            named = _join_names(self.names, names)
            inside = 'is in forbidden' if self.forbids else 'is not in'
            return f'{inside} aggregate {named}'
        if self.forbids and self.names == [_DISABLED]:
            return 'is disabled'
        has = 'has forbidden' if self.forbids else 'lacks'
        return f'{has} trait {" or ".join(self.names)}'


def list_demands(*queries: str) -> tuple[list[Demand], list[str]]:
    """Return the demands that can be asked for alone, and what can't be.

    Return each of them once.

    :returns: demands, resources first, traits last, and the suffixes of
        groups.
    """
    demands, suffixes = [], []
    for key, value in parse.parse_qsl('&'.join(queries)):
        kind, suffix = _split_key(key)
        if suffix:
            suffixes.append(suffix)
        elif kind:
            of_root = key == 'root_required' or (
                kind == 'member_of' and value.startswith('!')
            )
            demands += [
                Demand(kind, item, of_root) for item in _split(kind, value)
            ]
    # Of traits, that a host be enabled comes first.
    demands = list(dict.fromkeys(demands))
    demands.sort(key=lambda demand: (
        _KINDS.index(demand.kind), demand.value != f'!{_DISABLED}'
    ))
    return demands, list(dict.fromkeys(suffixes))


def list_groups(*queries: str) -> tuple[list[Demand], list[str]]:
    """Return the granular groups that can be asked for alone, and the others.

    :returns: demands, and the suffixes of groups without resources: which
        provider has to meet them is up to the others.
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for key, value in parse.parse_qsl('&'.join(queries)):
        suffix = _split_key(key)[1]
        if suffix:
            groups.setdefault(suffix, []).append((key, value))
    others = [
        suffix for suffix, group in groups.items()
        if f'resources{suffix}' not in dict(group)
    ]
    return [
        Demand(GROUP, parse.urlencode(group))
        for suffix, group in groups.items() if suffix not in others
    ], others


def list_together(query: str) -> tuple[list[Demand], str]:
    """Return the traits that the providers of the resources have to have.

    Each provider of a tree may have a trait; to count, it must give one of
    the resources.

    :returns: the traits; and the query for resources and traits without the
        groups, empty where there are none.
    """
    pairs = [
        (key, value) for key, value in parse.parse_qsl(query)
        if key in ('resources', 'required')
    ]
    demands, _ = list_demands(parse.urlencode(pairs))
    traits = [
        demand for demand in demands
        if demand.kind == 'required' and not demand.forbids
    ]
    has_resources = any(demand.kind == 'resources' for demand in demands)
    return traits, parse.urlencode(pairs) if traits and has_resources else ''


def describe_demand(kind: str, item: str) -> str:
    """Return one demand in words.

    :param kind: the query's key, ``required`` or ``member_of``.
    :param item: the value, or one trait of it.
    """
    forbidden = item.startswith('!')
    named = ' or '.join(Demand(kind, item).names)
    if kind == 'required':
        return f'trait {named} {"forbidden" if forbidden else "required"}'
    return f'{"no host" if forbidden else "a host"} of aggregate {named}'


def redact_query(query: str) -> str:
    """Return the query without names of aggregates and providers."""
    return parse.urlencode([
        (key, value) for key, value in parse.parse_qsl(query)
        if _split_key(key)[0] not in _NAMING
    ])


def _describe_group(query: str) -> str:
    """Describe a group as ``2 of VGPU and trait A``; name no host."""
    resources, others = [], []
    for key, value in parse.parse_qsl(query):
        kind = _split_key(key)[0]
        for item in _split(kind, value):
            if kind == 'resources':
                name, _, amount = item.partition(':')
                resources.append(f'{amount} of {name}')
            else:
                others.append(
                    describe_trait(item) if kind == 'required'
                    else 'the demanded aggregate or host'
                )
    return ' and '.join(dict.fromkeys(resources + others))


def describe_trait(value: str) -> str:
    """Return ``trait A or B``, or ``no trait A``."""
    demand = Demand('required', value)
    none = 'no ' if demand.forbids else ''
    return f'{none}trait {" or ".join(demand.names)}'


def _split_key(key: str) -> tuple[str, str]:
    """Return a key and its suffix; an empty key for one without a demand."""
    if key == 'root_required':
        return 'required', ''
    match = _KEY.fullmatch(key)
    return (match[1], match[2]) if match else ('', '')


def _split(kind: str, value: str) -> Iterator[str]:
    """Yield the parts of a value that can be asked for, one by one."""
    alternatives = value.startswith(('in:', '!in:'))
    if kind in ('resources', 'required') and not alternatives:
        yield from value.split(',')
    else:
        yield value


def _join_names(uuids: list[str], names: Mapping[str, str] | None) -> str:
    return ' or '.join((names or {}).get(uuid, uuid) for uuid in uuids)
