"""Describe what became of a server after the scheduler had answered.

Nova's API shows it in the server and one of its actions. The cell's
conductor tries the alternates without asking the scheduler again, so no
decision holds it.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation.text_format import format_hosts, sanitize

#: Events of one try on a host, and what is tried. Nova reschedules no other:
#: live migration, evacuation and unshelving have one host each.
BUILD = 'compute__do_build_and_run_instance'
PREPARE = 'compute_prep_resize'  # of a resize or a cold migration
_TRIES = {BUILD: 'build', PREPARE: 'move'}
#: The event in which the conductor takes the next host of a move.
TAKE_NEXT = 'conductor_migrate_server'

#: Characters of a message that are shown.
MAX_MESSAGE = 200
#: What stands in a fault in front of the last host's error, when Nova has
#: tried as many hosts as it may.
_LAST = re.compile(
    r'Last exception: (?:Build of instance \S+ was re-scheduled: )?'
)

Json = Mapping[str, Any]


def describe_outcome(
    decision: Decision, server: Json, action: Json | None
) -> list[str]:
    """Return sentences about a server since a decision.

    :param server: the body of ``GET /servers/{id}``.
    :param action: the body of ``GET /servers/{id}/os-instance-actions/
        {request id}`` for the decision's request; None: there is none.
    """
    # Nova's API lists events newest first, and MySQL keeps whole seconds:
    # within one second, the later in the list is the earlier.
    events = sorted(
        reversed((action or {}).get('events') or ()),
        key=lambda event: str(event.get('start_time') or ''),
    )
    sentences = [
        *_describe_tries(decision, server, events),
        *_describe_errors(events),
        *_describe_fault(decision, server, events),
        _describe_state(server),
    ]
    return [sanitize(sentence) for sentence in sentences]


def _describe_tries(
    decision: Decision, server: Json, events: Sequence[Json]
) -> Iterator[str]:
    """Name the hosts that were tried, one by one."""
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
    failed = server.get('status') == 'ERROR' or any(map(_ends_move, events))
    if tried and failed and len(tried) >= len(offered) > 0:
        yield (
            f'every host that the scheduler offered was tried: '
            f'{format_hosts([host for host, _ in tried])}'
        )


def _ends_move(event: Json) -> bool:
    """Say whether a move failed; its server may be ACTIVE where it was."""
    return event.get('result') == 'Error' and (
        event.get('event') in (PREPARE, TAKE_NEXT)
    )


def _describe_errors(events: Sequence[Json]) -> Iterator[str]:
    for event in events:
        if event.get('result') != 'Error':
            continue
        where = f' on {event["host"]}' if event.get('host') else ''
        why = event.get('details') or ''
        yield sanitize(
            f'{event.get("event")} failed{where}{": " if why else ""}{why}',
            MAX_MESSAGE,
        )


def _describe_fault(
    decision: Decision, server: Json, events: Sequence[Json]
) -> Iterator[str]:
    fault = server.get('fault') or {}
    message = str(fault.get('message') or '').strip()
    # Nova writes both in UTC, to the second and to the millisecond.
    if not message or str(fault.get('created')) < decision.at[:19]:
        return
    ended, *why = _LAST.split(message, maxsplit=1)
    yield sanitize(f'the server\'s fault: {ended}', MAX_MESSAGE)
    if why and why[0] != 'None':
        what = [_TRIES[e['event']] for e in events if e.get('event') in _TRIES]
        yield sanitize(
            f'the {what[-1] if what else _TRIES[BUILD]} failed on the last '
            f'host because of {why[0]}', MAX_MESSAGE,
        )


def _describe_state(server: Json) -> str:
    host = server.get('OS-EXT-SRV-ATTR:host')
    task = server.get('OS-EXT-STS:task_state')
    return ''.join((
        f'the server is {server.get("status")}',
        f' on {host}' if host else '',
        f', {task}' if task else '',
    ))
