"""Store builds, and list them by project."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from nova_ext.zones.tables.models import Build, BuildItem, ReceivedItem

#: Rows that one statement of a purge takes.
PURGE_ROWS = 500


def add(
    session: Session, build: Build, items: Sequence[Mapping[str, Any]],
    state: str,
) -> None:
    """Store a build with an item for each of its servers.

    :param items: ``request_id``, ``via``, ``zone``, ``cost``, ``offer`` and
        ``expires_at`` of each, see :class:`BuildItem`; ``via`` is a list. The
        first is of server 1.
    :param state: of the items.
    """
    session.add(build)
    session.flush()
    session.add_all(
        BuildItem(
            **{**item, 'via': json.dumps([*item['via']])},
            key=str(uuid.uuid4()), build_uuid=build.uuid, number=number,
            attempt=1, state=state, server_id=None, reason='', sent_at=None,
            updated_at=build.created_at, owner=None, lease_until=0, epoch=0,
        ) for number, item in enumerate(items, 1)
    )


def list_builds(
    session: Session, project_id: str, limit: int, marker: str = ''
) -> Sequence[Build]:
    """Return the builds of a project, the newest first.

    :param limit: return at most so many.
    :param marker: UUID of the build after which to begin, one of these.
    """
    query = sa.select(Build).where(Build.project_id == project_id)
    if marker and (last := get(session, marker, project_id)):
        query = query.where(sa.or_(
            Build.created_at < last.created_at,
            sa.and_(
                Build.created_at == last.created_at, Build.uuid < last.uuid
            ),
        ))
    return session.scalars(query.order_by(
        Build.created_at.desc(), Build.uuid.desc()
    ).limit(limit)).all()


def get(session: Session, uuid: str, project_id: str) -> Build | None:
    """Return a build of a project; None: there is none of this project."""
    build = session.get(Build, uuid)
    return build if build and build.project_id == project_id else None


def count_items(session: Session, build_uuid: str) -> dict[str, int]:
    """Return numbers of a build's servers by the state of the last attempt."""
    last = (
        sa.select(BuildItem.number, sa.func.max(BuildItem.attempt).label('a'))
        .where(BuildItem.build_uuid == build_uuid)
        .group_by(BuildItem.number).subquery()
    )
    rows = session.execute(
        sa.select(BuildItem.state, sa.func.count())
        .join(last, sa.and_(
            BuildItem.number == last.c.number, BuildItem.attempt == last.c.a
        )).where(BuildItem.build_uuid == build_uuid)
        .group_by(BuildItem.state)
    )
    return {state: count for state, count in rows.tuples()}


def list_items_in_zone(
    session: Session, zone_uuid: str, ended: Sequence[str]
) -> Sequence[BuildItem]:
    """Return items that went by way of a child zone, and are not gone.

    :param ended: states of items of which nothing is left.
    """
    return session.scalars(
        sa.select(BuildItem).where(
            BuildItem.via.like(f'["{zone_uuid}"%'),
            BuildItem.state.not_in(ended),
        ).order_by(BuildItem.build_uuid, BuildItem.number)
    ).all()


def list_known(
    session: Session, ended: Sequence[str]
) -> list[tuple[str, int, int, str | None]]:
    """Return build, number, attempt and server id of items, of all projects.

    :param ended: states of items that are left out.
    """
    return [*session.execute(sa.select(
        BuildItem.build_uuid, BuildItem.number, BuildItem.attempt,
        BuildItem.server_id,
    ).where(BuildItem.state.not_in(ended))).tuples()]


def purge(
    session: Session, before: str, states: Sequence[str],
    ended: Sequence[str],
) -> int:
    """Delete old builds with their items, and old items of parent zones.

    :param before: time before which they changed last, ISO 8601 in UTC.
    :param states: of builds that are deleted, if nothing is left of them.
    :param ended: states of items of which nothing is left.
    :returns: the number deleted, PURGE_ROWS of each at most: call it until it
        is 0.
    """
    is_left = sa.exists().where(
        BuildItem.build_uuid == Build.uuid, BuildItem.state.not_in(ended)
    )
    count = 0
    for key, conditions in (
        (Build.uuid, (
            Build.updated_at < before, Build.state.in_(states), ~is_left
        )),
        (ReceivedItem.key, (
            ReceivedItem.updated_at < before, ReceivedItem.state.in_(ended)
        )),
    ):
        keys = session.scalars(
            sa.select(key).where(*conditions).limit(PURGE_ROWS)
        ).all()
        session.execute(sa.delete(key.class_).where(key.in_(keys)))
        count += len(keys)
    return count
