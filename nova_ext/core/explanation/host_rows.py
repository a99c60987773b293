"""Build the rows of a table of what became of every host."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from nova_ext.core.decision import weigher_contributions
from nova_ext.core.decision.decision import Decision, Weighing
from nova_ext.core.explanation import host_counts
from nova_ext.core.explanation.group_text import (
    format_host_reasons,
    format_reason,
)
from nova_ext.core.explanation.host_counts import Group, HostCounts
from nova_ext.core.explanation.text_format import sanitize

CHOSEN, ALTERNATE, PASSED = 'chosen', 'alternate', 'passed'
REJECTED = 'rejected'
REFUSED_LATER = 'refused later'
#: Stage and verdict by a group's kind; hosts of steps are rejected there.
_OUTCOMES = {
    host_counts.UNASKED: ('request', REJECTED),
    host_counts.ABSENT: ('placement', REJECTED),
    host_counts.REFUSED: ('claim', host_counts.REFUSED),
    host_counts.UNANSWERED: ('claim', host_counts.UNKNOWN),
    host_counts.FILLED: ('request', REJECTED),
    host_counts.GIVEN_UP: ('claim', host_counts.GIVEN_UP),
    host_counts.UNTRIED: ('', host_counts.UNTRIED),
    host_counts.UNKNOWN: ('', host_counts.UNKNOWN),
    'request': ('request', REJECTED),
}

#: Weighers that a row names, those that added most.
MAX_WEIGHERS = 6


@dataclass
class Row:
    """Represent a host, or hosts that left at one stage for one reason.

    :param hosts: names; there may be fewer than ``count``.
    :param stage: ``placement``, ``claim``, ``request`` or the name of a
        filter or driver; empty for hosts that passed.
    :param verdict: CHOSEN, REFUSED_LATER, ALTERNATE, PASSED, REJECTED, or
        the kind of a group: REFUSED, GIVEN_UP, UNTRIED, UNKNOWN.
    :param reasons: reasons by host, where they differ.
    """

    count: int
    hosts: list[str]
    stage: str
    verdict: str
    reason: str = ''
    reasons: dict[str, str] = field(default_factory=dict)


def build_rows(decision: Decision, counts: HostCounts) -> list[Row]:
    """Return the rows of a table; their counts add up to the total."""
    return [
        *_list_passed(decision, counts),
        *(_build_row(group) for group in counts.groups),
    ]


def get_offered_hosts(decision: Decision, counts: HostCounts) -> list[str]:
    """Return the chosen host and its alternates, named as in the attempt.

    Nova's answer names hosts; several nodes of one may have been ranked.
    """
    labels = [
        claim.host for claim in decision.claims
        if claim.claimed and claim.server in ('', counts.server)
    ]
    labels += counts.attempt.ranked if counts.attempt else []
    offered = []
    for host in decision.chosen.get(counts.server, []):
        label = next((
            label for label in labels
            if label == host or label.startswith(f'{host}/')
        ), host)
        labels = [other for other in labels if other != label]
        offered.append(label)
    return offered


def _list_passed(decision: Decision, counts: HostCounts) -> Iterator[Row]:
    """Yield hosts that passed: chosen, alternates, refused, others."""
    if not counts.passed:
        return
    attempt = counts.attempt
    weighers = attempt.weighers if attempt else []
    offered = get_offered_hosts(decision, counts)
    kinds = {
        host: kind for kind in host_counts.REFUSALS
        for host in host_counts.get_refused_hosts(
            decision, counts.server, kind
        )
    }
    words = {
        host: reason for reason, hosts in host_counts.get_refusals(
            decision, counts.server
        ).items() for host in hosts
    }
    ranked = attempt.ranked if attempt else []
    verdicts = dict.fromkeys(ranked, PASSED) | kinds
    verdicts |= dict.fromkeys(offered[decision.wanted:], ALTERNATE)
    verdicts |= dict.fromkeys(
        offered[:decision.wanted],
        REFUSED_LATER if decision.refused_later else CHOSEN,
    )
    best_first = list(dict.fromkeys([*offered, *kinds, *ranked]))
    # Hosts that filters added are in no count.
    added = {
        host for each in decision.attempts for step in each.steps
        for host in step.added
    }.intersection(best_first)
    for host in best_first[:counts.passed + len(added)]:
        verdict = verdicts[host]
        if reason := host_counts.REFUSALS.get(verdict):
            yield Row(1, [host], *_OUTCOMES[verdict], sanitize(
                words.get(host, reason)
            ))
        elif counts.passed == 1 and attempt:
            yield Row(1, [host], '', verdict, 'the only one left')
        else:
            weight = _format_weight(weighers, host)
            yield Row(1, [host], '', verdict, weight)
    more = counts.passed + len(added) - len(best_first)
    if more > 0:
        yield Row(more, [], '', PASSED)


def _build_row(group: Group) -> Row:
    stage, verdict = _OUTCOMES.get(group.kind, (group.stage, REJECTED))
    return Row(
        group.count, sorted(group.hosts), stage, verdict,
        format_reason(group), format_host_reasons(group),
    )


def _format_weight(weighers: list[Weighing], host: str) -> str:
    parts = weigher_contributions.get_contributions(weighers, host)
    if not parts:
        return ''
    most_first = sorted(
        (part for part in parts if part.amount), key=lambda p: -abs(p.amount)
    )
    total = f'weight {sum(part.amount for part in parts):.4g}'
    listed = ', '.join(
        f'{part.weigher} {part.amount:.4g}'
        for part in most_first[:MAX_WEIGHERS]
    )
    return sanitize(f'{total}: {listed}' if listed else total)
