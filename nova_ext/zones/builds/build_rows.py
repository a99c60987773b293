"""Read and write the rows of one build, as its builder."""

import time
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from nova_ext.database.database import Database
from nova_ext.zones import states
from nova_ext.zones.builds import outcome
from nova_ext.zones.items.child_items import FORGOT
from nova_ext.zones.items.fence import OTHER_SERVER, TWO_SERVERS
from nova_ext.zones.items.zone_items import ItemState, follow
from nova_ext.zones.tables import builds, items, leases
from nova_ext.zones.tables.leases import Lease
from nova_ext.zones.tables.models import Build, Item, format_now

#: What somebody has to look after before an item can be undone.
_OBSTACLES = (
    TWO_SERVERS, OTHER_SERVER, FORGOT, 'no_zone', 'no_project', 'no_trust',
)


class BuildRows:
    """Keep a build and its items as they were read last.

    :param lease: a condition of each change of an item.
    :ivar changes: number of changes that were made.
    """

    def __init__(self, database: Database, lease: Lease) -> None:
        self._database = database
        self._lease = lease
        self.build = Build()
        self.items: list[Item] = []
        self.changes = 0

    def read(self) -> bool:
        """Read them; return whether the build is there."""
        with self._database.reading() as session:
            build, self.items = leases.read(
                session, self._lease.build_uuid
            )
        if build is not None:
            self.build = build
        return build is not None

    def list_(self, *wanted: str) -> list[Item]:
        """Return the items in some states."""
        return [item for item in self.items if item.state in wanted]

    def note(self, item: Item, answer: ItemState) -> None:
        """Write down what a zone answered, as far as it may follow."""
        if answer.server_id not in (None, item.server_id):
            # A server that comes while its item is undone is deleted by id.
            self.change(
                item, states.ITEM_STATES, server_id=answer.server_id
            )
        after, reason = follow(item.state, answer)
        if item.state == states.UNDO and after != states.FAILED:
            # It says already why it is undone.
            reason = _add_reason(item.reason, reason)
        if after != item.state:
            self.change(item, states.list_before(after), after, reason)
        elif after in (states.UNKNOWN, states.UNDO) and reason != item.reason:
            self.change(item, (after,), reason=reason)
        if after == states.SENT:
            match outcome.judge(answer.status):
                case states.ACTIVE:
                    self.change(item, (after,), states.ACTIVE)
                # Long after its build, a server was in use before it failed.
                case states.UNDO if not outcome.is_stale(
                    self.build, time.time()
                ):
                    self.change(item, (after,), states.UNDO, 'server_error')

    def change(
        self, item: Item, before: Sequence[str], after: str = '',
        reason: str | None = None, **values: Any
    ) -> bool:
        """Change an item that is in one of the states ``before``.

        :returns: whether it was, and the lease held.
        """
        if after:
            values['state'] = after
        if reason is not None:
            values['reason'] = reason
        with self._database.writing() as session:
            changed = items.change(
                session, item.key, before, *self._lease.held, **values
            )
        self.changes += changed
        return changed

    def begin_sending(self, item: Item) -> bool:
        """Write down that a planned item is sent, unless the build is over."""
        with self._database.writing() as session:
            return items.change(
                session, item.key, (states.PLANNED,), *self._lease.held,
                sa.exists().where(
                    Build.uuid == item.build_uuid,
                    Build.state == states.BUILDING,
                ), state=states.SENDING, sent_at=format_now(),
            )

    def add_attempts(self, attempts: Sequence[Item], lease_s: int) -> bool:
        """Add further attempts; return whether the lease still held."""
        now = int(time.time())
        with self._database.writing() as session:
            added = leases.add_attempts(
                session, self._lease, now, now + lease_s, attempts
            )
        self.changes += added
        return added

    def change_build(self, before: Sequence[str], **values: Any) -> None:
        """Change the build, if it is in one of the states ``before``."""
        with self._database.writing() as session:
            self.changes += builds.change(
                session, self._lease.build_uuid, before, self._lease, **values
            )
        self.read()


def _add_reason(before: str, reason: str) -> str:
    """Return why an item is undone, with what keeps it from being gone."""
    why = before.partition(',')[0]
    return ','.join(filter(None, dict.fromkeys((
        why, reason if reason in _OBSTACLES else ''
    ))))
