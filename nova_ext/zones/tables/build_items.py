"""Share builds among builders by leases, and change items by compare and set.

A builder takes all items of a build together, and owns them until their lease
is over. Each taking raises their epoch. Everything that it writes has owner
and epoch as a condition: a builder that was stopped, and goes on after another
has taken over, writes nothing.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from nova_ext.zones.tables.models import Build, BuildItem

#: Items of one statement.
BATCH = 100


@dataclass(frozen=True)
class Lease:
    """Represent the ownership of a build's items.

    :param owner: of the builder, another one each time it starts.
    """

    build_uuid: str
    owner: str
    epoch: int

    @property
    def _held(self) -> tuple[Any, ...]:
        return (
            BuildItem.build_uuid == self.build_uuid,
            BuildItem.owner == self.owner, BuildItem.epoch == self.epoch,
        )


def list_waiting(
    session: Session, now: int, states: Sequence[str],
    item_states: Sequence[str], undone: str, lost: str, stale_s: int,
    limit: int,
) -> list[str]:
    """Return the UUIDs of builds that nobody works on, the oldest first.

    :param now: seconds since 1970, UTC.
    :param states: of the builds that have to be worked on.
    :param item_states: of items for which any build has to be.
    :param undone: the one of these for which it has to be even if its time
        has been over for ``stale_s`` seconds.
    :param lost: the reason of items for which it has to be until its time is
        over.
    """
    free = sa.exists().where(
        BuildItem.build_uuid == Build.uuid, BuildItem.lease_until <= now
    )
    open_item = sa.exists().where(
        BuildItem.build_uuid == Build.uuid, sa.or_(
            BuildItem.state == undone, sa.and_(
                BuildItem.state.in_(item_states), Build.ends_at + stale_s > now
            ), sa.and_(BuildItem.reason == lost, Build.ends_at > now),
        )
    )
    return [*session.scalars(
        sa.select(Build.uuid)
        .where(free, sa.or_(Build.state.in_(states), open_item))
        .order_by(Build.created_at).limit(limit)
    )]


def list_trusts(
    session: Session, now: int, states: Sequence[str],
    item_states: Sequence[str], lost: str,
) -> list[tuple[str, str]]:
    """Return builds and their trusts, of those that need none any more.

    :param states: of builds that are over.
    :param item_states: of items for which the trust is needed.
    :param lost: the reason of items for which it is until their build's time
        is over.
    """
    rows = session.execute(
        sa.select(Build.uuid, Build.trust_id).where(
            Build.trust_id.is_not(None), Build.state.in_(states),
            ~sa.exists().where(
                BuildItem.build_uuid == Build.uuid, sa.or_(
                    BuildItem.state.in_(item_states),
                    sa.and_(BuildItem.reason == lost, Build.ends_at > now),
                ),
            ),
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
        sa.update(BuildItem).where(
            BuildItem.build_uuid == build_uuid, BuildItem.lease_until <= now
        ).values(owner=owner, lease_until=until, epoch=BuildItem.epoch + 1)
    )
    if not taken.rowcount:
        return None
    return Lease(build_uuid, owner, session.scalars(
        sa.select(sa.func.max(BuildItem.epoch)).where(
            BuildItem.build_uuid == build_uuid
        )
    ).one())


def extend(session: Session, lease: Lease, until: int) -> bool:
    """Extend a lease; say whether it still held."""
    extended: Any = session.execute(
        sa.update(BuildItem).where(*lease._held).values(lease_until=until)
    )
    return bool(extended.rowcount)


def release(session: Session, lease: Lease) -> None:
    """End a lease, so that others need not wait for its end."""
    session.execute(
        sa.update(BuildItem).where(*lease._held).values(lease_until=0)
    )


def read(
    session: Session, build_uuid: str
) -> tuple[Build | None, list[BuildItem]]:
    """Return a build and its items, by number and attempt.

    They can be read after the session.
    """
    build = session.get(Build, build_uuid)
    items = [*session.scalars(
        sa.select(BuildItem).where(BuildItem.build_uuid == build_uuid)
        .order_by(BuildItem.number, BuildItem.attempt)
    )]
    session.expunge_all()
    return build, items


def change(
    session: Session, lease: Lease, key: str, before: Iterable[str],
    now: str, build_states: Sequence[str] = (), **values: Any,
) -> bool:
    """Change an item if it is as it was read, and still ours.

    :param before: its states of which it has one.
    :param now: as the database has it.
    :param build_states: of which its build has to have one; empty: any.
    :returns: whether it was changed.
    """
    conditions = [
        *lease._held, BuildItem.key == key, BuildItem.state.in_([*before])
    ]
    if build_states:
        conditions.append(sa.exists().where(
            Build.uuid == lease.build_uuid, Build.state.in_(build_states)
        ))
    changed: Any = session.execute(
        sa.update(BuildItem).where(*conditions)
        .values(updated_at=now, **values)
        .execution_options(synchronize_session=False)
    )
    return bool(changed.rowcount)


def add_attempts(
    session: Session, lease: Lease, now: int, until: int,
    rows: Sequence[Mapping[str, Any]],
) -> bool:
    """Add further attempts, owned alike; say whether the lease still held.

    It has to be the first in its transaction.

    :param rows: columns of each, without those of the lease; ``via`` is a
        list.
    """
    held: Any = session.execute(
        sa.update(BuildItem).where(
            *lease._held, BuildItem.lease_until > now
        ).values(lease_until=until)
    )
    if not held.rowcount:
        return False
    session.add_all(
        BuildItem(
            **{**row, 'via': json.dumps(row['via'])},
            build_uuid=lease.build_uuid, owner=lease.owner,
            epoch=lease.epoch, lease_until=until,
        ) for row in rows
    )
    session.flush()
    return True


def change_build(
    session: Session, uuid: str, before: Iterable[str], now: str,
    **values: Any
) -> bool:
    """Change a build if its state is one of these; say whether it was."""
    return _change_build(session, uuid, before, now, (), values)


def change_own_build(
    session: Session, lease: Lease, before: Iterable[str], now: str,
    **values: Any
) -> bool:
    """Change a build if its state is one of these, and the lease holds."""
    return _change_build(
        session, lease.build_uuid, before, now,
        (sa.exists().where(*lease._held),), values,
    )


def _change_build(
    session: Session, uuid: str, before: Iterable[str], now: str,
    conditions: Iterable[Any], values: Mapping[str, Any],
) -> bool:
    changed: Any = session.execute(
        sa.update(Build).where(
            Build.uuid == uuid, Build.state.in_([*before]), *conditions
        ).values(updated_at=now, **values)
        .execution_options(synchronize_session=False)
    )
    return bool(changed.rowcount)
