"""Find what would have been, where the record holds it for certain."""

from collections.abc import Iterator, Mapping
from typing import Any

from nova_ext.core.decision.decision import PASSED, PLACED, Attempt, Decision
from nova_ext.core.explanation.host_counts import HostCounts, count_hosts
from nova_ext.core.explanation.text_format import format_hosts, pluralize


def find_counterfactuals(
    decision: Decision, counts: HostCounts
) -> list[str]:
    """Return what would have been without a weigher or filter.

    :param counts: the decision's hosts, with the attempt to explain.
    """
    if counts.attempt is None:
        return []
    if decision.outcome in (PLACED, PASSED):
        return list(_leave_out_weighers(counts.attempt))
    return list(_leave_out_filter(counts.attempt))


def compare(before: Decision, after: Decision) -> str:
    """Return in one sentence what another request would come to.

    :param before: a decision on a request.
    :param after: a simulated decision on a similar request.
    :returns: ``with memory_mb 2048 instead of 4096, 22 of 100 hosts pass``.
    """
    old, new = _flatten(before.request), _flatten(after.request)
    differences = [
        f'{name} {new.get(name, "none")} instead of {old.get(name, "none")}'
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name) and name != 'name'
    ]
    counts = count_hosts(after)
    result = f'{counts.passed} of {pluralize(counts.total, "host")} pass'
    if differences:
        return f'with {", ".join(differences)}, {result}'
    return result


def _flatten(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request by name, with the parts of its flavor."""
    others = {
        name: value for name, value in request.items() if name != 'flavor'
    }
    return others | dict(request.get('flavor', {}))


def _leave_out_weighers(attempt: Attempt) -> Iterator[str]:
    for weighing in attempt.weighers:
        if weighing.without:
            yield (
                f'without {weighing.name} {format_hosts(weighing.without)} '
                f'would have weighed most'
            )


def _leave_out_filter(attempt: Attempt) -> Iterator[str]:
    """Leave out the last filter, if no other comes after it.

    Hosts that an earlier filter rejected never reached the later ones.
    """
    last = attempt.steps[-1] if attempt.steps else None
    if last is None or last.kind != 'filter' or attempt.unasked is None:
        return
    if attempt.unasked:
        yield (
            f'no host was left for {", ".join(attempt.unasked)} to be asked '
            f'about'
        )
    elif last.hosts_out == 0 and last.hosts_in > 0:
        yield (
            f'without {last.name} {pluralize(last.hosts_in, "host")} would '
            f'have passed all filters'
        )
