"""Tell what placement answers later of the decisions that it is about.

It holds for the time when placement is asked, and stands beside what a
decision saw.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import (
    Decision,
    LeftOut,
    Placement,
    PlacementDiagnosis,
)
from nova_ext.core.decision.left_out_hosts import (
    NOTHING_ALONE,
    NOTHING_OF_ONE,
    OTHER_LACKS,
)
from nova_ext.core.decision.placement_answer import (
    can_diagnose,
    needs_diagnosis,
)

#: Time after a decision in which placement's answer is told of it.
MAX_DISTANCE = timedelta(minutes=5)
#: Within this time after a decision, placement is taken to be unchanged.
RIGHT_AFTER = timedelta(seconds=10)
MAY_HAVE_CHANGED = 'has changed in placement since, or may have'
#: Joins the two reasons where it is not known which is a host's.
OR_CUT_OFF = ' or cut off by max_placement_results '
NOT_ASKED = 'placement was not asked what the hosts lack that it left out'


def applies_to(
    diagnosis: PlacementDiagnosis, decision: Decision
) -> bool:
    """Say whether a diagnosis was made after a decision with its query.

    Only the clock that both have tells it.
    """
    distance = get_distance(diagnosis, decision)
    return _is_alike(diagnosis, decision) and (
        timedelta(0) <= distance <= MAX_DISTANCE
    )


def precedes(
    diagnosis: PlacementDiagnosis, decision: Decision
) -> bool:
    """Say whether a diagnosis of a decision's query was made before it."""
    return _is_alike(diagnosis, decision) and (
        -MAX_DISTANCE <= get_distance(diagnosis, decision) < timedelta(0)
    )


def _is_alike(
    diagnosis: PlacementDiagnosis, decision: Decision
) -> bool:
    placement = decision.placement
    return (
        placement is not None and placement.query == diagnosis.query
        and diagnosis.offered != ''
        and diagnosis.scheduler == decision.by.get('host')
    )


def get_distance(
    diagnosis: PlacementDiagnosis, decision: Decision
) -> timedelta:
    """Return the time from a decision's end to a diagnosis.

    :returns: the longest timedelta where either has no time.
    """
    try:
        return parse_time(diagnosis.at) - _get_end(decision)
    except (ValueError, OverflowError):
        return timedelta.max


def add_diagnosis(
    decision: Decision, diagnosis: PlacementDiagnosis,
    before: PlacementDiagnosis | None = None,
) -> None:
    """Add a diagnosis to a decision.

    Where the roots that were offered differ, keep only that they do. Of one
    that was not made right after the decision, keep the hosts that had the
    same generations before it.

    :param before: the last diagnosis of the query before the decision.
    """
    placement = decision.placement
    after = get_distance(diagnosis, decision)
    if placement is None or placement.offered != diagnosis.offered:
        left_out = []
    elif after <= RIGHT_AFTER:
        left_out = diagnosis.left_out
    else:
        left_out = _keep_unchanged(diagnosis, before)
    if not left_out and (diagnosis.left_out or after > RIGHT_AFTER or (
        placement is None or placement.offered != diagnosis.offered
    )):
        diagnosis = PlacementDiagnosis(
            diagnosis.at, diagnosis.query, diagnosis.scheduler,
            diagnosis.offered, changed=True,
        )
    else:
        diagnosis = replace(diagnosis, left_out=left_out)
    decision.asked_again = replace(diagnosis, after_s=after.total_seconds())


def _keep_unchanged(
    diagnosis: PlacementDiagnosis, before: PlacementDiagnosis | None
) -> list[LeftOut]:
    """Return the hosts that no change reached from one diagnosis to the next.

    :returns: the groups, with the others in one; none where all changed.
    """
    known = {
        host: generation for group in (before.left_out if before else ())
        for host, generation in zip(
            group.hosts, group.generations, strict=False
        )
    }
    kept, others = [], 0
    for group in diagnosis.left_out:
        hosts = [
            host for host, generation in zip(
                group.hosts, group.generations, strict=False
            ) if known.get(host) == generation
        ]
        if hosts:
            kept.append(LeftOut(group.lacks, len(hosts), hosts))
        others += group.count - len(hosts)
    if kept and others:
        kept.append(LeftOut([MAY_HAVE_CHANGED], others))
    return kept


def diagnose_past(
    decision: Decision,
    ask: Callable[[Placement, datetime], PlacementDiagnosis | None],
) -> str:
    """Ask placement now about a decision, unless it was asked by then.

    :param ask: asks for the diagnosis of a decision's query, made after the
        decision's end; returns None where it is not to be had.
    :returns: a note why nothing more is told; empty where there is no need.
    """
    placement = decision.placement
    if placement is None or decision.asked_again or not can_diagnose(decision):
        return ''
    try:
        diagnosis = ask(placement, _get_end(decision))
    except (NovaExtError, ValueError, OverflowError) as error:
        return f'{NOT_ASKED}: {error}'
    if diagnosis is None or get_distance(diagnosis, decision) < timedelta(0):
        # Of a failure, the explanation says so itself.
        return '' if needs_diagnosis(decision) else NOT_ASKED
    add_diagnosis(decision, diagnosis)
    return ''


def redact(diagnosis: PlacementDiagnosis) -> PlacementDiagnosis:
    """Return the resources and traits that all hosts lack, without counts."""
    groups = [group.lacks for group in diagnosis.left_out]
    lacks = [
        clause for clause in (groups[0] if groups else ())
        if clause.startswith('lacks ')
        and clause not in (NOTHING_ALONE, NOTHING_OF_ONE, OTHER_LACKS)
        and all(clause in group for group in groups)
    ]
    return PlacementDiagnosis(
        diagnosis.at, '', changed=diagnosis.changed,
        left_out=[LeftOut(lacks)] if lacks else [],
        after_s=diagnosis.after_s,
    )


def _get_end(decision: Decision) -> datetime:
    """Return when a decision ended, in UTC.

    :raises ValueError: it has no time.
    :raises OverflowError: the end is beyond the times that there are.
    """
    # The scheduler measures in milliseconds.
    lasted = timedelta(milliseconds=int(decision.seconds * 1000))
    return parse_time(decision.at) + lasted


def parse_time(text: str) -> datetime:
    """Return a time that a scheduler wrote, in UTC.

    :raises ValueError: for a text that is none.
    """
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
