"""Read and change builds, list them by project, and delete old ones.

Who plans a build adds its servers first. All that do so wait for each other,
so that two builds of a project can't take the same last room.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import orm
from sqlalchemy.orm import Session

from nova_ext.core.base.errors import NovaExtError
from nova_ext.zones import states
from nova_ext.zones.tables import held_offers
from nova_ext.zones.tables.items import RECEIVED
from nova_ext.zones.tables.leases import Lease
from nova_ext.zones.tables.models import (
    Build,
    HeldOffer,
    Item,
    PlannedBuild,
    format_now,
)

#: Rows that one statement of a purge takes.
PURGE_ROWS = 500


class TooManyServersError(NovaExtError):
    """Report that a project's builds would have more servers than allowed."""


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


def add_planned(
    session: Session, planned: PlannedBuild, max_servers: int, now: int
) -> None:
    """Add a build that is planned; drop those whose time is over.

    It has to be the first in its transaction.

    :param max_servers: of all builds of the project, this one included.
    :param now: seconds since 1970, UTC.
    :raises TooManyServersError: saying how many the others have.
    """
    held_offers.lock(session)
    session.execute(sa.delete(PlannedBuild).where(PlannedBuild.until <= now))
    others = count_servers(session, planned.project_id, now)
    if others + planned.servers > max_servers:
        raise TooManyServersError(
            f'unfinished builds of the project have {others} servers; with '
            f'{planned.servers} more there would be over {max_servers}; take '
            f'fewer, wait for the others, or delete them'
        )
    session.add(planned)


def count_servers(session: Session, project_id: str, now: int) -> int:
    """Return the servers that a project's builds hold or may still create.

    A build that goes on may create each of its servers that is not ACTIVE.
    Offers that neither a plan nor an item has are those of a process that
    died.

    :param now: seconds since 1970, UTC.
    """
    planned = sa.select(sa.func.sum(PlannedBuild.servers)).where(
        PlannedBuild.project_id == project_id, PlannedBuild.until > now
    )
    other = orm.aliased(Item)
    unfinished = sa.select(Item.build_uuid, Item.number).join(
        Build, Build.uuid == Item.build_uuid
    ).where(
        Build.project_id == project_id, Build.ends_at + states.STALE_S > now,
        sa.or_(
            Item.state.in_(states.OPEN),
            sa.and_(Build.state == states.BUILDING, ~sa.exists().where(
                other.build_uuid == Item.build_uuid,
                other.number == Item.number, other.state == states.ACTIVE,
            )),
        ),
    ).distinct().subquery()
    without_item = sa.select(sa.func.count()).where(
        HeldOffer.build_project == project_id, HeldOffer.until > now,
        ~sa.exists().where(Item.request_id == HeldOffer.request_id),
    )
    # One statement sees a build either as planned or with its items.
    counts = session.execute(sa.select(
        sa.func.coalesce(planned.scalar_subquery(), 0),
        without_item.scalar_subquery(),
        sa.select(sa.func.count()).select_from(unfinished).scalar_subquery(),
    )).one()
    in_plans, loose, in_items = map(int, counts)
    return in_items + max(in_plans, loose)


def add(session: Session, build: Build) -> None:
    """Store a build that was planned, with its items."""
    drop_planned(session, build.uuid)
    session.add(build)


def drop_planned(session: Session, uuid: str) -> None:
    """Drop a build that is planned no longer."""
    session.execute(sa.delete(PlannedBuild).where(PlannedBuild.uuid == uuid))


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
