"""Offer room of this zone's own hosts, and hold it meanwhile.

A scheduler chooses the slots, and says on which hosts they are. What is held
of these is written here. Costs and offers go on: neither names a host.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nova_ext.client import SchedulerClient
from nova_ext.core.base.scheduling_errors import BusyError
from nova_ext.core.rpc.boot_request import BootRequest
from nova_ext.core.rpc.offers import OfferAnswer, OfferQuestion
from nova_ext.database.database import Database
from nova_ext.zones.offers.offer import Offer
from nova_ext.zones.tables import held_offers

#: Why there are fewer offers than request ids.
NO_ROOM, HELD, ASKED_BEFORE = 'no_room', 'held', 'asked_before'
#: Other questions come first.
BUSY = 'busy'


@dataclass(frozen=True)
class OwnAnswer:
    """Represent what the zone offers of its own hosts.

    :param offers: the cheapest first.
    :param reason: why there are fewer than request ids; None: there are not.
    :param lacking: see :class:`OfferAnswer`, ``reasons``, as for
        ``held_until``.
    """

    offers: list[Offer] = field(default_factory=list)
    reason: str | None = None
    lacking: dict[str, int] = field(default_factory=dict)
    held_until: int | None = None


class OwnOffers:
    """Ask the zone's own schedulers.

    :param database: the zone's own.
    """

    def __init__(self, database: Database, scheduler: SchedulerClient) -> None:
        self._database = database
        self._scheduler = scheduler

    def make(
        self, context: Any, boot: BootRequest, request_ids: Sequence[str],
        ends: float, *, hold: bool = True,
    ) -> OwnAnswer:
        """Offer the zone's cheapest slots.

        :param boot: of one server.
        :param ends: when nobody waits any more, of the monotonic clock.
        :param hold: whether to hold their room.
        :raises SchedulingError: where there is no answer.
        :raises DatabaseError: when the database fails.
        """
        while True:
            answer = self._try(context, boot, [*request_ids], ends, hold)
            if answer is not None:
                return answer

    def give_back(self, context: Any, request_ids: Sequence[str]) -> int:
        """Give back what offers hold of the zone's hosts.

        :returns: the number of those that were there.
        """
        with self._database.writing() as session:
            return held_offers.give_back(
                session, request_ids, context.project_id or ''
            )

    def _try(
        self, context: Any, boot: BootRequest, ids: list[str], ends: float,
        hold: bool,
    ) -> OwnAnswer | None:
        """Ask a scheduler once, and hold what it offers.

        :returns: the answer; None where others held room meanwhile.
        """
        now, left_s = int(time.time()), ends - time.monotonic()
        if left_s <= 0:
            raise BusyError(
                'other questions for offers took the time of this one; ask '
                'again later'
            )
        with self._database.reading() as session:
            generation, held = held_offers.read(session, now)
        if held.keys() & set(ids):
            return OwnAnswer(reason=ASKED_BEFORE)
        answer = self._scheduler.make_offers(
            context, OfferQuestion(boot, ids, list(held.values()), left_s)
        )
        if answer.slots and hold:
            with self._database.writing() as session:
                if not held_offers.add(
                    session, generation,
                    [(slot.request_id, slot.room) for slot in answer.slots],
                    context.project_id or '', now,
                ):
                    return None
        return _describe(answer, len(ids))


def _describe(answer: OfferAnswer, wanted: int) -> OwnAnswer:
    """Return what leaves the zone, without names of hosts."""
    reason = None
    if len(answer.slots) < wanted:
        reason = NO_ROOM if answer.held_until is None else HELD
    return OwnAnswer(
        [
            Offer(
                slot.request_id, slot.cost, slot.offer, slot.room.until
            ) for slot in answer.slots
        ],
        reason, answer.reasons, answer.held_until,
    )
