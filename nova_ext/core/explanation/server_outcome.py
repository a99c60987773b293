"""Describe what became of a server after the scheduler had answered.

Nova's API shows it in the server and one of its actions. The cell's
conductor tries the alternates without asking the scheduler again, so no
decision holds it.
"""

import itertools
import re
from collections.abc import Iterator

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision.decision import (
    ALL_BUT_ENDS,
    NO_VALID_HOST,
    PASSED,
    PLACED,
    ClaimResult,
    Decision,
)
from nova_ext.core.explanation import refused_destination, server_history
from nova_ext.core.explanation.server_history import (
    MAX_MESSAGE,
    History,
    Json,
)
from nova_ext.core.explanation.text_format import format_hosts, sanitize

#: Events of one try on a host, and what is tried. Nova reschedules no other:
#: live migration, evacuation and unshelving have one host each.
BUILD = 'compute__do_build_and_run_instance'
PREPARE = 'compute_prep_resize'  # of a resize or a cold migration
_TRIES = {BUILD: 'build', PREPARE: 'move'}
#: The event in which the conductor takes the next host of a move.
TAKE_NEXT = 'conductor_migrate_server'

#: What stands in a fault in front of the last host's error, when Nova has
#: tried as many hosts as it may.
_LAST = re.compile(
    r'Last exception: (?:Build of instance \S+ was re-scheduled: )?'
)

def describe_outcome(decision: Decision, history: History) -> list[str]:
    """Return sentences about a server since a decision.

    :param history: its newest action is the decision's.
    """
    events = history.events
    sentences = [
        *refused_destination.describe_refusals(decision, history),
        *_describe_tries(decision, history),
        *server_history.describe_errors(events),
        *_describe_fault(decision, history),
        *server_history.describe_later(history),
        server_history.describe_state(history.server),
    ]
    return [sanitize(sentence) for sentence in sentences]


def correct_choice(decision: Decision, history: History) -> None:
    """Have a decision say what the server shows of the choice.

    A stock scheduler shows no claim: which host was taken is read from host
    states, and plugins may write to these.

    :param history: its newest action is the decision's.
    """
    server, attempts = str(history.server.get('id')), decision.attempts
    if decision.by.get('mode') != Mode.PLUGIN or not attempts or (
        not attempts[-1].ranked_count or server not in decision.servers
    ):
        return
    tried = [host for host, _ in _list_tries(history)]
    if tried and decision.chosen.get(server, [''])[0] != tried[0]:
        decision.outcome, decision.chosen[server] = PLACED, tried[:1]
        decision.claims = [
            claim for claim in decision.claims if claim.server != server
        ] + [ClaimResult(server, tried[0], claimed=True)]
    elif decision.outcome == NO_VALID_HOST and history.events and all(
        event.get('result') == 'Success' for event in history.events
    ):
        decision.outcome = PASSED


def _list_tries(history: History) -> list[tuple[str, str]]:
    """Return the hosts that were tried, and what was tried there."""
    return [
        (str(event['host']), _TRIES[event['event']])
        for event in history.events
        if event.get('event') in _TRIES and event.get('host')
    ]


def _describe_tries(decision: Decision, history: History) -> Iterator[str]:
    """Name the hosts that were tried, one by one."""
    server, events = history.server, history.events
    tried = _list_tries(history)
    for (host, what), (following, _) in itertools.pairwise(tried):
        yield (
            f'the {what} failed on {host}, {following} tried next; why stands '
            f'in the log of nova-compute on {host}'
        )
    offered = decision.chosen.get(str(server.get('id')), [])
    failed = any(map(_ends_move, events)) or (
        server.get('status') == 'ERROR'
        and _owns_fault(decision, history)
    )
    if ALL_BUT_ENDS in decision.left_out:
        return  # with the alternates
    if tried and failed and len(tried) >= len(offered) > 0:
        yield (
            f'every host that the scheduler offered was tried: '
            f'{format_hosts([host for host, _ in tried])}'
        )


def _owns_fault(decision: Decision, history: History) -> bool:
    """Say whether the server's fault is of the decision's action."""
    # The times of a log may be local ones.
    since = '' if decision.is_from_log else decision.at
    return server_history.owns_fault(history, since)


def _ends_move(event: Json) -> bool:
    """Say whether a move failed; its server may be ACTIVE where it was."""
    return event.get('result') == 'Error' and (
        event.get('event') in (PREPARE, TAKE_NEXT)
    )


def _describe_fault(decision: Decision, history: History) -> Iterator[str]:
    """Yield the fault, unless an event's reason or a later action has it."""
    message, events = history.fault, history.events
    if not _owns_fault(decision, history) or any(
        sanitize(str(event.get('details') or '')) == message
        for event in events
    ):
        return
    ended, *why = _LAST.split(message, maxsplit=1)
    yield sanitize(f'the server\'s fault: {ended}', MAX_MESSAGE)
    if why and why[0] != 'None':
        what = [_TRIES[e['event']] for e in events if e.get('event') in _TRIES]
        yield sanitize(
            f'the {what[-1] if what else _TRIES[BUILD]} failed on the last '
            f'host because of {why[0]}', MAX_MESSAGE,
        )
