"""Offer room of this zone's own hosts, and hold it meanwhile.

A scheduler chooses the slots, and says on which hosts they are. What is held
of these is written here. Costs and offers go on: neither names a host.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from oslo_config import cfg

from nova_ext.client import SchedulerClient
from nova_ext.core.base import scheduling_errors as s
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest
from nova_ext.core.rpc.offers import (
    MAX_SLOTS,
    HeldRoom,
    OfferAnswer,
    OfferQuestion,
)
from nova_ext.core.stats import capabilities as caps
from nova_ext.database.database import Database
from nova_ext.zones.offers.child_offers import CONSTRAINT
from nova_ext.zones.offers.offer import (
    Offer,
    Question,
    ZoneOffers,
    ZoneReport,
)
from nova_ext.zones.offers.own_cloud import NoMatchError, OwnCloud
from nova_ext.zones.server_spec import OWNER_HINT, ServerSpec
from nova_ext.zones.tables import held_offers

#: Why there are fewer offers than request ids.
NO_ROOM, HELD, ASKED_BEFORE = 'no_room', 'held', 'asked_before'
#: Nova's quota of the project has no room for more.
QUOTA = 'quota'
#: Other questions come first.
BUSY = 'busy'
#: No scheduler has answered in time.
SCHEDULER_SILENT = 'scheduler_silent'
#: Keystone lets nobody create servers here in the caller's name later.
NO_TRUST = 'no_trust'

LOG = logging.getLogger(__name__)

#: Codes by class of a scheduler's error.
_CODES: dict[type[s.SchedulingError], str] = {
    s.UnknownTopicError: 'no_offers',
    s.NoSchedulerError: 'no_scheduler',
    s.BusyError: BUSY,
    s.RequestTimeoutError: SCHEDULER_SILENT,
    s.UnreachableError: 'scheduler_unreachable',
    s.TooOldError: 'scheduler_too_old',
    s.NotHonouredError: 'offers_not_honoured',
    s.DriverError: 'driver_failed',
    s.WrongArgumentsError: 'invalid_request',
    s.SchedulingError: 'scheduler_failed',
}


class OwnOffers:
    """Ask the zone's own schedulers.

    :param database: the zone's own.
    :param cloud: the zone's own, in the name of who will create the servers;
        None: nobody will.
    """

    def __init__(
        self, database: Database, scheduler: SchedulerClient,
        cloud: OwnCloud | None,
    ) -> None:
        self._database = database
        self._scheduler = scheduler
        self._cloud = cloud

    def ask(self, question: Question) -> ZoneOffers:
        """Offer the zone's cheapest slots; without offers, say why.

        :raises DatabaseError: when the database fails.
        """
        build = question.build
        if self._cloud is None:
            return refuse(question, NO_TRUST)
        general = caps.parse(cfg.CONF.nova_ext_zones.zone_capabilities)
        if not build.fits(general):
            return refuse(question, CONSTRAINT)
        try:
            boot = _find_boot(self._cloud, build, question.context)
            while True:
                answer = self._try(self._cloud, boot, question)
                if answer is not None:
                    return answer
        except NoMatchError as error:
            LOG.info('A question for offers: %s', error)
            return refuse(question, error.code, str(error))
        except s.SchedulingError as error:
            LOG.warning('A question for offers: %s', error)
            return refuse(question, next(
                _CODES[cls] for cls in type(error).__mro__ if cls in _CODES
            ), str(error))

    def give_back(self, context: Any, request_ids: Sequence[str]) -> int:
        """Give back what offers hold of the zone's hosts.

        :returns: the number of those that were there.
        """
        with self._database.writing() as session:
            return held_offers.give_back(
                session, request_ids, context.project_id or ''
            )

    def _try(
        self, cloud: OwnCloud, boot: BootRequest, question: Question
    ) -> ZoneOffers | None:
        """Ask a scheduler once, and hold what it offers.

        :returns: the answer; None where others held room meanwhile.
        """
        project_id = question.context.project_id or ''
        now, left_s = int(time.time()), question.left_s
        if left_s <= 0:
            raise s.BusyError(
                'other questions for offers took the time of this one; ask '
                'again later'
            )
        with self._database.reading() as session:
            generation, held = held_offers.read(session, now)
            uncounted = held_offers.list_uncounted(session, project_id, now)
        if held.keys() & set(question.request_ids):
            return refuse(question, ASKED_BEFORE)
        # Nova is asked later: it counts what is uncounted no more.
        ids = [*question.request_ids][:count_left(
            cloud.get_limits(), uncounted, boot.flavor
        )]
        if not ids:
            return refuse(question, QUOTA)
        answer = self._scheduler.make_offers(
            question.context,
            OfferQuestion(boot, ids, list(held.values()), left_s),
        )
        if answer.slots and question.hold:
            with self._database.writing() as session:
                if not held_offers.add(
                    session, generation,
                    [(slot.request_id, slot.room) for slot in answer.slots],
                    project_id, now,
                    project_id if question.is_root else None,
                ):
                    return None
        return _describe(answer, question, len(ids))


def count_left(
    limits: Mapping[str, int], held: Sequence[HeldRoom], flavor: BootFlavor
) -> int:
    """Return for how many more servers Nova's quota has room.

    At most MAX_SLOTS are counted.

    :param limits: of the project, and what it uses, as Nova's ``GET /limits``
        names them; a limit of -1 is none.
    :param held: for servers of the project that Nova does not count yet.
    :param flavor: of the servers.
    """
    left = [MAX_SLOTS]
    for limit, used, size, held_sizes in (
        ('maxTotalInstances', 'totalInstancesUsed', 1, [1] * len(held)),
        ('maxTotalCores', 'totalCoresUsed', flavor.vcpus,
         [room.vcpus for room in held]),
        ('maxTotalRAMSize', 'totalRAMUsed', flavor.memory_mb,
         [room.memory_mb for room in held]),
    ):
        if limits[limit] >= 0 and size:
            free = limits[limit] - limits[used] - sum(held_sizes)
            left.append(max(0, free // size))
    return min(left)


def refuse(question: Question, reason: str, error: str = '') -> ZoneOffers:
    """Return that this zone makes no offer.

    :param reason: a code, see :class:`ZoneReport`, as for ``error``.
    """
    return ZoneOffers([], ZoneReport(
        cfg.CONF.nova_ext_zones.zone_name, question.path[-1], reason=reason,
        error=error,
    ))


def _describe(
    answer: OfferAnswer, question: Question, count: int
) -> ZoneOffers:
    """Return what leaves the zone, without names of hosts.

    :param count: number of slots that a scheduler was asked for.
    """
    reason = None
    if len(answer.slots) < count:
        reason = NO_ROOM if answer.held_until is None else HELD
    elif count < len(question.request_ids):
        reason = QUOTA
    name = cfg.CONF.nova_ext_zones.zone_name
    return ZoneOffers([
        Offer(
            slot.request_id, slot.cost, slot.offer, slot.room.until, zone=name
        ) for slot in answer.slots
    ], ZoneReport(
        name, question.path[-1], len(answer.slots), reason,
        lacking=answer.reasons, held_until=answer.held_until,
    ))


def _find_boot(
    cloud: OwnCloud, build: ServerSpec, context: Any
) -> BootRequest:
    """Return the boot of one server, with the zone's own flavor and image."""
    project_id = context.project_id or ''
    matched = cloud.match(build, project_id)
    hints = {OWNER_HINT: build.owner} if build.owner else {}
    return BootRequest(
        matched.flavor, matched.image,
        availability_zone=build.availability_zone,
        hints={**build.hints, **hints}, project_id=project_id,
        user_id=context.user_id or '', stored_flavor=True,
    )
