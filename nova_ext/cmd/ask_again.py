"""Ask Nova again about a request that left no decision.

A stock nova-scheduler records only requests that reach its filters.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from nova_ext.cli import simulate_command
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import placement_diagnosis
from nova_ext.core.decision.decision import (
    PLACED,
    Decision,
    LeftOut,
    PlacementDiagnosis,
)
from nova_ext.core.explanation import serialized
from nova_ext.core.explanation.server_history import History
from nova_ext.core.request.operation import Operation

#: Moves away from the server's host whose request can be made again. That of
#: a resize has a flavor that Nova does not keep.
_MOVES = frozenset({'migrate', 'live-migration', 'evacuate'})

#: Operations of decisions whose request can be made again: one that names
#: its host can't.
_BOOT = Operation.FIRST_BOOT.value
_REPEATABLE = (_BOOT, Operation.MOVE.value, Operation.RETURN.value)

#: Hosts of the ranking that are returned.
_RANKED = 1000

_NOTE = (
    'asked again: this is the answer of now, not of then, and nothing was '
    'claimed'
)
_NOT_THE_SAME = (
    'asked again, a host fits now: the cloud has changed since, or the '
    'request named its host, which Nova does not keep'
)
_LATE = (
    f'{placement_diagnosis.NOT_ASKED}, as it may have changed since; '
    f'nova-ext simulate says what holds now'
)
_NOT_KEPT = (
    'a host fits now: the cloud has changed since, or the request had what '
    'Nova does not keep, a host named by --host or a port\'s demands'
)


@dataclass(frozen=True)
class Now:
    """Hold what is known of a request beyond its record.

    :param clause: the answer in a few words; empty: there is none.
    :param notes: further lines.
    :param answer: ``rows``, ``weights`` and ``decision`` of a simulation.
    :param fits: whether it found a host.
    """

    clause: str = ''
    notes: Sequence[str] = ()
    answer: Mapping[str, Any] | None = None
    fits: bool = False


def ask(
    configuration: tuple[Sequence[str], Sequence[str]], server: str,
    history: History | None,
) -> Now:
    """Say where the server would go now, or that no filter was asked.

    :param configuration: files and folders that nova-scheduler is started
        with.
    :param server: its UUID.
    :param history: what Nova's API shows of it; None: nothing.
    """
    try:
        if history is None:
            return _repeat(configuration, server, None)
        if history.found_no_host:
            now = _repeat(configuration, server, _list_ignored(history))
            if now.fits:
                # What fits may be another host than the one that was named.
                return refer(history, _NOT_THE_SAME)
            return now
        return _explain_forced(configuration, server, history)
    except NovaExtError as error:
        return refer(history, f'not asked again: {error}')


def diagnose(
    configuration: tuple[Sequence[str], Sequence[str]], decision: Decision,
    server: str,
) -> str:
    """Add to a stock scheduler's decision what hosts lack in placement now.

    List only hosts that did not reach its filters. Do so only if the same
    request can be made again, and right after the decision: its record has no
    generations of providers, so that a later answer may be of another state.

    :param server: one of the decision's; otherwise nothing is asked.
    :returns: a note why it was not asked; empty where there is no need.
    """
    absent, request = decision.absent, decision.request
    if server not in decision.servers or absent is None or not (
        absent.hosts and decision.operation in _REPEATABLE
    ):
        return ''
    at = PlacementDiagnosis(datetime.now(UTC).isoformat(), '')
    after = placement_diagnosis.get_distance(at, decision)
    if after > placement_diagnosis.RIGHT_AFTER:
        return _LATE
    ignored = request.get('ignore_hosts', [])
    try:
        now = import_simulation().repeat(
            *configuration, server,
            None if decision.operation == _BOOT else ignored, 1,
        )
    except NovaExtError as error:
        return f'{placement_diagnosis.NOT_ASKED}: {error}'
    diagnosis, wanted = now.asked_again, set(absent.hosts) - {*ignored}
    if diagnosis and not diagnosis.changed and (
        now.request.get('flavor') == request.get('flavor')
    ):
        after = placement_diagnosis.get_distance(diagnosis, decision)
        if after > placement_diagnosis.RIGHT_AFTER:
            return _LATE
        decision.asked_again = replace(
            diagnosis, after_s=after.total_seconds(),
            left_out=list(_keep(diagnosis.left_out, wanted)),
            examples=[
                text for text in diagnosis.examples
                if text.partition(':')[0] in wanted
            ],
        )
    return ''


def _keep(groups: Iterable[LeftOut], hosts: set[str]) -> Iterator[LeftOut]:
    """Yield groups with these of their hosts alone."""
    for group in groups:
        kept = [host for host in group.hosts if host in hosts]
        if kept:
            yield replace(group, hosts=kept, count=len(kept))


def refer(history: History | None, reason: str) -> Now:
    """Name the command that asks again, and why it was not done."""
    if history is None or not history.found_no_host:
        return Now()
    command = simulate_command.build(history)
    return Now(notes=[f'{reason}; what holds now says: {command}'])


def _list_ignored(history: History) -> list[str] | None:
    """Return the hosts that the newest action left out; None: a boot.

    :raises NovaExtError: its request can't be made again.
    """
    action = (history.newest or {}).get('action')
    if action == 'create':
        return None
    if action == 'unshelve':
        return []
    host = history.server.get('OS-EXT-SRV-ATTR:host')
    if action not in _MOVES or not host:
        raise NovaExtError(f'Nova does not keep what {action} requested')
    return [host]


def _repeat(
    configuration: tuple[Sequence[str], Sequence[str]], server: str,
    ignore_hosts: Sequence[str] | None,
) -> Now:
    decision = import_simulation().repeat(
        *configuration, server, ignore_hosts, _RANKED
    )
    explanation = serialized.serialize(decision)
    fits = decision.outcome == PLACED
    notes = [_NOTE, *[_NOT_KEPT] * fits]
    return Now(
        f'asked again now{", a host fits" * fits}: {explanation["sentence"]}',
        [*notes, *explanation['notes']],
        {name: explanation[name] for name in ('rows', 'weights', 'decision')},
        fits,
    )


def _explain_forced(
    configuration: tuple[Sequence[str], Sequence[str]], server: str,
    history: History,
) -> Now:
    """Say that no filter was asked, where the boot named its host."""
    if (history.newest or {}).get('action') != 'create':
        return Now()
    forced = import_simulation().read_forced(*configuration, server)
    return Now(
        f'the request forced its host, {forced}: no filter was asked'
        if forced else ''
    )


def import_simulation() -> Any:
    """Return the module that asks Nova; its import takes two seconds.

    :raises NovaExtError: Nova is not installed.
    """
    try:
        from nova_ext.scheduler.what_if.simulate import offline_simulation
    except ImportError as error:
        raise NovaExtError(f'Nova is not installed here: {error}') from error
    return offline_simulation
