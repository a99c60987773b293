"""Find the newest thing that happened to a server, as Nova's API tells it.

Nova keeps an action for each operation on a server, with the ID of its
request. So it is known which decision explains the newest operation, or that
there is none: the conductor refuses some before it asks a scheduler.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation.text_format import sanitize

#: Actions for which the conductor may ask a scheduler
#: (nova.compute.instance_actions).
SCHEDULED = frozenset({
    'create', 'resize', 'migrate', 'live-migration', 'evacuate', 'unshelve',
    'rebuild',
})
#: What nova-api does by itself, so that it leaves no fault.
_FAULTLESS = frozenset({'lock', 'resetState', 'unlock'})
#: What takes a server back without a scheduler.
_REVERT = 'revertResize'
#: How Nova's message of a request without a host begins.
NO_HOST = 'No valid host was found'
#: Characters of a message that are shown, and later actions.
MAX_MESSAGE = 200
MAX_LATER = 3

Json = Mapping[str, Any]


@dataclass(frozen=True)
class History:
    """Hold what Nova's API shows of a server.

    :param server: the body of ``GET /servers/{id}``; empty: it was deleted.
    :param actions: the body of ``GET /servers/{id}/os-instance-actions``.
    :param newest: the newest of them for which a scheduler may have been
        asked, with its events; None: there is none.
    """

    server: Json
    actions: Sequence[Json] = ()
    newest: Json | None = None

    @property
    def request_id(self) -> str:
        """Return the request of the newest such action; empty for none."""
        return str((self.newest or {}).get('request_id') or '')

    @property
    def events(self) -> list[Json]:
        """Return the events of the newest action, the oldest first.

        Nova's API lists them newest first, and MySQL keeps whole seconds:
        within one second, the later in the list is the earlier.
        """
        return sorted(
            reversed((self.newest or {}).get('events') or ()), key=_get_start
        )

    @property
    def fault(self) -> str:
        """Return the message of the server's fault, in one line."""
        return sanitize(str(_get_fault(self.server).get('message') or ''))

    @property
    def found_no_host(self) -> bool:
        """Say whether the newest action failed without a valid host."""
        reasons = [str(event.get('details') or '') for event in self.events]
        if owns_fault(self, _get_start(self.newest or {})):
            reasons.append(self.fault)
        return any(NO_HOST in reason for reason in reasons)


@dataclass(frozen=True)
class Unrecorded:
    """Explain an action that left no decision.

    :param sentence: which action, and what Nova tells of it.
    :param after: what happened since.
    :param notes: what else may help.
    """

    sentence: str
    after: list[str]
    notes: list[str] = field(default_factory=list)


def find_newest(actions: Sequence[Json]) -> Json | None:
    """Return the newest action for which a scheduler may have been asked."""
    return max(
        (each for each in actions if each.get('action') in SCHEDULED),
        key=_get_start, default=None,
    )


def explain_unrecorded(
    history: History, older: Decision | None, notes: Sequence[str] = ()
) -> Unrecorded:
    """Explain the newest action if its decision is not recorded.

    :param older: the newest decision about the server, if there is one.
    :param notes: notes to add.
    """
    more = []
    if older is not None:
        more.append(
            f'an older decision, of {older.at} on {older.operation}: explain '
            f'{older.request_id}'
        )
        if older.by.get('mode') == 'plugin':
            more.append(
                'a stock nova-scheduler records no request for which '
                'placement offers no host, and none that forces its host: '
                '--log reads its log'
            )
    notes = [*map(sanitize, more), *notes]
    if history.newest is None:  # Nova's API was not asked, or shows none
        return Unrecorded('no decision is recorded', [], notes)
    return Unrecorded(
        sanitize(
            f'{_name_action(history.newest)}: no decision is recorded'
            f'{_describe_end(history)}'
        ), [*describe_later(history), describe_state(history.server)], notes,
    )


def serialize_unrecorded(
    unrecorded: Unrecorded, history: History, older: int
) -> dict[str, Any]:
    """Return it as data, with the keys of an explanation's.

    :param older: number of decisions about the server.
    """
    return {
        'sentence': unrecorded.sentence, 'outcome': '',
        'server': str(history.server.get('id') or ''),
        'request_id': history.request_id, 'rows': [],
        'notes': unrecorded.notes, 'weights': [], 'older': older,
        'decision': None,
    }


def owns_fault(history: History, since: str) -> bool:
    """Say whether the server's fault is of the newest action.

    :param since: when the action's decision began; empty: it has none. An
        older fault is of something else.
    """
    created = str(_get_fault(history.server).get('created') or '')
    # Nova writes both in UTC, to the second and to the millisecond.
    if not history.fault or created < since[:19]:
        return False
    return _find_owner(history) in ('', history.request_id)


def describe_later(history: History) -> Iterator[str]:
    """Yield what failed after the newest action, or took the server back.

    A reboot may leave a fault, and not fail.
    """
    start = _get_start(history.newest or {})
    owner = _find_owner(history) if history.fault else ''
    later = [
        action for action in sorted(history.actions, key=_get_start)
        if history.newest and _get_start(action) > start and (
            action.get('message') or action.get('action') == _REVERT
            or action.get('request_id') == owner
        )
    ]
    for action in later[-MAX_LATER:]:
        failed = ' failed' if action.get('message') else ''
        fault = (
            f'; the server\'s fault: {history.fault}'
            if action.get('request_id') == owner else ''
        )
        yield sanitize(
            f'later, {_name_action(action)}{failed}{fault}', MAX_MESSAGE
        )


def describe_state(server: Json) -> str:
    """Return in which state a server is, and where."""
    if not server:
        return 'the server was deleted'
    host = server.get('OS-EXT-SRV-ATTR:host')
    task = server.get('OS-EXT-STS:task_state')
    return sanitize(''.join((
        f'the server is {server.get("status")}',
        f' on {host}' if host else '',
        f', {task}' if task else '',
    )))


def describe_errors(events: Sequence[Json]) -> Iterator[str]:
    """Yield which events failed, and why; each reason once.

    An event within another fails for the same reason.
    """
    known = set()
    for event in events:
        why = event.get('details') or ''
        if event.get('result') != 'Error' or (why and why in known):
            continue
        known.add(why)
        where = f' on {event["host"]}' if event.get('host') else ''
        yield sanitize(
            f'{event.get("event")} failed{where}{": " if why else ""}{why}',
            MAX_MESSAGE,
        )


def _describe_end(history: History) -> str:
    """Say, after a semicolon, how the newest action ended."""
    events = history.events
    errors = list(describe_errors(events))
    named = any(event.get('details') for event in events)
    if owns_fault(history, _get_start(history.newest or {})) and not named:
        errors.append(f'the server\'s fault: {history.fault}')
    if not errors and events:
        ended = all(event.get('result') for event in events)
        errors = ['it did not fail' if ended else 'it has not ended']
    return ''.join(f'; {error}' for error in errors)


def _find_owner(history: History) -> str:
    """Return the request that made the fault, by its time.

    Of several actions that were under way, it is the last that failed. Where
    none was, it is the last that began before. Nova writes faults to the
    second.

    :returns: empty if no action began before it.
    """
    created = str(_get_fault(history.server).get('created') or '')[:19]
    begun = sorted((
        action for action in history.actions
        if _get_start(action)[:19] <= created
        and action.get('action') not in _FAULTLESS
    ), key=_get_start)
    under_way = [
        action for action in begun
        if created <= str(action.get('updated_at') or '')[:19]
    ]
    failed = [action for action in under_way if action.get('message')]
    for candidates in failed, under_way, begun:
        if candidates:
            return str(candidates[-1].get('request_id') or '')
    return ''


def _name_action(action: Json) -> str:
    time = _get_start(action)[:19].replace('T', ' ')
    return f'{action.get("action")} at {time} UTC ({action.get("request_id")})'


def _get_start(action: Json) -> str:
    return str(action.get('start_time') or '')


def _get_fault(server: Json) -> Json:
    fault = server.get('fault')
    return fault if isinstance(fault, Mapping) else {}
