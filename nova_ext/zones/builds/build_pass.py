"""Carry a build one step further: send, look, undo, replace, decide.

Whatever is done was written down before, and whatever is answered is written
with the lease as a condition. A builder that dies at any point leaves items
from whose states another one goes on.
"""

import time
from collections.abc import Callable
from concurrent import futures
from dataclasses import dataclass

from nova_ext.core.rpc.offers import MAX_SLOTS
from nova_ext.database.database import Database
from nova_ext.zones import states
from nova_ext.zones.builds import outcome
from nova_ext.zones.builds.build_rows import BuildRows
from nova_ext.zones.builds.build_user import BuildUser
from nova_ext.zones.builds.item_requests import ItemRequests
from nova_ext.zones.items.new_items import make_unoffered_item
from nova_ext.zones.tables.leases import Lease
from nova_ext.zones.tables.models import Build, Item


@dataclass(frozen=True)
class Limits:
    """Represent limits in seconds, see ``[nova_ext_builds]``."""

    lease_s: int
    send_limit_s: int
    unknown_s: int


@dataclass(frozen=True)
class PassResult:
    """Represent how a look at a build ended.

    :param is_left: whether there is more to do.
    :param is_waiting: whether a zone is waited for that is silent.
    """

    is_left: bool
    has_changed: bool = False
    is_waiting: bool = False


class BuildPass:
    """Carry one build one step further.

    :param executor: for requests side by side.
    :param get_user: returns the user of a build.
    :param seen: see :class:`ItemRequests`.
    """

    def __init__(
        self, database: Database, lease: Lease, limits: Limits,
        executor: futures.Executor, get_user: Callable[[Build], BuildUser],
        seen: dict[str, float],
    ) -> None:
        self._limits = limits
        self._executor = executor
        self._get_user = get_user
        self._rows = BuildRows(database, lease)
        self._seen = seen
        self._user: BuildUser
        self._requests: ItemRequests

    def run(self) -> PassResult:
        """Carry the build one step further.

        :raises DatabaseError: when the database fails.
        """
        if not self._rows.read():
            return PassResult(is_left=False)
        self._user = self._get_user(self._rows.build)
        self._requests = ItemRequests(
            self._rows, self._user, self._executor, self._seen
        )
        self._adopt()
        self._requests.undo_late(self._list_late())
        if self._rows.build.state == states.BUILDING:
            self._carry_out()
        self._rows.read()
        if self._rows.build.state != states.BUILDING:
            self._clear_away()
        return PassResult(
            self._is_left(), bool(self._rows.changes),
            bool(self._requests.waits),
        )

    def _carry_out(self) -> None:
        late = time.time() >= self._rows.build.ends_at
        if late:
            self._drop('timeout')
        self._requests.send_planned(self._limits.send_limit_s)
        self._rows.read()
        self._requests.look(self._rows.list_(states.UNKNOWN, states.SENT))
        self._rows.read()
        if outcome.is_stale(self._rows.build, time.time()):
            # Its servers may be in use, whatever is written here.
            self._end(self._weigh().get_stale_end(self._rows.build))
            return
        for item in self._rows.list_(states.SENT) if late else ():
            # One that is not seen now may be ACTIVE.
            if self._requests.is_seen(item):
                self._rows.change(item, (states.SENT,), states.UNDO, 'timeout')
        self._rows.read()
        self._requests.undo(self._rows.list_(states.UNDO))
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
        self._requests.undo(self._rows.list_(states.UNDO))
        self._rows.read()
        if deleting and all(
            item.state in states.ENDED for item in self._rows.items
        ):
            self._rows.change_build(
                (states.DELETING,), state=states.DELETED, message=''
            )
            return
        # What is left is listed.
        self._say(self._describe())

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
            self._user.give_back(dropped)
        self._rows.read()

    def _replace(self) -> None:
        """Begin further attempts where the fence is closed."""
        replaced = self._weigh().replaced[:MAX_SLOTS]
        if not replaced or not self._requests.may_replace(replaced):
            return
        offered, is_brief = self._user.ask_again(self._rows.build, replaced)
        numbers = {attempt.number for attempt in offered}
        now = time.time()
        attempts = [*offered, *(
            make_unoffered_item(self._rows.build, item) for item in replaced
            if item.number not in numbers and not (
                is_brief and outcome.may_ask_again(item, now)
            )
        )]
        if attempts and not self._rows.add_attempts(
            attempts, self._limits.lease_s
        ):
            self._user.give_back(offered)

    def _decide(self) -> None:
        end = self._weigh().get_end(self._rows.build)
        if end is not None:
            self._end(end)
        elif self._rows.build.state == states.BUILDING:
            self._say(outcome.describe_waits(self._requests.waits.values()))

    def _end(self, state: str) -> None:
        self._rows.change_build(
            (states.BUILDING,), state=state, message=self._describe()
        )

    def _describe(self) -> str:
        return outcome.describe(
            self._rows.build, self._rows.items, time.time(),
            self._requests.waits.values(),
        )

    def _say(self, message: str) -> None:
        if message != self._rows.build.message:
            self._rows.change_build((self._rows.build.state,), message=message)

    def _weigh(self) -> outcome.Outcome:
        return outcome.weigh(
            self._rows.build, self._rows.items, time.time(),
            self._limits.unknown_s,
            self._requests.list_unseen(self._limits.unknown_s),
        )

    def _is_left(self) -> bool:
        if self._rows.build.state in (states.BUILDING, states.DELETING):
            return True
        return bool(self._list_late() or self._rows.list_(*(
            (states.UNDO,) if outcome.is_stale(self._rows.build, time.time())
            else states.OPEN
        )))

    def _list_late(self) -> list[Item]:
        return outcome.list_late(
            self._rows.build, self._rows.items, time.time()
        )
