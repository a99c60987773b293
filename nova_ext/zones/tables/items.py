"""Read and change items, those of this zone's builds and received ones.

A change of an item names the states that it may have before. Of two who change
it at one time, only the first does.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from oslo_db import exception as db_exc
from sqlalchemy import orm
from sqlalchemy.orm import Session

from nova_ext.zones import states
from nova_ext.zones.tables.models import Item, format_now

#: Condition of items that a parent zone has sent.
RECEIVED = Item.build_uuid.is_(None)


def add(session: Session, item: Item) -> bool:
    """Store a received item; return whether its key was new."""
    session.add(item)
    try:
        session.flush()
    except db_exc.DBDuplicateEntry:
        session.rollback()
        return False
    return True


def find(session: Session, key: str) -> Item | None:
    """Return a received item; it can be read after the session."""
    item = session.scalar(sa.select(Item).where(Item.key == key, RECEIVED))
    session.expunge_all()
    return item


def list_of_build(
    session: Session, build: str, project_id: str
) -> Sequence[Item]:
    """Return received items; they can be read after the session.

    Requests are read of those alone that may be put again.
    """
    query = sa.select(Item).where(
        Item.build == build, Item.project_id == project_id, RECEIVED
    )
    is_unanswered = Item.state.in_(states.UNANSWERED)
    items = [
        *session.scalars(query.where(is_unanswered)),
        *session.scalars(query.where(~is_unanswered).options(
            orm.defer(Item.request, raiseload=True)
        )),
    ]
    session.expunge_all()
    return items


def change(
    session: Session, key: str, before: Iterable[str], *conditions: Any,
    **values: Any
) -> bool:
    """Change an item that has one of the states ``before``.

    :param conditions: further ones, of SQLAlchemy.
    :returns: whether it was changed.
    """
    changed: Any = session.execute(
        sa.update(Item).where(
            Item.key == key, Item.state.in_([*before]), *conditions
        ).values(updated_at=format_now(), **values)
        .execution_options(synchronize_session=False)
    )
    return bool(changed.rowcount)


def list_in_zone(session: Session, zone_uuid: str) -> Sequence[Item]:
    """Return items that a child zone was or will be sent, and that are left.

    They are of this zone's builds, and of parent zones.
    """
    return session.scalars(
        sa.select(Item).where(
            Item.child_uuid == zone_uuid, Item.state.not_in(states.ENDED)
        ).options(orm.defer(Item.request, raiseload=True)).order_by(
            RECEIVED, Item.build, Item.number, Item.key
        )
    ).all()


def list_known(session: Session) -> list[tuple[str, str | None]]:
    """Return tag and server ID of each item of this zone's builds."""
    return [*session.execute(sa.select(Item.tag, Item.server_id).where(
        Item.build_uuid.is_not(None), Item.state.not_in(states.ENDED)
    )).tuples()]
