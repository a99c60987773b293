"""Hold the room of offers, so that no two questions get the same.

Who asks reads what is held, has slots chosen beside it, and adds theirs. The
generation grows with each addition: an addition counts only if there was none
since the reading. Room that is given back or expires meanwhile needs no new
generation: slots that were chosen without it hold all the same.
"""

import dataclasses
import json
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from nova_ext.core.base import plain_data
from nova_ext.core.rpc.offers import HeldRoom
from nova_ext.zones.tables.models import (
    HeldOffer,
    HeldOffersGeneration,
    Item,
)

#: Fields of HeldRoom that have a column of their own.
_COLUMNS = ('host', 'node', 'until')


def read(session: Session, now: int) -> tuple[int, dict[str, HeldRoom]]:
    """Return the generation, and the room that is held, by request id.

    :param now: seconds since 1970, UTC; what expired by then is left out.
    """
    # First, as not every database gives both one view: rows that come in
    # between are seen, and the generation is too old to add any.
    generation = session.scalars(
        sa.select(HeldOffersGeneration.generation)
    ).one()
    rows = session.scalars(sa.select(HeldOffer).where(HeldOffer.until > now))
    return generation, {row.request_id: _to_room(row) for row in rows}


def add(
    session: Session, generation: int, rooms: Iterable[tuple[str, HeldRoom]],
    project_id: str, now: int, build_project: str | None = None,
) -> bool:
    """Add held room, unless others did since the reading; drop what expired.

    It has to be the first in its transaction: its first statement takes the
    lock for which others wait, in SQLite that of all writers.

    :param generation: as it was read.
    :param rooms: each with its request id, which nothing holds.
    :param now: as it was read with.
    :param build_project: see :class:`HeldOffer`.
    :returns: whether it was added.
    """
    taken = session.execute(
        sa.update(HeldOffersGeneration)
        .where(HeldOffersGeneration.generation == generation)
        .values(generation=generation + 1)
    )
    if not taken.rowcount:  # type: ignore[attr-defined]
        return False
    session.execute(sa.delete(HeldOffer).where(HeldOffer.until <= now))
    session.add_all(
        _to_row(request_id, room, project_id, build_project)
        for request_id, room in rooms
    )
    return True


def list_uncounted(
    session: Session, project_id: str, now: int
) -> list[HeldRoom]:
    """Return a project's held room for servers that Nova does not count yet.

    :param now: seconds since 1970, UTC.
    """
    return [*map(_to_room, session.scalars(sa.select(HeldOffer).where(
        HeldOffer.project_id == project_id, HeldOffer.until > now,
        ~sa.exists().where(
            Item.request_id == HeldOffer.request_id,
            Item.child_uuid.is_(None), Item.server_id.is_not(None),
        ),
    )))]


def lock(session: Session) -> None:
    """Have additions to what is held wait for the end of the transaction."""
    session.execute(sa.update(HeldOffersGeneration).values(
        generation=HeldOffersGeneration.generation
    ))


def list_held(session: Session, request_ids: Sequence[str]) -> list[str]:
    """Return those of some request ids that hold room."""
    return [*session.scalars(sa.select(HeldOffer.request_id).where(
        HeldOffer.request_id.in_(request_ids)
    ))]


def give_back(
    session: Session, request_ids: Sequence[str], project_id: str
) -> int:
    """Delete held offers of a project.

    :returns: the number of those that were there.
    """
    # What additions lock first. Otherwise each of the two could hold a row
    # that the other wants to delete.
    lock(session)
    deleted: Any = session.execute(sa.delete(HeldOffer).where(
        HeldOffer.request_id.in_(request_ids),
        HeldOffer.project_id == project_id,
    ))
    return int(deleted.rowcount)


def purge(session: Session, now: int) -> int:
    """Delete what has expired; return how many there were.

    :param now: seconds since 1970, UTC.
    """
    deleted: Any = session.execute(
        sa.delete(HeldOffer).where(HeldOffer.until <= now)
    )
    return int(deleted.rowcount)


def _to_row(
    request_id: str, room: HeldRoom, project_id: str,
    build_project: str | None,
) -> HeldOffer:
    amounts = {
        name: value for name, value in dataclasses.asdict(room).items()
        if name not in _COLUMNS
    }
    return HeldOffer(
        request_id=request_id, amounts=json.dumps(amounts),
        project_id=project_id, build_project=build_project,
        **{name: getattr(room, name) for name in _COLUMNS},
    )


def _to_room(row: HeldOffer) -> HeldRoom:
    return plain_data.load(HeldRoom, {
        **json.loads(row.amounts),
        **{name: getattr(row, name) for name in _COLUMNS},
    })
