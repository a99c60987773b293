"""Keep items that parent zones have sent, by key and project."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from oslo_db import exception as db_exc
from sqlalchemy.orm import Session

from nova_ext.zones.tables.models import ReceivedItem


def add(session: Session, values: Mapping[str, Any]) -> bool:
    """Write an item down; say whether its key was new."""
    session.add(ReceivedItem(**values))
    try:
        session.flush()
    except db_exc.DBDuplicateEntry:
        session.rollback()
        return False
    return True


def find(session: Session, key: str) -> ReceivedItem | None:
    """Return an item; it can be read after the session."""
    row = session.get(ReceivedItem, key)
    session.expunge_all()
    return row


def list_of_build(
    session: Session, build_uuid: str, project_id: str
) -> Sequence[ReceivedItem]:
    """Return a build's items; they can be read after the session."""
    rows = session.scalars(sa.select(ReceivedItem).where(
        ReceivedItem.build_uuid == build_uuid,
        ReceivedItem.project_id == project_id,
    ).order_by(ReceivedItem.key)).all()
    session.expunge_all()
    return rows


def change(
    session: Session, key: str, before: Iterable[str], now: str, **values: Any
) -> bool:
    """Change an item if its state is one of these; say whether it was."""
    changed: Any = session.execute(
        sa.update(ReceivedItem).where(
            ReceivedItem.key == key, ReceivedItem.state.in_([*before])
        ).values(updated_at=now, **values)
        .execution_options(synchronize_session=False)
    )
    return bool(changed.rowcount)


def list_open(
    session: Session, child_uuid: str, ended: Sequence[str]
) -> Sequence[ReceivedItem]:
    """Return items that were passed on to a child zone, and are not gone.

    :param ended: states of those that are.
    """
    return session.scalars(
        sa.select(ReceivedItem).where(
            ReceivedItem.child_uuid == child_uuid,
            ReceivedItem.state.not_in(ended),
        ).order_by(ReceivedItem.build_uuid, ReceivedItem.key)
    ).all()
