"""Collect what filters and weighers said of some hosts of a decision."""

from collections.abc import Collection

from nova_ext.core.decision import weigher_contributions
from nova_ext.core.decision.decision import Attempt, Decision, name_host
from nova_ext.journal.replayed import Evidence, HostKey, HostVerdict


def collect(
    decision: Decision, hosts: Collection[HostKey]
) -> list[Evidence]:
    """Return what was said of hosts, for each attempt of a decision.

    :param decision: in full, with the names of all rejected hosts.
    """
    names = {name_host(*key): key for key in hosts}
    return [_collect(attempt, names) for attempt in decision.attempts]


def _collect(attempt: Attempt, names: dict[str, HostKey]) -> Evidence:
    rejected = {
        names[name]: HostVerdict(step.name, step.kind, rejection.reason)
        for step in attempt.steps for rejection in step.rejections
        for name in rejection.hosts if name in names
    }
    weights = {
        key: {
            part.weigher: part.amount
            for part in weigher_contributions.get_contributions(
                attempt.weighers, name
            )
        } for name, key in names.items()
    }
    counts = {
        (step.name, step.kind): step.hosts_in - step.hosts_out
        for step in attempt.steps if step.hosts_in > step.hosts_out
    }
    last = attempt.steps[-1] if attempt.steps else None
    return Evidence(
        attempt.index, rejected,
        {key: parts for key, parts in weights.items() if parts},
        HostVerdict(last.name, last.kind, '') if last and not last.hosts_out
        else None, counts,
    )
