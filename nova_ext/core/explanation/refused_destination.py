"""Find destinations of live migrations that were refused after the decision.

nova-conductor compares the hypervisors' types and versions, and has
nova-compute check the destination. Then it asks the scheduler again, without
that host, until no host is left (nova.conductor.tasks.live_migrate,
_find_destination).
"""

from collections.abc import Iterable, Iterator, Sequence

from nova_ext.core.decision.decision import PASSED, PLACED, Decision
from nova_ext.core.explanation.server_history import History

_ACTION = 'live-migration'
_CONDUCTOR = 'conductor_live_migrate_instance'
_CHECK = 'compute_check_can_live_migrate_destination'
#: The event with which the migration itself begins.
_BEGIN = 'compute_live_migration'
#: How the conductor's event ends where every destination was refused.
_NONE_LEFT = ('No valid host', 'Exceeded max scheduling retries')


def mark(decisions: Sequence[Decision]) -> None:
    """Mark decisions whose host a later one of their request ignores."""
    later: dict[str, list[Decision]] = {}
    for decision in decisions:
        if _list_refused(decision):
            later.setdefault(decision.request_id, []).append(decision)
    for decision in decisions:
        decision.refused_later = any(
            _is_ignored(decision, other)
            for other in later.get(decision.request_id, ())
        )


def mark_by_history(decision: Decision, history: History) -> None:
    """Mark a decision whose host was refused, as Nova's API shows.

    A stock nova-scheduler records no further decision where the host was
    named, or was the last one.

    :param history: its newest action is the decision's.
    """
    if decision.outcome in (PLACED, PASSED) and _has_none_left(history):
        decision.refused_later = True


def describe_refusals(
    decision: Decision, history: History
) -> Iterator[str]:
    """Yield who refused the destinations of a live migration.

    What nova-compute said of one is among the events' errors.
    """
    if (history.newest or {}).get('action') != _ACTION:
        return
    checked = {
        event.get('host') for event in history.events
        if event.get('event') == _CHECK
    }
    chosen = _list_chosen(decision) if decision.refused_later else []
    for host in dict.fromkeys([*_list_refused(decision), *chosen]):
        if host not in checked:
            yield (
                f'nova-conductor refused {host} before nova-compute there '
                f'was asked: its hypervisor is of another type or older than '
                f'that of the host to be left, or a device of the server '
                f'keeps it from moving; nova-conductor logs it as "Skipping '
                f'host" at DEBUG'
            )


def _has_none_left(history: History) -> bool:
    if (history.newest or {}).get('action') != _ACTION:
        return False
    names = {event.get('event') for event in history.events}
    return _BEGIN not in names and any(
        event.get('event') == _CONDUCTOR and event.get('result') == 'Error'
        # Nova shows the details to administrators alone.
        and (not event.get('details') or any(
            words in event['details'] for words in _NONE_LEFT
        ))
        for event in history.events
    )


def _is_ignored(decision: Decision, other: Decision) -> bool:
    return (
        other.servers == decision.servers
        and not set(_list_chosen(decision)).isdisjoint(_list_refused(other))
    )


def _list_refused(decision: Decision) -> list[str]:
    """Return the destinations that were refused before a decision."""
    return list(decision.request.get('ignore_hosts', ()))[1:]


def _list_chosen(decision: Decision) -> Iterable[str]:
    return (hosts[0] for hosts in decision.chosen.values() if hosts)
