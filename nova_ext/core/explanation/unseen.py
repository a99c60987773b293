"""Say what a stock nova-scheduler does not show to its filters.

Placement's answer, refused claims and a draw are not in its record. Each note
says in one line what was not seen, and where to look.
"""

from collections.abc import Iterator

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import weigher_contributions
from nova_ext.core.decision.decision import Attempt, Decision
from nova_ext.core.explanation.host_counts import HostCounts
from nova_ext.core.explanation.text_format import format_hosts

#: Weights that differ by less are equal: they are sums.
_SLACK = 1e-9


def note_unseen(
    decision: Decision, counts: HostCounts, *, hosts: bool
) -> Iterator[str]:
    """Yield notes on what was not seen of a decision.

    :param counts: the decision's hosts, with the attempt to explain.
    :param hosts: whether the reader is an operator, who may see hosts.
    """
    if decision.by.get('mode') != Mode.PLUGIN or decision.is_from_log:
        return
    if decision.unseen_filters:
        yield (
            f'not seen: what {", ".join(decision.unseen_filters)} did; it '
            f'takes nova-ext\'s line of available_filters, and classes '
            f'derived from Nova\'s BaseHostFilter'
        )
    attempt = counts.attempt
    if decision.claims_unseen:
        if attempt is not None and attempt.ranked_count:
            yield (
                'not seen: which claims placement refused; nova-scheduler '
                'logs each as "Failed to save allocation for" the server, '
                'nova-ext-scheduler records them'
            )
        if decision.absent is not None and decision.absent.count:
            yield (
                'not seen: why hosts did not reach the filters, such as '
                'placement or an availability zone; nova-ext simulate asks '
                'the same once more, nova-ext-scheduler records it'
            )
    elif hosts and attempt is not None:
        yield from _note_heavier(decision, counts, attempt)


def _note_heavier(
    decision: Decision, counts: HostCounts, attempt: Attempt
) -> Iterator[str]:
    """Name hosts that weighed more than the one that was taken."""
    taken = [
        claim.host for claim in decision.claims
        if claim.server == counts.server
    ][:1]
    weights = {
        host: sum(part.amount for part in parts)
        for host in [*attempt.ranked, *taken]
        if (parts := weigher_contributions.get_contributions(
            attempt.weighers, host
        ))
    }
    if not taken or taken[0] not in weights:
        return
    heavier = [
        host for host, weight in weights.items()
        if weight > weights[taken[0]] + _SLACK
    ]
    if heavier:
        yield (
            f'not seen: why {taken[0]} was taken though '
            f'{format_hosts(heavier)} weighed more; placement may have '
            f'refused a claim, or Nova drew from host_subset_size hosts'
        )
