"""List the plugins of the schedulers, and the hints that they read.

A stock nova-scheduler answers no questions. The decisions in the database tell
which filters and weighers ran in it, by name.
"""

from typing import Any

from nova_ext.api.http import errors
from nova_ext.api.http.request import Request
from nova_ext.core.base.mode import Mode
from nova_ext.core.base.scheduling_errors import (
    NoSchedulerError,
    RequestTimeoutError,
)
from nova_ext.core.decision.decision import PASSED, PLACED, Attempt, Decision
from nova_ext.database.database import DatabaseError
from nova_ext.decisions import bodies, queries

#: Decisions among which to look for one that ran all filters or weighers.
_LOOK_AT = 20

_INSTEAD = (
    '"nova-ext-scheduler --check" on a host of one, with its options, lists '
    'filters and weighers, and "nova-ext explain" marks hints that had no '
    'effect'
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


def costs(request: Request) -> dict[str, Any]:
    """List the costs of hosts that are added up, with their weights."""
    return _list(request, 'costs')


def hints(request: Request) -> dict[str, Any]:
    """List the scheduler hints that have an effect, and what reads each.

    ``undeclared`` names plugins that may read any hint: they declare none.
    """
    try:
        plugins = _get_plugins(request)
    except NoSchedulerError as error:
        raise errors.no_scheduler(error, _INSTEAD) from error
    readers: dict[str, list[str]] = {}
    undeclared = []
    for kind in ('filters', 'weighers', 'drivers', 'costs'):
        for plugin in plugins[kind]:
            if plugin['hints'] is None:
                undeclared.append(plugin['name'])
            for hint in plugin['hints'] or ():
                readers.setdefault(hint, []).append(plugin['name'])
    return {
        'hints': [
            {'name': name, 'read_by': readers[name]}
            for name in sorted(readers)
        ],
        'undeclared': undeclared,
    }


def _list(request: Request, kind: str) -> dict[str, Any]:
    try:
        plugins = _get_plugins(request)
    except (NoSchedulerError, RequestTimeoutError) as error:
        decision = _find_decision(request, kind)
        if decision is None:
            if isinstance(error, NoSchedulerError):
                raise errors.no_scheduler(error, _INSTEAD) from error
            raise
        return {
            'scheduler': str(decision.by.get('host', '')),
            'decided_at': decision.at,
            kind: _EXTRACT[kind](decision.attempts[0]),
        }
    return {'scheduler': plugins['host'], kind: plugins[kind]}


def _get_plugins(request: Request) -> dict[str, Any]:
    """Ask a scheduler what is active in it.

    :raises NoSchedulerError: where no nova-ext-scheduler runs.
    :raises RequestTimeoutError: where none answers.
    """
    return request.backends.scheduler().in_force(request.context)


def _find_decision(request: Request, kind: str) -> Decision | None:
    """Find the newest decision in which all of these plugins ran.

    :returns: None where a stock nova-scheduler did not make the newest, or
        decisions do not tell, or are not to be had.
    """
    if kind not in _EXTRACT:
        return None
    try:
        with request.backends.database().reading() as session:
            rows = queries.find(session, limit=_LOOK_AT)
            for number, decision in bodies.read(session, rows):
                is_newest = number == rows[0].id
                if is_newest and decision.by.get('mode') != Mode.PLUGIN:
                    break
                if _ran_all(decision, kind):
                    return decision
    except (DatabaseError, errors.HttpError):
        return None
    return None


def _ran_all(decision: Decision, kind: str) -> bool:
    """Say whether all plugins of a kind that are enabled ran.

    A rebuild and a further server of a request run some filters only. Nova
    weighs no single host.
    """
    return (
        decision.by.get('mode') == Mode.PLUGIN
        and decision.outcome in (PLACED, PASSED)
        and decision.operation != 'rebuild' and not decision.unseen_filters
        and bool(decision.attempts) and decision.attempts[0].index == 0
        and bool(_EXTRACT[kind](decision.attempts[0]))
    )


def _list_filters(attempt: Attempt) -> list[dict[str, Any]]:
    return [
        _name(step.name) for step in attempt.steps if step.kind == 'filter'
    ]


def _list_weighers(attempt: Attempt) -> list[dict[str, Any]]:
    """Return the weighers; the multiplier of all hosts, if it is one."""
    return [
        _name(weighing.name) | {
            'multiplier': next(iter(multipliers))
            if len(multipliers) == 1 else None
        }
        for weighing in attempt.weighers
        for multipliers in [set(weighing.multipliers.values())]
    ]


def _name(name: str) -> dict[str, Any]:
    """Return a plugin whose name alone is recorded."""
    return {'name': name, 'source': '', 'hints': None}


_EXTRACT = {'filters': _list_filters, 'weighers': _list_weighers}
