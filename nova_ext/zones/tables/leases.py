"""Share builds among builders by leases.

A builder takes all items of a build together, and owns them until their lease
is over. Each taking raises their epoch. Everything that it writes has owner
and epoch as a condition: a builder that was stopped, and goes on after another
has taken over, writes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from nova_ext.zones import states
from nova_ext.zones.tables.models import Build, Item

_OF_BUILD = Item.build_uuid == Build.uuid


@dataclass(frozen=True)
class Lease:
    """Represent the ownership of a build's items.

    :param owner: of the builder, another one each time it starts.
    """

    build_uuid: str
    owner: str
    epoch: int

    @property
    def held(self) -> tuple[Any, ...]:
        """Return the conditions of a change of an item."""
        return (
            Item.build_uuid == self.build_uuid, Item.owner == self.owner,
            Item.epoch == self.epoch,
        )


def find_waiting(
    session: Session, now: int, counts: Mapping[str, int]
) -> tuple[str, str] | None:
    """Return UUID and project of the next build that nobody works on, if any.

    It is the oldest of the project with the fewest builds in hand, so that
    one project's builds don't keep those of others waiting.

    :param now: seconds since 1970, UTC.
    :param counts: numbers of builds in hand by project; others have none.
    """
    free = sa.exists().where(_OF_BUILD, Item.lease_until <= now)
    open_item = sa.exists().where(_OF_BUILD, sa.or_(
        Item.state == states.UNDO,
        sa.and_(
            Item.state.in_(states.OPEN), Build.ends_at + states.STALE_S > now
        ),
        sa.and_(Item.reason == states.LOST, Build.ends_at > now),
    ))
    row = session.execute(
        sa.select(Build.uuid, Build.project_id).where(
            free, sa.or_(Build.state.in_(states.WORKED_ON), open_item)
        ).order_by(
            *([sa.case({**counts}, value=Build.project_id, else_=0)]
              if counts else ()),
            Build.created_at,
        ).limit(1)
    ).first()
    return None if row is None else (row.uuid, row.project_id)


def list_trusts(session: Session, now: int) -> list[tuple[str, str]]:
    """Return builds that are over, and their trusts that nothing needs.

    :param now: seconds since 1970, UTC.
    """
    rows = session.execute(
        sa.select(Build.uuid, Build.trust_id).where(
            Build.trust_id.is_not(None),
            Build.state.not_in(states.WORKED_ON),
            ~sa.exists().where(_OF_BUILD, sa.or_(
                Item.state.in_(states.OPEN),
                sa.and_(Item.reason == states.LOST, Build.ends_at > now),
            )),
        )
    )
    return [(uuid, trust_id) for uuid, trust_id in rows.tuples() if trust_id]


def take(
    session: Session, build_uuid: str, owner: str, now: int, until: int
) -> Lease | None:
    """Take a build's items, unless another builder owns them.

    It has to be the first in its transaction.

    :param until: when the lease is over, in seconds since 1970, UTC.
    """
    taken: Any = session.execute(
        sa.update(Item).where(
            Item.build_uuid == build_uuid, Item.lease_until <= now
        ).values(owner=owner, lease_until=until, epoch=Item.epoch + 1)
    )
    if not taken.rowcount:
        return None
    return Lease(build_uuid, owner, session.scalars(
        sa.select(sa.func.max(Item.epoch)).where(Item.build_uuid == build_uuid)
    ).one())


def extend(session: Session, lease: Lease, until: int) -> bool:
    """Extend a lease; return whether it still held.

    :param until: 0: others need not wait for its end.
    """
    extended: Any = session.execute(
        sa.update(Item).where(*lease.held).values(lease_until=until)
    )
    return bool(extended.rowcount)


def read(session: Session, build_uuid: str) -> tuple[Build | None, list[Item]]:
    """Return a build and its items, by number and attempt.

    They can be read after the session.
    """
    build = session.get(Build, build_uuid)
    items = [*session.scalars(
        sa.select(Item).where(Item.build_uuid == build_uuid)
        .order_by(Item.number, Item.attempt)
    )]
    session.expunge_all()
    for item in items:
        item.request = build and build.request
    return build, items


def add_attempts(
    session: Session, lease: Lease, now: int, until: int,
    items: Sequence[Item],
) -> bool:
    """Add further attempts, owned alike; return whether the lease still held.

    It has to be the first in its transaction.
    """
    held: Any = session.execute(
        sa.update(Item).where(*lease.held, Item.lease_until > now)
        .values(lease_until=until)
    )
    if not held.rowcount:
        return False
    for item in items:
        item.owner, item.epoch = lease.owner, lease.epoch
        item.lease_until = until
    session.add_all(items)
    session.flush()
    return True
