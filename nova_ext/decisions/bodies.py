"""Read what is stored of decisions, a portion at a time.

A body has 64 KiB at most by default. Whoever may list decisions must not fill
the memory, or keep others waiting.
"""

import datetime
from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from nova_ext.core.decision import placement_diagnosis
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import group_members, refused_destination
from nova_ext.core.request.operation import Operation
from nova_ext.decisions.models import StoredDecision, StoredDiagnosis
from nova_ext.record import diagnoses, line_data

#: Bodies that one statement reads.
PORTION = 8
#: Bytes after which no more is read for one purpose: a tenth of a second's.
MAX_BYTES = 2 * 2 ** 20


def read(
    session: Session, rows: Sequence[StoredDecision]
) -> Iterator[tuple[int, Decision]]:
    """Yield ids and decisions, one after the other, up to MAX_BYTES.

    :param rows: the first of them is always read.
    """
    requests = {row.id: row.request_id for row in rows}
    for number, body in _read_bodies(session, StoredDecision, [*requests]):
        decision = _parse(body)
        _mark_refused(session, requests[number], decision)
        yield number, decision


def load(session: Session, row: StoredDecision) -> Decision:
    """Return a decision, with what placement and its request tell later."""
    decision = _parse(row.body)
    _mark_refused(session, row.request_id, decision)
    diagnoses.attach([decision], _read_diagnoses(session, decision))
    return decision


def list_group(
    session: Session, decision: Decision
) -> tuple[list[Decision], str]:
    """Return decisions on its server group about a decision's time.

    :returns: up to MAX_BYTES of them, and a remark where there are more.
    """
    group = group_members.get_group(decision)
    if not group:
        return [], ''
    try:
        at = datetime.datetime.fromisoformat(decision.at)
        begin, end = (
            (at + sign * group_members.WITHIN).isoformat() for sign in (-1, 1)
        )
    except (ValueError, OverflowError):
        return [], ''
    ids = _list_ids(
        session, StoredDecision.project_id == decision.project_id,
        StoredDecision.at.between(begin, end),
        StoredDecision.body.contains(group, autoescape=True),
    )
    members = list(_read_decisions(session, ids))
    return members, (
        f'{len(members)} of {len(ids)} decisions on the group were read'
        if len(members) < len(ids) else ''
    )


def _mark_refused(
    session: Session, request_id: str, decision: Decision
) -> None:
    """Mark a decision whose host a later one of its request ignores."""
    if not request_id or decision.operation == Operation.FIRST_BOOT.value:
        return
    ids = _list_ids(
        session, StoredDecision.request_id == request_id,
        StoredDecision.body.contains('"ignore_hosts"'),
    )
    refused_destination.mark([decision, *_read_decisions(session, ids)])


def _list_ids(
    session: Session, *conditions: sa.ColumnElement[bool]
) -> Sequence[int]:
    """Return ids of decisions in the order of their times."""
    return session.scalars(
        sa.select(StoredDecision.id).where(*conditions)
        .order_by(StoredDecision.at, StoredDecision.id)
    ).all()


def _read_decisions(
    session: Session, ids: Sequence[int]
) -> Iterator[Decision]:
    for _, body in _read_bodies(session, StoredDecision, ids):
        yield _parse(body)


def _read_diagnoses(session: Session, decision: Decision) -> Iterator[bytes]:
    """Yield the diagnoses that were made shortly before or after."""
    query = decision.placement.query if decision.placement else ''
    try:
        at = datetime.datetime.fromisoformat(decision.at)
        lasted = datetime.timedelta(seconds=decision.seconds)
        # The order of such texts is time's.
        begin = (at - placement_diagnosis.MAX_DISTANCE).isoformat()
        end = (at + lasted + placement_diagnosis.MAX_DISTANCE).isoformat()
    except (ValueError, OverflowError):
        return
    # The first one after the decision at the beginning.
    ids = session.scalars(sa.select(StoredDiagnosis.id).where(
        StoredDiagnosis.at.between(begin, end),
        StoredDiagnosis.body.contains(query, autoescape=True),
    ).order_by(
        StoredDiagnosis.at < decision.at, StoredDiagnosis.at
    )).all()
    for _, body in _read_bodies(session, StoredDiagnosis, ids):
        yield body.encode()


def _read_bodies(
    session: Session, kind: type[StoredDecision] | type[StoredDiagnosis],
    ids: Sequence[int],
) -> Iterator[tuple[int, str]]:
    """Yield ids and bodies, in this order, until they have MAX_BYTES."""
    size = 0
    for first in range(0, len(ids), PORTION):
        portion = ids[first:first + PORTION]
        bodies = dict(session.execute(
            sa.select(kind.id, kind.body).where(kind.id.in_(portion))
        ).tuples().all())
        for number in filter(bodies.__contains__, portion):
            body = bodies.pop(number)
            yield number, body
            size += len(body)
            if size >= MAX_BYTES:
                return


def _parse(body: str) -> Decision:
    return Decision.from_dict(line_data.load(body.encode()))
