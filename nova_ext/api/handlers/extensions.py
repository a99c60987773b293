"""What decides in the schedulers, and which hints that reads."""

from typing import Any

from nova_ext.api.http.request import Asked


def filters(asked: Asked) -> dict[str, Any]:
    """The enabled filters, in the order in which they are asked."""
    return _some(asked, 'filters')


def weighers(asked: Asked) -> dict[str, Any]:
    """The weighers, with their multipliers."""
    return _some(asked, 'weighers')


def drivers(asked: Asked) -> dict[str, Any]:
    """The drivers, by topic."""
    return _some(asked, 'drivers')


def hints(asked: Asked) -> dict[str, Any]:
    """The scheduler hints that have an effect, and what reads each.

    ``undeclared`` names what may read any, as it does not say which.
    """
    found = _found(asked)
    readers: dict[str, list[str]] = {}
    undeclared = []
    for kind in ('filters', 'weighers', 'drivers'):
        for one in found[kind]:
            if one['hints'] is None:
                undeclared.append(one['name'])
            for hint in one['hints'] or ():
                readers.setdefault(hint, []).append(one['name'])
    return {
        'hints': [
            {'name': name, 'read_by': readers[name]}
            for name in sorted(readers)
        ],
        'undeclared': undeclared,
    }


def _some(asked: Asked, kind: str) -> dict[str, Any]:
    found = _found(asked)
    return {'scheduler': found['host'], kind: found[kind]}


def _found(asked: Asked) -> dict[str, Any]:
    return asked.backends.scheduler().in_force(asked.context)
