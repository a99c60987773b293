"""Carry a build one step further: send, look, undo, replace, decide.

Whatever is done was written down before, and whatever is answered is written
with the lease as a condition. A builder that dies at any point leaves items
from whose states another one goes on.
"""

import contextlib
import json
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent import futures
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from nova_ext.core.rpc.offers import MAX_SLOTS
from nova_ext.database.database import Database
from nova_ext.zones import registry, states
from nova_ext.zones.builds import attempts, outcome
from nova_ext.zones.builds.build_rows import BuildRows
from nova_ext.zones.builds.build_user import BuildUser
from nova_ext.zones.items.item import (
    Item,
    ItemState,
    NoZoneError,
    ZoneItems,
)
from nova_ext.zones.tables import build_items
from nova_ext.zones.tables.build_items import Lease
from nova_ext.zones.tables.models import Build, BuildItem

#: Why a server is deleted whose request was taken for lost.
LATE = 'late'

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """Represent limits in seconds, see ``[nova_ext_builds]``."""

    lease_s: int
    send_limit_s: int
    unknown_s: int


class BuildPass:
    """Carry one build one step further.

    :param parent: UUID of this zone.
    :param executor: for requests side by side.
    :param get_user: returns the user of a build.
    :param seen: when each server was seen last, by the item's key, of the
        monotonic clock; it is kept from one pass to the next.
    """

    def __init__(
        self, database: Database, lease: Lease, parent: str, limits: Limits,
        executor: futures.Executor, get_user: Callable[[Build], BuildUser],
        seen: dict[str, float],
    ) -> None:
        self._database = database
        self._lease = lease
        self._parent = parent
        self._limits = limits
        self._executor = executor
        self._get_user = get_user
        self._rows = BuildRows(database, lease)
        self._user: BuildUser
        self._seen = seen
        self._began = time.monotonic()

    def run(self) -> tuple[bool, bool]:
        """Carry the build one step further.

        :returns: whether there is more to do, and whether something changed.
        :raises DatabaseError: when the database fails.
        """
        if not self._rows.read():
            return False, False
        self._user = self._get_user(self._rows.build)
        self._adopt()
        self._side_by_side(self._undo_late, self._list_late())
        if self._rows.build.state == states.BUILDING:
            self._carry_out()
        self._rows.read()
        if self._rows.build.state != states.BUILDING:
            self._clear_away()
        return self._is_left(), bool(self._rows.changes)

    def _carry_out(self) -> None:
        late = time.time() >= self._rows.build.ends_at
        if late:
            self._drop('timeout')
        self._send_planned()
        self._rows.read()
        self._look(self._rows.list_(states.UNKNOWN, states.SENT))
        self._rows.read()
        if outcome.is_stale(self._rows.build, time.time()):
            # Its servers may be in use, whatever is written here.
            self._end(self._weigh().get_stale_end(self._rows.build))
            return
        for item in self._rows.list_(states.SENT) if late else ():
            # One that is not seen now may be ACTIVE.
            if self._seen.get(item.key, 0) > self._began:
                self._rows.change(item, (states.SENT,), states.UNDO, 'timeout')
        self._rows.read()
        self._side_by_side(self._undo, self._rows.list_(states.UNDO))
        self._rows.read()
        self._replace()
        self._rows.read()
        self._decide()

    def _clear_away(self) -> None:
        """Undo what a build that is over does not keep."""
        kept = (
            (states.ACTIVE,) if self._rows.build.state == states.BUILD_ACTIVE
            else ()
        )
        before = [state for state in states.UNDOABLE if state not in kept]
        deleting = self._rows.build.state == states.DELETING
        if deleting or not outcome.is_stale(self._rows.build, time.time()):
            self._drop()
            for item in self._rows.list_(*before):
                self._rows.change(item, before, states.UNDO)
            self._rows.read()
        self._side_by_side(self._undo, self._rows.list_(states.UNDO))
        self._rows.read()
        if deleting and all(
            item.state in states.ENDED for item in self._rows.items
        ):
            self._rows.change_build(
                (states.DELETING,), state=states.DELETED, message=''
            )
            return
        # What is left is listed.
        message = self._describe()
        if message != self._rows.build.message:
            self._rows.change_build((self._rows.build.state,), message=message)

    def _adopt(self) -> None:
        """Take over what another builder was sending when it died."""
        for item in self._rows.list_(states.SENDING):
            self._rows.change(
                item, (states.SENDING,), states.UNKNOWN, 'builder_died'
            )
        self._rows.read()

    def _drop(self, reason: str | None = None) -> None:
        """Give up what was not sent."""
        dropped = [
            item for item in self._rows.list_(states.PLANNED)
            if self._rows.change(
                item, (states.PLANNED,), states.GONE, reason
            )
        ]
        if dropped:
            self._user.give_back(
                (item.request_id, json.loads(item.via)) for item in dropped
            )
        self._rows.read()

    def _send_planned(self) -> None:
        """Send what was not sent, first what expires first.

        Those of this zone are looked for before: an older copy of the
        database does not know that they were sent.
        """
        planned = sorted(
            self._rows.list_(states.PLANNED), key=lambda item: item.expires_at
        )[:MAX_SLOTS]
        own = [
            item for item in planned
            if attempts.get_first_zone(item) is None
        ]
        found: Mapping[str, ItemState] | None = {}
        if own:
            with contextlib.suppress(NoZoneError):
                found = self._choose(own[0]).find(
                    [self._make_item(item) for item in own]
                )
        if found is None:
            planned = [item for item in planned if item not in own]
        self._side_by_side(partial(self._send, found or {}), planned)

    def _send(self, found: Mapping[str, ItemState], item: BuildItem) -> None:
        now = registry.format_now()
        try:
            zone = self._choose(item)
        except NoZoneError as error:
            if not error.is_brief:
                self._rows.change(
                    item, (states.PLANNED,), states.FAILED, error.code
                )
            return
        with self._database.writing() as session:
            if not build_items.change(
                session, self._lease, item.key, (states.PLANNED,), now,
                (states.BUILDING,), state=states.SENDING, sent_at=now,
            ):
                return
        sent = self._make_item(item, now)
        item.state = states.SENDING
        self._rows.note(item, found.get(item.key) or zone.send(
            sent, self._limits.send_limit_s
        ))

    def _look(self, items: Iterable[BuildItem]) -> None:
        """Ask each zone once for all its items."""
        by_zone = defaultdict(list)
        for item in items:
            self._seen.setdefault(item.key, self._began)
            by_zone[attempts.get_first_zone(item)].append(item)
        self._side_by_side(self._look_at_zone, by_zone.values())

    def _look_at_zone(self, items: Sequence[BuildItem]) -> None:
        try:
            zone = self._choose(items[0])
        except NoZoneError as error:
            LOG.warning('build %s: zone %s: %s', self._rows.build.uuid,
                        items[0].zone, error.code)
            return
        answers = zone.look([self._make_item(item) for item in items])
        for item in items:
            answer = answers.get(item.key)
            if answer is None:
                continue
            if answer.status:
                self._seen[item.key] = time.monotonic()
            self._rows.note(item, answer)

    def _undo(self, item: BuildItem) -> None:
        try:
            answer = self._choose(item).undo(self._make_item(item))
        except NoZoneError as error:
            answer = ItemState(states.UNDO, item.server_id, reason=error.code)
        self._rows.note(item, answer)

    def _undo_late(self, item: BuildItem) -> None:
        """Delete a server whose request has come after all."""
        with contextlib.suppress(NoZoneError):
            answer = self._choose(item).undo(self._make_item(item))
            if answer.server_id is not None:
                self._rows.note(item, replace(answer, reason=LATE))

    def _replace(self) -> None:
        """Begin further attempts where the fence is closed."""
        replaced = self._weigh().replaced[:MAX_SLOTS]
        if not replaced:
            return
        offered, is_brief = self._user.ask_again(self._rows.build, replaced)
        numbers = {attempt['number'] for attempt in offered}
        now, at = int(time.time()), registry.format_now()
        rows = [*offered, *(
            attempts.make_unoffered(item) for item in replaced
            if item.number not in numbers and not (
                is_brief and outcome.may_ask_again(item, now)
            )
        )]
        if not rows:
            return
        with self._database.writing() as session:
            added = build_items.add_attempts(
                session, self._lease, now, now + self._limits.lease_s,
                [{**row, 'updated_at': at} for row in rows],
            )
        self._rows.changes += added
        if not added:
            self._user.give_back(
                (attempt['request_id'], attempt['via'])
                for attempt in offered
            )

    def _decide(self) -> None:
        end = self._weigh().get_end(self._rows.build)
        if end is not None:
            self._end(end)

    def _end(self, state: str) -> None:
        self._rows.change_build(
            (states.BUILDING,), state=state,
            message=self._describe(),
        )

    def _describe(self) -> str:
        return outcome.describe(
            self._rows.build, self._rows.items, time.time()
        )

    def _weigh(self) -> outcome.Outcome:
        return outcome.weigh(
            self._rows.build, self._rows.items, time.time(),
            self._limits.unknown_s, {
                key for key, seen in self._seen.items()
                if time.monotonic() >= seen + self._limits.unknown_s
            },
        )

    def _is_left(self) -> bool:
        if self._rows.build.state in (states.BUILDING, states.DELETING):
            return True
        return bool(self._list_late() or self._rows.list_(*(
            (states.UNDO,) if outcome.is_stale(self._rows.build, time.time())
            else states.OPEN
        )))

    def _list_late(self) -> list[BuildItem]:
        return outcome.list_late(
            self._rows.build, self._rows.items, time.time()
        )

    def _choose(self, item: BuildItem) -> ZoneItems:
        return self._user.choose(attempts.get_first_zone(item))

    def _side_by_side(
        self, function: Callable[[Any], None], arguments: Iterable[Any]
    ) -> None:
        """Call a function for each argument; raise the first of its errors."""
        for future in [
            self._executor.submit(function, argument)
            for argument in arguments
        ]:
            future.result()

    def _make_item(self, item: BuildItem, sent_at: str = '') -> Item:
        return attempts.make_item(
            self._parent, self._rows.build, item, sent_at
        )
