"""Gather offers of this zone and of its child zones, side by side.

Each zone gets all request ids, and may make as many offers: an offer is known
by its zone and its id. What is not chosen is given back at once. Each zone
that can't be used is one line of the report, and nothing more.
"""

import math
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent import futures
from dataclasses import replace
from functools import partial
from typing import Any

from oslo_config import cfg

from nova_ext.client import SchedulerClient
from nova_ext.core.base.errors import NovaExtError
from nova_ext.database.database import Database
from nova_ext.zones import registry
from nova_ext.zones.build_request import BuildRequest
from nova_ext.zones.child import Children, open_children
from nova_ext.zones.offers import own_offers
from nova_ext.zones.offers.child_offers import (
    NOT_NEEDED,
    SILENT,
    ChildOffers,
    leave_out,
    refuse,
)
from nova_ext.zones.offers.offer import (
    Offer,
    Question,
    ZoneOffers,
    ZoneReport,
    merge,
)
from nova_ext.zones.offers.own_cloud import OwnCloud
from nova_ext.zones.offers.own_offers import OwnOffers
from nova_ext.zones.registry import Child
from nova_ext.zones.side_by_side import run_side_by_side

_LATE = 'no answer within its time'
_Future = futures.Future[Any]


class CycleError(NovaExtError):
    """Report a question that came back to its zone."""


class Gathering:
    """Ask for offers, and give them back, in the name of one project.

    :param database: the zone's own.
    :param cloud: the zone's own, in the name of who will create its servers;
        None: nobody will, so that its hosts are not asked for.
    """

    def __init__(
        self, database: Database, scheduler: SchedulerClient,
        children: Children, cloud: OwnCloud | None,
    ) -> None:
        self._database = database
        self._own = OwnOffers(database, scheduler, cloud)
        self._children = ChildOffers(children)

    def gather(
        self, context: Any, build: BuildRequest, request_ids: Sequence[str],
        *, path: Sequence[str] = (), deadline_s: float, hold: bool = True,
        left_out: Collection[str] = (),
    ) -> ZoneOffers:
        """Ask this zone and all child zones that fit; return the cheapest.

        :param context: the caller's oslo.context.
        :param request_ids: one for each server, MAX_SLOTS at most.
        :param path: UUIDs of the zones that the question passed. If there are
            any, child zones are asked where ``enable_zone_routing``.
        :param deadline_s: seconds for all answers.
        :param hold: whether to hold the room of the chosen ones.
        :param left_out: UUIDs of child zones that were silent before.
        :raises CycleError: where this zone stands in the path.
        :raises DatabaseError: when the database fails.
        """
        ends = time.monotonic() + deadline_s
        own_uuid = registry.get_own_uuid(self._database)
        if own_uuid in path:
            raise CycleError(
                f'this zone, {own_uuid}, stands in the path of the question: '
                'it is a child of one of its own children'
            )
        question = Question(
            context, build, request_ids, [*path, own_uuid], ends, hold,
            left_out,
        )
        known = self._list_children(
            context,
            not path or cfg.CONF.nova_ext_zones.enable_zone_routing,
        )
        first, *others = _divide(known, question)
        own, *pending = run_side_by_side([
            partial(self._own.ask, question),
            *self._list_calls(question, first),
        ], question.left_s)
        children = _read_children(first, pending)
        try:
            own_zone = self._read_own(own, question)
        except Exception:
            if hold:
                self.give_back(context, [
                    each for child in children.values()
                    for each in child.offers
                ], question.left_s)
            raise

        def choose() -> tuple[list[Offer], list[Offer]]:
            return merge(
                [each.offers for each in (own_zone, *children.values())],
                len(request_ids), own_uuid,
            )

        for next_ in others:
            if len(choose()[0]) < len(request_ids):
                children |= _read_children(next_, run_side_by_side(
                    self._list_calls(question, next_), question.left_s
                ))
            else:
                children |= {
                    each.id: leave_out(each, NOT_NEEDED) for each in next_
                }
        offers, surplus = choose()
        if hold:
            self.give_back(context, surplus, question.left_s)
        return ZoneOffers(offers, replace(own_zone.report, zones=[
            children[each.id].report for each in known
        ]))

    def give_back(
        self, context: Any, offers: Iterable[Offer],
        wait_s: float = math.inf,
    ) -> int:
        """Give back offers, each where it was made.

        A zone that does not answer keeps the room until the offers expire.

        :param wait_s: seconds after which no child zone's answer is waited
            for; at most ``time_limit_s`` are.
        :returns: the number of those of this zone's hosts that were there.
        """
        by_child = defaultdict(list)
        own = []
        for offered in offers:
            if offered.via:
                by_child[offered.via[0]].append(offered)
            else:
                own.append(offered.request_id)
        seconds = float(cfg.CONF.nova_ext_zones.time_limit_s)
        # Sent in any case, even if nobody waits.
        telling = threading.Thread(target=run_side_by_side, daemon=True, args=(
            [
                partial(
                    self._children.give_back, child,
                    by_child[child.uuid or ''], seconds,
                ) for child in self._list_children(context, bool(by_child))
                if child.cloud and child.uuid in by_child
            ], seconds,
        ))
        telling.start()
        telling.join(max(0.0, min(seconds, wait_s)))
        return self._own.give_back(context, own) if own else 0

    def give_back_all(
        self, context: Any, request_ids: Sequence[str],
        path: Sequence[str] = (),
    ) -> int:
        """Give back all offers with these ids, of child zones, too.

        :param path: UUIDs of the zones that got the request. Zones may be
            children of each other.
        :returns: the number of those of this zone's hosts that were there.
        """
        own_uuid = registry.get_own_uuid(self._database)
        if own_uuid in path:
            return 0
        path = [*path, own_uuid]
        seconds = float(cfg.CONF.nova_ext_zones.time_limit_s)
        run_side_by_side([
            partial(
                self._children.give_back_all, child, request_ids, path,
                seconds,
            ) for child in self._list_children(
                context, cfg.CONF.nova_ext_zones.enable_zone_routing
            ) if child.cloud and child.is_active and child.uuid not in path
        ], seconds)
        return self._own.give_back(context, request_ids)

    def _list_children(self, context: Any, needed: bool) -> list[Child]:
        """Return the child zones, if they are needed."""
        if not needed:
            return []
        with self._database.reading() as session:
            return registry.list_children(session, context.project_id or '')

    def _list_calls(
        self, question: Question, children: Iterable[Child]
    ) -> list[Callable[[], Any]]:
        return [
            partial(self._children.ask, each, question) for each in children
        ]

    def _read_own(
        self, own: 'futures.Future[ZoneOffers]', question: Question
    ) -> ZoneOffers:
        if own.done() and not own.cancelled():
            return own.result()
        if question.hold:
            # Nobody will know of what it holds when it comes.
            own.add_done_callback(lambda _: self._own.give_back(
                question.context, question.request_ids
            ))
        return own_offers.refuse(question, own_offers.SILENT, _LATE)


def open_gathering(backends: Any, cloud: OwnCloud | None) -> Gathering:
    """Return what asks with the connections of nova-ext-api.

    :param cloud: see :class:`Gathering`.
    """
    return Gathering(
        backends.database(), backends.scheduler(),
        backends.once(open_children), cloud,
    )


def _divide(
    children: Sequence[Child], question: Question
) -> list[list[Child]]:
    """Divide child zones into the rounds in which they are asked.

    Those that are not asked at all are in the first one.
    """
    usable: list[Child] = []
    refused: list[Child] = []
    for child in sorted(
        children, key=lambda each: (each.weight_offset, each.name)
    ):
        reason = refuse(child, question.build, question.path)
        (refused if reason else usable).append(child)
    size = cfg.CONF.nova_ext_zones.ask_first or len(usable) or 1
    first, *others = [
        usable[begun:begun + size] for begun in range(0, len(usable), size)
    ] or [[]]
    return [[*refused, *first], *others]


def _read_children(
    children: Iterable[Child], pending: Iterable[_Future]
) -> dict[int, ZoneOffers]:
    """Return offers and reports of child zones, by their IDs."""
    return {
        child.id: _read_child(child, future)
        for child, future in zip(children, pending, strict=True)
    }


def _read_child(child: Child, future: _Future) -> ZoneOffers:
    if future.done() and not future.cancelled():
        return future.result()
    return ZoneOffers([], ZoneReport(
        child.name, child.uuid, reason=SILENT, error=_LATE
    ))
