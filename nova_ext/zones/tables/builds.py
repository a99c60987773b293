"""Read and change builds, list them by project, and delete old ones."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import orm
from sqlalchemy.orm import Session

from nova_ext.zones import states
from nova_ext.zones.tables.items import RECEIVED
from nova_ext.zones.tables.leases import Lease
from nova_ext.zones.tables.models import Build, Item, format_now

#: Rows that one statement of a purge takes.
PURGE_ROWS = 500


def list_builds(
    session: Session, project_id: str, limit: int, marker: str = ''
) -> Sequence[Build]:
    """Return the builds of a project, the newest first.

    Their requests and reports are not read.

    :param limit: maximum number of builds.
    :param marker: UUID of the build after which to begin, one of these.
    """
    query = sa.select(Build).where(Build.project_id == project_id).options(
        orm.load_only(
            Build.name, Build.project_id, Build.state, Build.count,
            Build.min_count, Build.created_at, Build.updated_at,
        )
    )
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
    """Return a build of a project; None: the project has none with this ID."""
    build = session.get(Build, uuid)
    return build if build and build.project_id == project_id else None


def count_items(
    session: Session, uuids: Collection[str]
) -> dict[str, dict[str, int]]:
    """Return numbers of builds' servers by the state of the last attempt.

    :returns: numbers by state, by build; builds without items are missing.
    """
    last = (
        sa.select(
            Item.build_uuid, Item.number, sa.func.max(Item.attempt).label('a')
        ).where(Item.build_uuid.in_(uuids))
        .group_by(Item.build_uuid, Item.number).subquery()
    )
    rows = session.execute(
        sa.select(Item.build_uuid, Item.state, sa.func.count())
        .join(last, sa.and_(
            Item.build_uuid == last.c.build_uuid,
            Item.number == last.c.number, Item.attempt == last.c.a,
        )).group_by(Item.build_uuid, Item.state)
    )
    counts: dict[str, dict[str, int]] = {}
    for uuid, state, count in rows.tuples():
        counts.setdefault(str(uuid), {})[state] = count
    return counts


def change(
    session: Session, uuid: str, before: Iterable[str],
    lease: Lease | None = None, **values: Any
) -> bool:
    """Change a build that has one of the states ``before``.

    :param lease: which has to hold; None: whoever owns the items.
    :returns: whether it was changed.
    """
    conditions = [sa.exists().where(*lease.held)] if lease else []
    changed: Any = session.execute(
        sa.update(Build).where(
            Build.uuid == uuid, Build.state.in_([*before]), *conditions
        ).values(updated_at=format_now(), **values)
        .execution_options(synchronize_session=False)
    )
    return bool(changed.rowcount)


def purge(session: Session, before: str) -> int:
    """Delete old builds with their items, and old items of parent zones.

    Builds that may have servers left stay, with their items.

    :param before: time before which they changed last, ISO 8601 in UTC.
    :returns: the number deleted, PURGE_ROWS of each at most: call it until it
        is 0.
    """
    is_left = sa.exists().where(
        Item.build_uuid == Build.uuid, Item.state.not_in(states.ENDED)
    )
    count = 0
    for key, conditions in (
        (Build.uuid, (
            Build.updated_at < before,
            Build.state.in_((states.BUILD_FAILED, states.DELETED)), ~is_left,
        )),
        (Item.key, (
            RECEIVED, Item.updated_at < before, Item.state.in_(states.ENDED),
        )),
    ):
        keys = session.scalars(
            sa.select(key).where(*conditions).limit(PURGE_ROWS)
        ).all()
        session.execute(sa.delete(key.class_).where(key.in_(keys)))
        count += len(keys)
    return count
