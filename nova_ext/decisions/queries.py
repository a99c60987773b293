"""Put decisions into the database, find them, and purge them."""

import datetime
import hashlib
import heapq
import operator
import re
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from nova_ext.core.decision import written_order
from nova_ext.database.columns import AT_LETTERS, ID_LETTERS, NAME_LETTERS
from nova_ext.decisions.models import (
    Server,
    Shipped,
    StoredDecision,
    StoredDiagnosis,
    StoredShadowReport,
)
from nova_ext.record import diagnoses, line_data, reader
from nova_ext.record.tail import Place

#: Rows that one statement of a purge takes.
PURGE_ROWS = 1000

#: No id has them, and a collation may take one for another.
_NO_ASCII = re.compile('[^ -~]')


def get_place(session: Session, host: str) -> Place | None:
    """Return the end of the shipped part of a record; None: none is."""
    shipped = session.get(Shipped, host)
    return Place(shipped.file, shipped.offset) if shipped else None


def ship(
    session: Session, host: str, lines: Iterable[bytes | None], at: Place
) -> int:
    """Store lines of a host's record, each once, and the place behind them.

    :param lines: as :class:`nova_ext.record.tail.Follower` gives them.
    :param at: the place behind the last of them.
    :returns: the number of new decisions.
    """
    shipped = session.get(Shipped, host) or Shipped(host=host, dropped=0)
    rows: dict[str, StoredDecision | StoredDiagnosis] = {}
    for line in lines:
        if line is None:
            continue
        if dropped := reader.DROPPED.fullmatch(line):
            shipped.dropped += int(dropped[1])
        elif row := _to_row(line):
            rows[row.digest] = row
    for kind in (StoredDecision, StoredDiagnosis):
        known = session.scalars(
            sa.select(kind.digest).where(kind.digest.in_(rows))
        ).all()
        for digest in known:
            del rows[digest]
    session.add_all(rows.values())
    shipped.file, shipped.offset = at
    session.add(shipped)
    return sum(isinstance(row, StoredDecision) for row in rows.values())


def find(
    session: Session, *, server: str = '', request: str = '',
    project: str = '', outcome: str = '', before: int = 0, limit: int = 100,
) -> Sequence[StoredDecision]:
    """Return the decisions that match, the newest first.

    :param server: UUID of a server that they are about.
    :param before: id of a decision; those that follow it in this order.
    """
    return session.scalars(
        sa.select(StoredDecision).where(
            *_matching(server, request, project, outcome),
            *_following(session, before),
        ).order_by(StoredDecision.at.desc(), StoredDecision.id.desc())
        .limit(limit)
    ).all()


def _following(session: Session, before: int) -> list[Any]:
    """Return the conditions of what follows a decision; 0: of all."""
    marker = session.get(StoredDecision, before) if before else None
    if marker is None:
        return []
    return [sa.or_(
        StoredDecision.at < marker.at, sa.and_(
            StoredDecision.at == marker.at, StoredDecision.id < marker.id
        ),
    )]


def find_in_order(
    session: Session, *, server: str = '', request: str = '',
    project: str = '',
) -> tuple[list[StoredDecision], list[str]]:
    """Return the decisions that match, the newest first, and notes on clocks.

    Those of one scheduler stand in the order in which it wrote them, even if
    its clock was set meanwhile. Between schedulers their times decide.

    :param server: this and the others are as of :func:`find`.
    """
    matching = find(session, server=server, request=request, project=project)
    written: dict[str, list[StoredDecision]] = {}
    for row in sorted(matching, key=operator.attrgetter('id')):
        written.setdefault(row.scheduler, []).append(row)
    orders = list(map(written_order.sort_written, written.values()))
    rows = list(heapq.merge(
        *(reversed(order) for order in orders),
        key=operator.attrgetter('at'), reverse=True,
    ))
    return rows, written_order.note_clocks(orders, rows[0]) if rows else []


def count(session: Session, **wanted: str) -> int:
    """Count the decisions that match.

    :param wanted: as of :func:`find`.
    """
    return count_following(session, 0, **wanted)


def count_following(session: Session, before: int, **wanted: str) -> int:
    """Count the decisions that match and follow another one.

    :param before: this and the others are as of :func:`find`.
    """
    return session.scalar(
        sa.select(sa.func.count(StoredDecision.id)).where(
            *_matching(**wanted), *_following(session, before)
        )
    ) or 0


def count_dropped(session: Session) -> int:
    """Count the decisions of all time that could not be recorded."""
    return int(session.scalar(sa.select(sa.func.sum(Shipped.dropped))) or 0)


def purge(session: Session, before: datetime.datetime) -> int:
    """Delete old decisions, diagnoses and shadows' reports.

    :param before: time before which they were made, in UTC.
    :returns: the number deleted, PURGE_ROWS of each at most, so that a
        transaction stays short: call it until it is 0.
    """
    count = 0
    for kind in (StoredDecision, StoredDiagnosis, StoredShadowReport):
        ids = session.scalars(
            sa.select(kind.id).where(
                kind.at < before.isoformat()
            ).limit(PURGE_ROWS)
        ).all()
        session.execute(sa.delete(kind).where(kind.id.in_(ids)))
        count += len(ids)
    return count


def _matching(
    server: str = '', request: str = '', project: str = '', outcome: str = ''
) -> list[sa.ColumnElement[bool]]:
    conditions: list[sa.ColumnElement[bool]] = [
        column == value for column, value in (
            (StoredDecision.request_id, _fit(request, ID_LETTERS)),
            (StoredDecision.project_id, project),
            (StoredDecision.outcome, outcome),
        ) if value
    ]
    if server:
        conditions.append(
            StoredDecision.servers.any(Server.uuid == _to_uuid(server))
        )
    return conditions


def _to_row(line: bytes) -> StoredDecision | StoredDiagnosis | None:
    """Return the row of a line; None for a line that can't be parsed."""
    digest = hashlib.sha256(line).hexdigest()
    if diagnoses.is_diagnosis(line):
        diagnosis = diagnoses.parse(line)
        return None if diagnosis is None else StoredDiagnosis(
            digest=digest, at=_fit(diagnosis.at, AT_LETTERS),
            body=line_data.decode(line),
        )
    decision = reader.parse(line)
    if decision is None:
        return None
    return StoredDecision(
        digest=digest,
        at=_fit(decision.at, AT_LETTERS),
        scheduler=_fit(str(decision.by.get('host', '')), NAME_LETTERS),
        request_id=_fit(decision.request_id, ID_LETTERS),
        project_id=_fit(decision.project_id, ID_LETTERS),
        outcome=_fit(decision.outcome, ID_LETTERS),
        body=line_data.decode(line),
        servers=[
            Server(uuid=uuid)
            for uuid in dict.fromkeys(map(_to_uuid, decision.servers))
        ],
    )


def _fit(text: str, letters: int) -> str:
    """Return what a column takes of a text."""
    return _NO_ASCII.sub('\N{REPLACEMENT CHARACTER}', text[:letters])


def _to_uuid(server: str) -> str:
    """Return what is stored of a server's id.

    Ids that a collation may take for the same are the same.
    """
    return _fit(server, ID_LETTERS).lower().rstrip()
