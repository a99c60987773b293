"""Find what the hosts lack that placement leaves out.

Placement is asked for each demand alone. A host that is in the answer to none
of them lacks them all. What it answers holds for the time when it is asked,
and is told of a decision beside what that decision saw.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as d
from nova_ext.core.decision.placement_query import Demand

#: Time after a decision in which placement's answer is told of it.
MAX_DISTANCE = timedelta(minutes=5)
#: Groups of hosts that a diagnosis names; the others are one group.
MAX_GROUPS = 20
#: Names of hosts that it holds: 75 KB of 25 letters each.
MAX_NAMES = 3000

#: What a host lacks that is in every answer.
NOTHING_ALONE = 'lacks nothing of what was asked for alone'
NO_PROVIDER = 'has no resource provider'
OTHER_LACKS = 'lacks other things'
SEVERAL_NODES = 'has nodes that lack different things'
CUT_OFF = 'is cut off by max_placement_results'

#: Joins the two reasons where it is not known which is a host's.
OR_CUT_OFF = ' or cut off by max_placement_results '

_LIMIT = re.compile(r'(?:^|&)limit=(\d+)')


def list_lacks(
    roots: Collection[str], met: Iterable[tuple[Demand, Collection[str]]],
    names: Mapping[str, str],
) -> dict[str, list[str]]:
    """Return what each provider tree lacks.

    :param roots: root providers.
    :param met: each demand, with the roots of the trees that meet it.
    :param names: names of aggregates by UUID.
    :returns: clauses in the order of the demands, by root.
    """
    lacks: dict[str, list[str]] = {root: [] for root in roots}
    for demand, meeting in met:
        clause = demand.describe_lack(names)
        for root in lacks.keys() - set(meeting):
            lacks[root].append(clause)
    return lacks


def group_hosts(
    hosts: Mapping[str, Collection[str]], offered: Collection[str],
    lacks: Mapping[str, list[str]], cut_off: Collection[str] = (),
    limit: int = 0,
) -> list[d.LeftOut]:
    """Group the hosts that placement left out by all that they lack.

    :param hosts: the root providers of each host.
    :param offered: roots that placement offered.
    :param lacks: of all other roots that placement has.
    :param cut_off: roots that only ``limit`` kept out.
    :returns: each host once, the largest group first.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for host, roots in sorted(hosts.items()):
        if not set(roots) & set(offered):
            clauses = _list_clauses(roots, lacks, cut_off, limit)
            groups.setdefault(clauses, []).append(host)
    largest = sorted(groups.items(), key=lambda item: -len(item[1]))
    left_out, names = [], MAX_NAMES
    for clauses, members in largest[:MAX_GROUPS]:
        left_out.append(
            d.LeftOut(list(clauses), len(members), members[:names])
        )
        names -= len(left_out[-1].hosts)
    if others := sum(len(members) for _, members in largest[MAX_GROUPS:]):
        left_out.append(d.LeftOut([OTHER_LACKS], others))
    return left_out


def describe_inventory(
    demand: Demand, inventory: Mapping[str, float] | None
) -> str:
    """Return how much of a resource a provider gives, as far as it is clear.

    :param inventory: the provider's, of the demand's resource class.
    :returns: ``VCPU 200, at most 128 a server``, for example.
    """
    name, amount = demand.resource
    if not name or inventory is None:
        return ''
    capacity = int(
        (inventory['total'] - inventory['reserved'])
        * inventory['allocation_ratio']
    )
    if amount > inventory['max_unit']:
        limit = f'at most {inventory["max_unit"]} a server'
    elif amount < inventory['min_unit']:
        limit = f'at least {inventory["min_unit"]} a server'
    elif amount % inventory['step_size']:
        limit = f'in steps of {inventory["step_size"]}'
    elif amount > capacity:
        limit = f'{capacity} in all'
    else:
        limit = f'too much of {capacity} is used'
    return f'{name} {amount}, {limit} there'


def digest_roots(roots: Iterable[str]) -> str:
    """Return a digest of root providers."""
    text = ','.join(sorted(roots))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def get_reached_limit(placement: d.Placement | None) -> int:
    """Return the limit that placement's answer reached; 0: none."""
    limit = _LIMIT.search(placement.query) if placement else None
    if placement is None or limit is None:
        return 0
    # Each of two answers has the limit to itself.
    second = placement.fallback or 0
    offered = max(placement.requests - second, second) or placement.candidates
    return int(limit[1]) if offered >= int(limit[1]) else 0


def needs_diagnosis(decision: d.Decision) -> bool:
    """Say whether to ask placement about a decision.

    True of a failure where it left hosts out. Where it was asked twice, for
    pinned processors, its two answers can't be told apart.
    """
    placement = decision.placement
    left_out = [decision.absent, *decision.kept_out]
    return (
        placement is not None and placement.answered
        and placement.offered != '' and placement.fallback is None
        and decision.outcome not in (d.PLACED, d.PASSED)
        and decision.by.get('mode') == Mode.SCHEDULER
        and any(group is not None and group.count > 0 for group in left_out)
    )


def applies_to(
    diagnosis: d.PlacementDiagnosis, decision: d.Decision
) -> bool:
    """Say whether a diagnosis was made after a decision with its query.

    Only the clock that both have tells it.
    """
    placement = decision.placement
    return (
        placement is not None and placement.query == diagnosis.query
        and diagnosis.offered != ''
        and diagnosis.scheduler == decision.by.get('host')
        and timedelta(0) <= get_distance(diagnosis, decision) <= MAX_DISTANCE
    )


def get_distance(
    diagnosis: d.PlacementDiagnosis, decision: d.Decision
) -> timedelta:
    """Return the time from a decision's end to a diagnosis.

    :returns: the longest timedelta where either has no time.
    """
    try:
        # The scheduler measures in milliseconds.
        lasted = timedelta(milliseconds=int(decision.seconds * 1000))
        end = _parse_time(decision.at) + lasted
        return _parse_time(diagnosis.at) - end
    except (ValueError, OverflowError):
        return timedelta.max


def add_diagnosis(
    decision: d.Decision, diagnosis: d.PlacementDiagnosis
) -> None:
    """Add a diagnosis to a decision.

    Where the roots that were offered differ, keep only that they do.
    """
    placement = decision.placement
    if placement is None or placement.offered != diagnosis.offered:
        diagnosis = d.PlacementDiagnosis(
            diagnosis.at, diagnosis.query, diagnosis.scheduler,
            diagnosis.offered, changed=True,
        )
    after = get_distance(diagnosis, decision)
    decision.asked_again = replace(diagnosis, after_s=after.total_seconds())


def redact(diagnosis: d.PlacementDiagnosis) -> d.PlacementDiagnosis:
    """Return the resources and traits that hosts lack, without counts."""
    lacks = dict.fromkeys(
        clause for group in diagnosis.left_out for clause in group.lacks
        if clause.startswith('lacks ')
        and clause not in (NOTHING_ALONE, OTHER_LACKS)
    )
    return d.PlacementDiagnosis(
        diagnosis.at, '', changed=diagnosis.changed,
        left_out=[d.LeftOut([clause]) for clause in lacks],
        after_s=diagnosis.after_s,
    )


def _list_clauses(
    roots: Collection[str], lacks: Mapping[str, list[str]],
    cut_off: Collection[str], limit: int,
) -> tuple[str, ...]:
    """Return what a host lacks, all of whose nodes were left out."""
    if set(roots) & set(cut_off):
        return (f'{CUT_OFF} {limit}',)
    of_nodes = {tuple(lacks[root]) for root in roots if root in lacks}
    if not of_nodes:
        return (NO_PROVIDER,)
    if len(of_nodes) > 1:
        return (SEVERAL_NODES,)
    return of_nodes.pop() or (NOTHING_ALONE,)


def _parse_time(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
