"""Decisions in the database: put in, found, and thrown away."""

import datetime
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from nova_ext.core.decision import placement_query, second_look
from nova_ext.core.decision.decision import Decision
from nova_ext.decision_database.models import (
    AT_LETTERS,
    ID_LETTERS,
    NAME_LETTERS,
    Finding,
    Line,
    Server,
    Shipped,
)
from nova_ext.record import findings, reader
from nova_ext.record.tail import Place

#: Rows that one statement of a purge takes.
PURGE_ROWS = 1000


def place(session: Session, host: str) -> Place | None:
    """How far a host's record is in the database; None: not begun."""
    shipped = session.get(Shipped, host)
    return Place(shipped.file, shipped.offset) if shipped else None


def ship(
    session: Session, host: str, lines: Iterable[bytes | None], at: Place
) -> int:
    """Put lines of a host's record in, each once, and note how far it is.

    :param lines: as :class:`nova_ext.record.tail.Follower` gives them.
    :param at: the place behind the last of them.
    :returns: how many decisions were new.
    """
    shipped = session.get(Shipped, host) or Shipped(host=host, dropped=0)
    rows: dict[str, Line | Finding] = {}
    for line in lines:
        if line is None:
            continue
        if dropped := reader.DROPPED.fullmatch(line):
            shipped.dropped += int(dropped[1])
        elif row := _row(line):
            rows[row.digest] = row
    for kind in (Line, Finding):
        known = session.scalars(
            sa.select(kind.digest).where(kind.digest.in_(rows))
        ).all()
        for digest in known:
            del rows[digest]
    session.add_all(rows.values())
    shipped.file, shipped.offset = at
    session.add(shipped)
    return sum(isinstance(row, Line) for row in rows.values())


def listed(
    session: Session, *, server: str = '', request: str = '',
    project: str = '', outcome: str = '', before: int = 0, limit: int = 100,
) -> Sequence[Line]:
    """Decisions that match, the newest first.

    :param server: UUID; those that are about it.
    :param before: those that stand behind the one of this id.
    """
    query = sa.select(Line).where(
        *_matching(server, request, project, outcome)
    ).order_by(Line.at.desc(), Line.id.desc())
    if before and (marker := session.get(Line, before)):
        query = query.where(sa.or_(
            Line.at < marker.at,
            sa.and_(Line.at == marker.at, Line.id < marker.id),
        ))
    return session.scalars(query.limit(limit)).all()


def read(session: Session, line: Line) -> Decision:
    """A decision, with what placement answered later about it."""
    decision = stored(line)
    findings.add([decision], _findings(session, decision))
    return decision


def count(session: Session, **wanted: str) -> int:
    """How many decisions match.

    :param wanted: as of :func:`listed`.
    """
    return session.scalar(
        sa.select(sa.func.count(Line.id)).where(*_matching(**wanted))
    ) or 0


def stored(line: Line) -> Decision:
    """A decision as it was recorded."""
    return Decision.from_dict(json.loads(line.body))


def dropped(session: Session) -> int:
    """How many decisions no scheduler could record, since they are shipped.

    When they were made is not stored.
    """
    count = session.scalar(sa.select(sa.func.sum(Shipped.dropped)))
    return int(count or 0)


def purge(session: Session, before: str) -> int:
    """Throw decisions and findings away.

    :param before: those that were made earlier, ISO 8601 in UTC.
    :returns: how many; PURGE_ROWS at most, so that a transaction stays
        short: call it until there are none.
    """
    count = 0
    for kind in (Line, Finding):
        ids = session.scalars(
            sa.select(kind.id).where(kind.at < before).limit(PURGE_ROWS)
        ).all()
        session.execute(sa.delete(kind).where(kind.id.in_(ids)))
        count += len(ids)
    return count


def _matching(
    server: str = '', request: str = '', project: str = '', outcome: str = ''
) -> list[sa.ColumnElement[bool]]:
    found: list[sa.ColumnElement[bool]] = [
        column == value for column, value in (
            (Line.request_id, request), (Line.project_id, project),
            (Line.outcome, outcome),
        ) if value
    ]
    if server:
        found.append(Line.servers.any(Server.uuid == server))
    return found


def _row(line: bytes) -> Line | Finding | None:
    """What is stored of a line; nothing of one that can't be read."""
    digest = hashlib.sha256(line).hexdigest()
    if findings.is_finding(line):
        found = findings.read(line)
        return None if found is None else Finding(
            digest=digest, at=found.at, body=line.decode()
        )
    decision = reader.read(line)
    if decision is None:
        return None
    return Line(
        digest=digest,
        at=decision.at[:AT_LETTERS],
        scheduler=str(decision.by.get('host', ''))[:NAME_LETTERS],
        request_id=decision.request_id[:ID_LETTERS],
        project_id=decision.project_id[:ID_LETTERS],
        outcome=decision.outcome[:ID_LETTERS],
        body=line.decode(),
        servers=[
            Server(uuid=uuid) for uuid in dict.fromkeys(
                server[:ID_LETTERS] for server in decision.servers
            )
        ],
    )


def _findings(session: Session, decision: Decision) -> Iterator[bytes]:
    """Those that may be about a decision."""
    asked = decision.placement.query if decision.placement else ''
    try:
        at = datetime.datetime.fromisoformat(decision.at)
        # The order of such texts is time's.
        begin = (at - second_look.NEAR).isoformat()
        end = (at + second_look.NEAR).isoformat()
    except (ValueError, OverflowError):
        return
    for body in session.scalars(sa.select(Finding.body).where(
        Finding.at.between(begin, end), Finding.body.contains(
            placement_query.shape(asked), autoescape=True
        ),
    )):
        yield body.encode()
