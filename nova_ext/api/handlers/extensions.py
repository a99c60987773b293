"""List the extensions of the schedulers, and the hints that they read."""

from typing import Any

from nova_ext.api.http import errors
from nova_ext.api.http.request import Request
from nova_ext.core.base.scheduling_errors import NoSchedulerError

_INSTEAD = (
    'nova.conf of the schedulers names filters and weighers, "nova-ext lint" '
    'checks it, and "nova-ext explain" marks hints that had no effect'
)


def filters(request: Request) -> dict[str, Any]:
    """List the enabled filters, in the order in which they run."""
    return _list(request, 'filters')


def weighers(request: Request) -> dict[str, Any]:
    """List the weighers, with their multipliers."""
    return _list(request, 'weighers')


def drivers(request: Request) -> dict[str, Any]:
    """List the drivers, one for each topic."""
    return _list(request, 'drivers')


def hints(request: Request) -> dict[str, Any]:
    """List the scheduler hints that have an effect, and what reads each.

    ``undeclared`` names extensions that may read any hint: they declare none.
    """
    extensions = _get_extensions(request)
    readers: dict[str, list[str]] = {}
    undeclared = []
    for kind in ('filters', 'weighers', 'drivers'):
        for extension in extensions[kind]:
            if extension['hints'] is None:
                undeclared.append(extension['name'])
            for hint in extension['hints'] or ():
                readers.setdefault(hint, []).append(extension['name'])
    return {
        'hints': [
            {'name': name, 'read_by': readers[name]}
            for name in sorted(readers)
        ],
        'undeclared': undeclared,
    }


def _list(request: Request, kind: str) -> dict[str, Any]:
    extensions = _get_extensions(request)
    return {'scheduler': extensions['host'], kind: extensions[kind]}


def _get_extensions(request: Request) -> dict[str, Any]:
    try:
        return request.backends.scheduler().in_force(request.context)
    except NoSchedulerError as error:
        raise errors.no_scheduler(error, _INSTEAD) from error
