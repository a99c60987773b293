"""A query for allocation candidates, and the same with parts left out.

Placement's query is a list of keys that may bear a suffix, one for each group
of resources that must come from one provider (its API reference, GET
/allocation_candidates).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib import parse

#: Nova forbids it for every request (nova.scheduler.request_filter).
_NOT_DISABLED = '!COMPUTE_STATUS_DISABLED'
_DISABLED = 'disabled hosts have it'

_GROUPED = re.compile(r'(resources|required|member_of|in_tree)(.*)')

#: Kinds of demands that name what only operators know.
_NAMING = ('member_of', 'in_tree')
#: How :func:`words` begins with these, and what users may read of it.
_PUBLIC_WORDS = {
    'a host of aggregate': 'a host of certain aggregates',
    'no host of aggregate': 'no host of certain aggregates',
    'provider': 'one certain host',
}
_NAMED = re.compile(f'^({"|".join(_PUBLIC_WORDS)}) .*', re.DOTALL)

Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class Part:
    """One demand of a query.

    :param words: the demand in words.
    :param without: the query without it; None where nothing would be asked.
    :param alone: a query for nothing else; None for what can't stand alone.
    """

    words: str
    without: str | None
    alone: str | None


def shape(query: str) -> str:
    """What two queries share that differ in the limit alone."""
    return parse.urlencode(_pairs(query))


def first_one(query: str) -> str:
    """The query for one candidate, whichever is found first."""
    return _asking(_pairs(query))


def providers(query: str) -> list[str]:
    """UUIDs of the providers that a query names."""
    return [value for key, value in _pairs(query) if _kind(key) == 'in_tree']


def parts(query: str, names: Mapping[str, str] | None = None) -> list[Part]:
    """The demands of a query, resources first.

    :param names: of aggregates and providers by UUID, for the words.
    """
    pairs = _pairs(query)
    found = [
        Part(
            words(kind, item, names),
            _without(pairs, position, item),
            _asking([('resources', item)]) if kind == 'resources' else None,
        )
        for position, (key, value) in enumerate(pairs)
        if (kind := _kind(key))
        for item in _items(kind, value)
    ]
    return sorted(found, key=lambda part: part.alone is None)


def words(
    kind: str, item: str, names: Mapping[str, str] | None = None
) -> str:
    """One demand in words.

    :param kind: the query's key, without a suffix.
    :param item: what stands there, or the part of it that can be left out.
    :param names: of aggregates and providers by UUID.
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


def resources_alone(query: str) -> str:
    """The query for its resources, from wherever they come."""
    return _asking([
        (key, value) for key, value in _pairs(query)
        if key.startswith('resources') or key == 'group_policy'
    ])


def public(query: str) -> str:
    """The query without what names aggregates and providers."""
    return parse.urlencode([
        (key, value) for key, value in parse.parse_qsl(query)
        if _kind(key) not in _NAMING
    ])


def public_words(words: str) -> str:
    """The words of a part, without names of aggregates and providers."""
    return _NAMED.sub(
        lambda named: _PUBLIC_WORDS[named[1]], words
    )


def _pairs(query: str) -> Pairs:
    return [
        (key, value) for key, value in parse.parse_qsl(query)
        if key != 'limit'
    ]


def _asking(pairs: Pairs) -> str:
    return parse.urlencode([*pairs, ('limit', '1')])


def _kind(key: str) -> str:
    """A key without its suffix; empty for one that demands nothing."""
    if key == 'root_required':
        return 'required'
    grouped = _GROUPED.fullmatch(key)
    return grouped[1] if grouped else ''


def _items(kind: str, value: str) -> list[str]:
    """What can be left out of a value, one by one."""
    if kind == 'resources' or (
        kind == 'required' and not value.startswith('in:')
    ):
        return value.split(',')
    return [value]


def _without(pairs: Pairs, position: int, item: str) -> str | None:
    key, value = pairs[position]
    items = _items(_kind(key), value)
    left = ','.join(other for other in items if other != item)
    rest = pairs[:position] + pairs[position + 1:]
    if left:
        rest.insert(position, (key, left))
    elif key.startswith('resources'):
        rest = list(_without_group(rest, key.removeprefix('resources')))
    asks = any(name.startswith('resources') for name, _ in rest)
    return _asking(rest) if asks else None


def _without_group(pairs: Pairs, suffix: str) -> Iterator[tuple[str, str]]:
    """A group without resources can have no demands either."""
    for key, value in pairs:
        grouped = _GROUPED.fullmatch(key)
        if key == 'same_subtree':
            value = ','.join(g for g in value.split(',') if g != suffix)
        if value and not (grouped and grouped[2] == suffix):
            yield key, value
