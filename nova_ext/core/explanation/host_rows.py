"""What became of every host of a decision, as the rows of a table."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import weigher_contributions
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation.text_format import clean, each_in_full, in_full

CHOSEN, ALTERNATE, PASSED = 'chosen', 'alternate', 'passed'
REJECTED = 'rejected'

#: Weighers that a row names, those that added most.
WEIGHERS = 6


@dataclass
class Row:
    """A host, or hosts that left at one stage for one reason.

    :param hosts: names; there may be fewer than ``count``.
    :param stage: where it was decided: ``placement``, ``claim``, ``request``
        or the name of a filter or driver; empty for hosts that passed.
    :param verdict: CHOSEN, ALTERNATE, PASSED, REJECTED, or the tally's
        REFUSED, UNTRIED, UNKNOWN.
    :param reasons: by host, its own reason where the hosts' differ.
    """

    count: int
    hosts: list[str]
    stage: str
    verdict: str
    reason: str = ''
    reasons: dict[str, str] = field(default_factory=dict)


def rows(decision: d.Decision, counted: t.Tally) -> list[Row]:
    """The rows of a table; their counts add up to the tally's total."""
    return [
        *_passed(decision, counted),
        *(_row(group) for group in counted.groups),
    ]


def offered(decision: d.Decision, counted: t.Tally) -> list[str]:
    """The chosen host and its alternates, named as the attempt names them.

    Nova's answer names hosts, of which several nodes may have been ranked.
    """
    labels = [
        claim.host for claim in decision.claims
        if claim.claimed and claim.server in ('', counted.server)
    ]
    labels += counted.attempt.ranked if counted.attempt else []
    named = []
    for host in decision.chosen.get(counted.server, []):
        label = _labelled(host, labels)
        labels = [other for other in labels if other != label]
        named.append(label)
    return named


def _passed(decision: d.Decision, counted: t.Tally) -> Iterator[Row]:
    """Hosts that passed: taken, offered as alternates, refused, others."""
    if not counted.passed:
        return
    attempt = counted.attempt
    weighers = attempt.weighers if attempt else []
    chosen = offered(decision, counted)
    refused = t.refused(decision, counted.server)
    ranked = attempt.ranked if attempt else []
    verdicts = dict.fromkeys(ranked, PASSED)
    verdicts |= dict.fromkeys(refused, t.REFUSED)
    verdicts |= dict.fromkeys(chosen[decision.wanted:], ALTERNATE)
    verdicts |= dict.fromkeys(chosen[:decision.wanted], CHOSEN)
    best_first = list(dict.fromkeys([*chosen, *refused, *ranked]))
    for host in best_first[:counted.passed]:
        if verdicts[host] == t.REFUSED:
            yield Row(1, [host], 'claim', t.REFUSED, 'taken meanwhile')
        elif counted.passed == 1 and attempt:
            yield Row(1, [host], '', verdicts[host], 'the only one left')
        else:
            yield Row(1, [host], '', verdicts[host], _weight(weighers, host))
    more = counted.passed - len(best_first)
    if more > 0:
        yield Row(more, [], '', PASSED)


def _row(group: t.Group) -> Row:
    verdict = (
        group.kind if group.kind in (t.REFUSED, t.UNTRIED, t.UNKNOWN)
        else REJECTED
    )
    stage = {
        t.ABSENT: 'placement', t.REFUSED: 'claim', 'request': 'request'
    }.get(group.kind, group.stage)
    return Row(
        group.count, sorted(group.hosts), stage, verdict, in_full(group),
        each_in_full(group),
    )


def _labelled(host: str, labels: Iterable[str]) -> str:
    return next(
        (
            label for label in labels
            if label == host or label.startswith(f'{host}/')
        ),
        host,
    )


def _weight(weighers: list[d.Weighing], host: str) -> str:
    parts = weigher_contributions.contributions(weighers, host)
    if not parts:
        return ''
    telling = sorted(
        (part for part in parts if part.amount), key=lambda p: -abs(p.amount)
    )
    total = f'weight {sum(part.amount for part in parts):.4g}'
    listed = ', '.join(
        f'{part.weigher} {part.amount:.4g}' for part in telling[:WEIGHERS]
    )
    return clean(f'{total}: {listed}' if listed else total)
