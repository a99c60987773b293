"""Split a query for allocation candidates into its demands.

A query is a list of keys. A suffix groups the resources that must come from
one provider (placement's API reference, GET /allocation_candidates).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib import parse

#: Nova forbids it for every request (nova.scheduler.request_filter).
_NOT_DISABLED = '!COMPUTE_STATUS_DISABLED'
_DISABLED = 'disabled hosts have it'

_GROUPED = re.compile(r'(resources|required|member_of|in_tree)(.*)')

#: Keys whose values name aggregates and providers, for operators alone.
_NAMING = ('member_of', 'in_tree')
#: What users read in place of these beginnings of :func:`describe_demand`.
_PUBLIC_WORDS = {
    'a host of aggregate': 'a host of certain aggregates',
    'no host of aggregate': 'no host of certain aggregates',
    'provider': 'one certain host',
}
_NAMED = re.compile(f'^({"|".join(_PUBLIC_WORDS)}) .*', re.DOTALL)

Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class Demand:
    """Represent one demand of a query.

    :param text: the demand in words.
    :param without: the query without it; None where nothing would be left.
    :param alone: a query for it alone; None where it needs others.
    """

    text: str
    without: str | None
    alone: str | None


def strip_limit(query: str) -> str:
    """Return a query without its limit."""
    return parse.urlencode(_parse(query))


def limit_to_one(query: str) -> str:
    """Return a query for one candidate, whichever comes first."""
    return _build(_parse(query))


def list_providers(query: str) -> list[str]:
    """Return the UUIDs of the providers that a query names."""
    return [
        value for key, value in _parse(query) if _get_kind(key) == 'in_tree'
    ]


def list_demands(
    query: str, names: Mapping[str, str] | None = None
) -> list[Demand]:
    """Return the demands of a query, resources first.

    :param names: names of aggregates and providers by UUID.
    """
    pairs = _parse(query)
    demands = [
        Demand(
            describe_demand(kind, item, names),
            _leave_out(pairs, position, item),
            _build([('resources', item)]) if kind == 'resources' else None,
        )
        for position, (key, value) in enumerate(pairs)
        if (kind := _get_kind(key))
        for item in _split(kind, value)
    ]
    return sorted(demands, key=lambda demand: demand.alone is None)


def describe_demand(
    kind: str, item: str, names: Mapping[str, str] | None = None
) -> str:
    """Return one demand in words.

    :param kind: the query's key, without a suffix.
    :param item: the value, or the part of it that can be left out.
    :param names: names of aggregates and providers by UUID.
    """
    names = names or {}
    forbidden = item.startswith('!')
    values = item.lstrip('!').removeprefix('in:').split(',')
    if kind == 'resources':
        return item
    if kind == 'required':
        verb = 'forbidden' if forbidden else 'required'
        says = f' ({_DISABLED})' if item == _NOT_DISABLED else ''
        return f'trait {" or ".join(values)} {verb}{says}'
    if kind == 'member_of':
        named = ' or '.join(names.get(uuid, uuid) for uuid in values)
        return f'{"no host" if forbidden else "a host"} of aggregate {named}'
    return f'provider {names.get(item, item)}'


def keep_resources(query: str) -> str:
    """Return the query for its resources alone, from any provider."""
    return _build([
        (key, value) for key, value in _parse(query)
        if key.startswith('resources') or key == 'group_policy'
    ])


def redact_query(query: str) -> str:
    """Return the query without names of aggregates and providers."""
    return parse.urlencode([
        (key, value) for key, value in parse.parse_qsl(query)
        if _get_kind(key) not in _NAMING
    ])


def redact_demand(text: str) -> str:
    """Return a demand's text without names of aggregates and providers."""
    return _NAMED.sub(lambda match: _PUBLIC_WORDS[match[1]], text)


def _parse(query: str) -> Pairs:
    return [
        (key, value) for key, value in parse.parse_qsl(query)
        if key != 'limit'
    ]


def _build(pairs: Pairs) -> str:
    return parse.urlencode([*pairs, ('limit', '1')])


def _get_kind(key: str) -> str:
    """Return a key without its suffix; empty for one without a demand."""
    if key == 'root_required':
        return 'required'
    grouped = _GROUPED.fullmatch(key)
    return grouped[1] if grouped else ''


def _split(kind: str, value: str) -> list[str]:
    """Return the parts of a value that can be left out, one by one."""
    if kind == 'resources' or (
        kind == 'required' and not value.startswith('in:')
    ):
        return value.split(',')
    return [value]


def _leave_out(pairs: Pairs, position: int, item: str) -> str | None:
    key, value = pairs[position]
    items = _split(_get_kind(key), value)
    left = ','.join(other for other in items if other != item)
    rest = pairs[:position] + pairs[position + 1:]
    if left:
        rest.insert(position, (key, left))
    elif key.startswith('resources'):
        rest = list(_leave_out_group(rest, key.removeprefix('resources')))
    has_resources = any(name.startswith('resources') for name, _ in rest)
    return _build(rest) if has_resources else None


def _leave_out_group(pairs: Pairs, suffix: str) -> Iterator[tuple[str, str]]:
    """Leave out a group's demands, which it can't have without resources."""
    for key, value in pairs:
        grouped = _GROUPED.fullmatch(key)
        if key == 'same_subtree':
            value = ','.join(g for g in value.split(',') if g != suffix)
        if value and not (grouped and grouped[2] == suffix):
            yield key, value
