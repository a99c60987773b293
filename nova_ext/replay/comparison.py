"""Say what became of a decision under another configuration, and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nova_ext.core.decision.decision import (
    FAILED,
    PASSED,
    PLACED,
    name_host,
)
from nova_ext.core.decision.transition import Transition
from nova_ext.core.explanation.group_text import format_group
from nova_ext.core.explanation.host_counts import Group
from nova_ext.core.explanation.text_format import sanitize
from nova_ext.journal.replayed import (
    Evidence,
    Exactness,
    HostKey,
    HostVerdict,
    Original,
    Replayed,
)

#: Weights of hosts that differ by less are equal.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Cause:
    """Represent why a decision changed.

    :param kind: ``filter``, ``weigher``, ``draw``, ``driver``, ``request``,
        ``claim``, ``plugin`` or ``unknown``.
    :param name: of the filter or weigher; empty for others.
    :param text: a clause, the same for decisions of one cause.
    :param detail: what differs from decision to decision; may be empty.
    """

    kind: str
    name: str
    text: str
    detail: str = ''


@dataclass(frozen=True)
class Change:
    """Represent what became of one decision.

    :param exactness: of the decision under the new configuration.
    :param gaps: facts that are missing; empty for an exact one.
    :param server: number of the server that changed first, from 0.
    :param before: the host of that server then; empty: none.
    :param after: the host of that server now; empty: none.
    """

    original: Original
    transition: Transition
    exactness: Exactness
    gaps: Sequence[str]
    cause: Cause | None = None
    server: int = 0
    before: str = ''
    after: str = ''


def judge_exactness(
    original: Original, replayed: Replayed
) -> tuple[Exactness, list[str]]:
    """Say how much of a decision could be made again, and what lacks."""
    gaps = list(dict.fromkeys([*original.missing, *replayed.gaps]))
    if original.outcome == PASSED:
        return Exactness.NOT_REPLAYABLE, gaps or ['its end']
    for number, hosts in replayed.equal.items():
        names = ', '.join(sorted(name_host(*host) for host in hosts)[:5])
        more = f' and {len(hosts) - 5} more' if len(hosts) > 5 else ''
        gaps.append(
            f'the seed of the draw for server {number + 1}, among {names}'
            f'{more}'
        )
    if replayed.gaps and replayed.outcome == FAILED:
        return Exactness.NOT_REPLAYABLE, gaps
    return Exactness.PARTIAL if gaps else Exactness.EXACT, gaps


def may_be_refused(original: Original, replayed: Replayed) -> bool:
    """Say whether a claim that was refused unseen would explain another host.

    The host of then passes and weighs less.
    """
    if original.shows_refusals or not (
        original.first_hosts and replayed.first_hosts
    ):
        return False
    number = _find_first(original.first_hosts, replayed.first_hosts)
    old = _get(original.first_hosts, number)
    return old is not None and not _find_verdict(
        replayed.evidence, number, old
    )


def differs(original: Original, replayed: Replayed, exact: Exactness) -> bool:
    """Say whether a decision under the same configuration came out otherwise.

    Alternates are compared where nothing is missing.
    """
    if original.is_placed != (replayed.outcome == PLACED):
        return True
    if exact is Exactness.EXACT and original.is_placed:
        return [list(map(tuple, each)) for each in original.chosen] != [
            list(map(tuple, each)) for each in replayed.chosen
        ]
    return original.first_hosts != replayed.first_hosts


def compare(
    original: Original, again: Replayed | None, changed: Replayed
) -> Change:
    """Compare a decision with the one under the new configuration.

    :param again: the decision under its own configuration, with evidence on
        the hosts that are chosen now; None: it was not made.
    :param changed: the decision under the new configuration.
    """
    exactness, gaps = judge_exactness(original, changed)
    transition = _find_transition(original, changed)
    if transition is Transition.SAME:
        return Change(original, transition, exactness, gaps)
    number = _find_first(original.first_hosts, changed.first_hosts)
    old, new = _get(original.first_hosts, number), _get(
        changed.first_hosts, number
    )
    if transition is Transition.PLACED_NONE:
        new = None
        number, old = _find_failed(original, changed)
    elif transition is Transition.NONE_PLACED:
        number, new = _find_failed_before(again, changed)
        old = None
    return Change(
        original, transition, exactness, gaps,
        _find_cause(again, changed, number, old, new), number,
        name_host(*old) if old else '', name_host(*new) if new else '',
    )


def _find_transition(original: Original, changed: Replayed) -> Transition:
    is_placed = changed.outcome == PLACED
    if original.is_placed != is_placed:
        return (
            Transition.NONE_PLACED if is_placed else Transition.PLACED_NONE
        )
    if not is_placed or original.first_hosts == changed.first_hosts:
        return Transition.SAME
    return Transition.OTHER_HOST


def _find_first(old: Sequence[HostKey], new: Sequence[HostKey]) -> int:
    """Return the number of the first server whose host differs."""
    return next((
        number for number, pair in enumerate(zip(old, new, strict=False))
        if pair[0] != pair[1]
    ), min(len(old), len(new)))


def _get(hosts: Sequence[HostKey], number: int) -> HostKey | None:
    return hosts[number] if number < len(hosts) else None


def _find_failed(
    original: Original, changed: Replayed
) -> tuple[int, HostKey | None]:
    """Return the server that finds no host now, and its host of then."""
    number = changed.evidence[-1].index if changed.evidence else 0
    return number, _get(original.first_hosts, number)


def _find_failed_before(
    again: Replayed | None, changed: Replayed
) -> tuple[int, HostKey | None]:
    number = again.evidence[-1].index if again and again.evidence else 0
    return number, _get(changed.first_hosts, number)


def _find_cause(
    again: Replayed | None, changed: Replayed, number: int,
    old: HostKey | None, new: HostKey | None,
) -> Cause:
    if changed.outcome == FAILED:
        return Cause('plugin', '', sanitize(changed.error, 120))
    after = _get_evidence(changed, number)
    before = _get_evidence(again, number)
    if old is not None and after is not None:
        verdict = _find_verdict(changed.evidence, number, old)
        if verdict is not None:
            return _name_step(verdict)
    if new is not None and before is not None and again is not None:
        verdict = _find_verdict(again.evidence, number, new)
        if verdict is not None:
            return _name_step(verdict, passes_now=True)
    if old is None and new is None and after is not None and after.ended:
        return _name_step(after.ended)
    if old is not None and new is not None and after is not None:
        return _compare_weights(before, after, old, new)
    return Cause('unknown', '', 'the journal does not show why')


def _find_verdict(
    attempts: Sequence[Evidence], number: int, host: HostKey
) -> HostVerdict | None:
    """Return what took a host out.

    Each attempt goes on from what the one before left.
    """
    return next((
        attempt.rejected[host] for attempt in attempts
        if attempt.index <= number and host in attempt.rejected
    ), None)


def _get_evidence(replayed: Replayed | None, number: int) -> Evidence | None:
    return next((
        attempt for attempt in (replayed.evidence if replayed else ())
        if attempt.index == number
    ), None)


def _name_step(verdict: HostVerdict, *, passes_now: bool = False) -> Cause:
    """Name a step in the words of ``explain``."""
    text = format_group(Group(
        verdict.kind, verdict.stage, verdict.reason, 1
    )).removeprefix('1 ')
    return Cause(
        verdict.kind, verdict.stage,
        f'no longer {text}' if passes_now else text,
    )


def _compare_weights(
    before: Evidence | None, after: Evidence, old: HostKey, new: HostKey
) -> Cause:
    """Name the weigher whose share speaks more for the new host than then."""
    now = _subtract(after.weights, old, new)
    then = _subtract(before.weights, old, new) if before else {}
    if not now:
        return Cause('claim', '', 'the claim on the host of then is refused')
    if abs(sum(now.values())) <= ROUNDING:
        return Cause(
            'draw', '', 'both weigh the same, another one was drawn'
        )
    shares = {
        name: now.get(name, 0.0) - then.get(name, 0.0)
        for name in dict.fromkeys([*now, *then])
    }
    name = max(shares, key=lambda each: shares[each])
    if shares[name] <= ROUNDING:
        return Cause(
            'draw', '', 'hosts are drawn from other ones than then'
        )
    return Cause(
        'weigher', name, f'{name} weighs otherwise',
        f'{name_host(*new)} over {name_host(*old)}: '
        f'{"; ".join(_list_shares(then, now))}',
    )


def _list_shares(
    then: Mapping[str, float], now: Mapping[str, float]
) -> Iterator[str]:
    for name in dict.fromkeys([*now, *then]):
        was, is_now = then.get(name, 0.0), now.get(name, 0.0)
        if abs(was - is_now) > ROUNDING:
            yield f'{name} {is_now:+.4g} instead of {was:+.4g}'


def _subtract(
    weights: Mapping[HostKey, Mapping[str, float]], old: HostKey,
    new: HostKey,
) -> dict[str, float]:
    """Return by weigher how much more the new host weighs."""
    if old not in weights or new not in weights:
        return {}
    return {
        name: weights[new].get(name, 0.0) - weights[old].get(name, 0.0)
        for name in weights[new]
    }
