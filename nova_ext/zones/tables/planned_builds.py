"""Bound the servers that all builds of a project hold or may still create.

Who plans a build adds its servers first. All that do so wait for each other,
so that two builds can't take the same last room.
"""

import sqlalchemy as sa
from sqlalchemy import orm
from sqlalchemy.orm import Session

from nova_ext.core.base.errors import NovaExtError
from nova_ext.zones import states
from nova_ext.zones.tables import held_offers
from nova_ext.zones.tables.models import Build, HeldOffer, Item, PlannedBuild


class TooManyServersError(NovaExtError):
    """Report that a project's builds would have more servers than allowed."""


def add(
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


def drop(session: Session, uuid: str) -> None:
    """Drop a build that is planned no longer."""
    session.execute(sa.delete(PlannedBuild).where(PlannedBuild.uuid == uuid))
