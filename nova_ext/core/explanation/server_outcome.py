"""What became of a server after the scheduler had answered.

Read off the server and one of its actions, as Nova's API shows them. The
cell's conductor tries the alternates without asking the scheduler again, so
no decision tells of it.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation.text_format import clean, host_names

#: The events of one try on a host, and what it tries. Nova reschedules no
#: other: live migration, evacuation and unshelving have one host each.
BUILD = 'compute__do_build_and_run_instance'
PREPARE = 'compute_prep_resize'  # of a resize or a cold migration
_TRIES = {BUILD: 'build', PREPARE: 'move'}
#: The event in which the conductor takes the next host of a move.
TAKE_NEXT = 'conductor_migrate_server'

#: Letters of a message that Nova keeps.
MESSAGE = 200
#: What stands in a fault before why the last host failed, when Nova has tried
#: as many as it may; and what Nova's own error says in front of the reason.
_LAST = re.compile(
    r'Last exception: (?:Build of instance \S+ was re-scheduled: )?'
)

Json = Mapping[str, Any]


def told(decision: Decision, server: Json, action: Json | None) -> list[str]:
    """Sentences about a server since a decision.

    :param server: the body of ``GET /servers/{id}``.
    :param action: the body of ``GET /servers/{id}/os-instance-actions/
        {request id}`` for the decision's request; None: there is none.
    """
    # Nova's API lists them newest first, and MySQL keeps whole seconds: of
    # one second, the later in the list is the earlier.
    events = sorted(
        reversed((action or {}).get('events') or ()),
        key=lambda event: str(event.get('start_time') or ''),
    )
    sentences = [
        *_tries(decision, server, events),
        *_errors(events),
        *_fault(decision, server, events),
        _now(server),
    ]
    return [clean(sentence) for sentence in sentences]


def _tries(
    decision: Decision, server: Json, events: Sequence[Json]
) -> Iterator[str]:
    """The hosts on which it was tried to put the server, one by one."""
    tried = [
        (str(event['host']), _TRIES[event['event']]) for event in events
        if event.get('event') in _TRIES and event.get('host')
    ]
    for (host, what), (following, _) in itertools.pairwise(tried):
        yield (
            f'the {what} failed on {host}, {following} tried next; why stands '
            f'in the log of nova-compute on {host}'
        )
    offered = decision.chosen.get(str(server.get('id')), [])
    failed = _failed(server) or any(map(_gives_up, events))
    if tried and failed and len(tried) >= len(offered) > 0:
        yield (
            f'every host that the scheduler offered was tried: '
            f'{host_names([host for host, _ in tried])}'
        )


def _gives_up(event: Json) -> bool:
    """Whether a move ended so; its server may be ACTIVE where it was."""
    return event.get('result') == 'Error' and (
        event.get('event') in (PREPARE, TAKE_NEXT)
    )


def _errors(events: Sequence[Json]) -> Iterator[str]:
    for event in events:
        if event.get('result') != 'Error':
            continue
        where = f' on {event["host"]}' if event.get('host') else ''
        why = event.get('details') or ''
        yield clean(
            f'{event.get("event")} failed{where}{": " if why else ""}{why}',
            MESSAGE,
        )


def _fault(
    decision: Decision, server: Json, events: Sequence[Json]
) -> Iterator[str]:
    fault = server.get('fault') or {}
    message = str(fault.get('message') or '').strip()
    # Nova writes both in UTC, to the second and to the millisecond.
    if not message or str(fault.get('created')) < decision.at[:19]:
        return
    ended, *why = _LAST.split(message, maxsplit=1)
    yield clean(f'the server\'s fault: {ended}', MESSAGE)
    if why and why[0] != 'None':
        what = [_TRIES[e['event']] for e in events if e.get('event') in _TRIES]
        yield clean(
            f'the {what[-1] if what else _TRIES[BUILD]} failed on the last '
            f'host because of {why[0]}', MESSAGE,
        )


def _now(server: Json) -> str:
    host = server.get('OS-EXT-SRV-ATTR:host')
    task = server.get('OS-EXT-STS:task_state')
    return ''.join((
        f'the server is {server.get("status")}',
        f' on {host}' if host else '',
        f', {task}' if task else '',
    ))


def _failed(server: Json) -> bool:
    return server.get('status') == 'ERROR'
