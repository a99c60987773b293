"""What would have been, where the record tells it for certain."""

from collections.abc import Iterator, Mapping
from typing import Any

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation.text_format import host_names, many


def told(decision: d.Decision, counted: t.Tally) -> list[str]:
    """Sentences about one server of a decision.

    :param counted: the decision's hosts; its attempt is the one meant.
    """
    attempt = counted.attempt
    if attempt is None:
        return []
    if decision.outcome in (d.PLACED, d.PASSED):
        return list(_weighers(attempt))
    return list(_filters(attempt))


def between(before: d.Decision, after: d.Decision) -> str:
    """What another request would come to, in one sentence.

    :param before: a decision on a request.
    :param after: on one like it that was simulated.
    :returns: ``with memory_mb 2048 instead of 4096, 22 of 100 hosts pass``;
        what differs in both requests is told as far as a decision holds it.
    """
    old, new = _flat(before.request), _flat(after.request)
    differences = [
        f'{name} {new.get(name, "none")} instead of {old.get(name, "none")}'
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name) and name != 'name'
    ]
    counted = t.tally(after)
    told = f'{counted.passed} of {many(counted.total, "host")} pass'
    return f'with {", ".join(differences)}, {told}' if differences else told


def _flat(request: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked, by name, the parts of the flavor among them."""
    others = {
        name: value for name, value in request.items() if name != 'flavor'
    }
    return others | dict(request.get('flavor', {}))


def _weighers(attempt: d.Attempt) -> Iterator[str]:
    for weighing in attempt.weighers:
        if weighing.without:
            yield (
                f'without {weighing.name} {host_names(weighing.without)} '
                f'would have weighed most'
            )


def _filters(attempt: d.Attempt) -> Iterator[str]:
    """Of the last filter: what comes after it is known only if nothing does.

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
            f'without {last.name} {many(last.hosts_in, "host")} would have '
            f'passed all filters'
        )
