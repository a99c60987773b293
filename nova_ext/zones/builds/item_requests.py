"""Send a build's items to their zones, look at them there, and delete them."""

import contextlib
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent import futures
from dataclasses import replace
from functools import partial
from typing import Any

from oslo_config import cfg

from nova_ext.core.rpc.offers import MAX_SLOTS
from nova_ext.zones import states
from nova_ext.zones.builds.build_rows import BuildRows
from nova_ext.zones.builds.build_user import BuildUser
from nova_ext.zones.items.child_items import ZONE_SILENT
from nova_ext.zones.items.zone_items import ItemState, NoZoneError
from nova_ext.zones.tables.models import Item

#: Reason of the deletion of a server whose request was taken for lost.
LATE = 'late'

LOG = logging.getLogger(__name__)


class ItemRequests:
    """Send requests about items side by side, and write the answers down.

    :param executor: for requests side by side.
    :param seen: when each server was seen last, by the item's key, of the
        monotonic clock; it is kept from one pass to the next.
    :ivar waits: by the keys of items that can't go on: the zone that they
        wait for, and a code that says why.
    """

    def __init__(
        self, rows: BuildRows, user: BuildUser, executor: futures.Executor,
        seen: dict[str, float],
    ) -> None:
        self._rows = rows
        self._user = user
        self._executor = executor
        self._seen = seen
        self._began = time.monotonic()
        self.waits: dict[str, tuple[str, str]] = {}

    def is_seen(self, item: Item) -> bool:
        """Return whether the item's server was seen in this pass."""
        return self._seen.get(item.key, 0) > self._began

    def list_unseen(self, seconds: float) -> set[str]:
        """Return keys of items whose servers were not seen for as long."""
        return {
            key for key, seen in self._seen.items()
            if time.monotonic() >= seen + seconds
        }

    def send_planned(self, limit_s: float) -> None:
        """Send what was not sent, first what expires first.

        Items of this zone are looked up before: an older copy of the database
        does not know that they were sent. Those of child zones go on
        meanwhile. Of each zone there are MAX_SLOTS at most, so that one that
        is silent leaves time for the others.

        :param limit_s: seconds for each answer.
        """
        counts: Counter[str | None] = Counter()
        own: list[Item] = []
        others: list[Item] = []
        for item in sorted(
            self._rows.list_(states.PLANNED), key=lambda item: item.expires_at
        ):
            counts[item.child_uuid] += 1
            if counts[item.child_uuid] <= MAX_SLOTS:
                (others if item.child_uuid else own).append(item)
        begun = self._begin(partial(self._send, {}, limit_s), others)
        sent = self._find(own)
        if sent is not None:
            begun += self._begin(partial(self._send, sent, limit_s), own)
        _wait(begun)

    def may_replace(self, items: Iterable[Item]) -> bool:
        """Return whether new offers can be requested in place of items.

        While this zone's Keystone is silent, this zone would make none.
        """
        try:
            self._user.choose(None)
        except NoZoneError as error:
            if error.is_brief:
                zone = cfg.CONF.nova_ext_zones.zone_name
                for item in items:
                    self.waits[item.key] = zone, error.code
                return False
        return True

    def look(self, items: Iterable[Item]) -> None:
        """Ask each zone once for all its items."""
        by_zone = defaultdict(list)
        for item in items:
            self._seen.setdefault(item.key, self._began)
            by_zone[item.child_uuid].append(item)
        self._side_by_side(self._look_at_zone, by_zone.values())

    def undo(self, items: Iterable[Item]) -> None:
        """Have servers deleted, or see to it that none come."""
        self._side_by_side(self._undo, items)

    def undo_late(self, items: Iterable[Item]) -> None:
        """Delete servers whose requests were taken for lost, and came."""
        self._side_by_side(self._undo_late, items)

    def _find(self, items: Sequence[Item]) -> Mapping[str, ItemState] | None:
        """Return those of this zone's items that were sent; None: unknown."""
        if not items:
            return {}
        try:
            sent = self._user.choose(None).find(items)
        except NoZoneError as error:
            if not error.is_brief:
                return {}
            self._note_wait(items, error.code)
            return None
        if sent is None:
            self._note_wait(items, ZONE_SILENT)
        return sent

    def _send(
        self, sent: Mapping[str, ItemState], limit_s: float, item: Item
    ) -> None:
        try:
            zone = self._user.choose(item.child_uuid)
        except NoZoneError as error:
            if error.is_brief:
                self._note_wait([item], error.code)
            else:
                self._rows.change(
                    item, (states.PLANNED,), states.FAILED, error.code
                )
            return
        if self._rows.begin_sending(item):
            self._rows.note(
                item, sent.get(item.key) or zone.send(item, limit_s)
            )

    def _look_at_zone(self, items: Sequence[Item]) -> None:
        try:
            zone = self._user.choose(items[0].child_uuid)
        except NoZoneError as error:
            LOG.warning('build %s: zone %s: %s', self._rows.build.uuid,
                        items[0].zone, error.code)
            self._note_wait(items, error.code)
            return
        answers = zone.look(items)
        for item in items:
            answer = answers.get(item.key)
            if answer is None:
                self._note_wait([item], ZONE_SILENT)
                continue
            if answer.status:
                self._seen[item.key] = time.monotonic()
            self._rows.note(item, answer)

    def _undo(self, item: Item) -> None:
        try:
            answer = self._user.choose(item.child_uuid).undo(item)
        except NoZoneError as error:
            self._note_wait([item], error.code)
            answer = ItemState(states.UNDO, item.server_id, reason=error.code)
        self._rows.note(item, answer)

    def _undo_late(self, item: Item) -> None:
        with contextlib.suppress(NoZoneError):
            answer = self._user.choose(item.child_uuid).undo(item)
            if answer.server_id is not None:
                self._rows.note(item, replace(answer, reason=LATE))

    def _side_by_side(
        self, function: Callable[[Any], None], arguments: Iterable[Any]
    ) -> None:
        """Call a function for each argument; raise the first of its errors."""
        _wait(self._begin(function, arguments))

    def _begin(
        self, function: Callable[[Any], None], arguments: Iterable[Any]
    ) -> list[futures.Future[None]]:
        return [
            self._executor.submit(function, argument)
            for argument in arguments
        ]

    def _note_wait(self, items: Iterable[Item], code: str) -> None:
        for item in items:
            self.waits[item.key] = item.zone, code


def _wait(begun: Iterable[futures.Future[None]]) -> None:
    """Wait for the end of calls; raise the first of their errors."""
    for future in begun:
        future.result()
