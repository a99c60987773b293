"""Gather offers of this zone and of its child zones, side by side.

Each zone gets all request ids, and may make as many offers: an offer is known
by its zone and its id. What holds room and is not chosen is given back
at once. Each zone that can't be used is one line of the report, and nothing
more.
"""

import math
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent import futures
from dataclasses import replace
from functools import partial
from typing import Any

from oslo_config import cfg

from nova_ext.client import SchedulerClient
from nova_ext.database.database import Database
from nova_ext.zones import registry
from nova_ext.zones.child import Children, open_children, run_side_by_side
from nova_ext.zones.offers import child_offers, own_offers
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

_LATE = 'no answer within its time'
_Future = futures.Future[Any]


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
        self._children = children

    def gather(self, question: Question) -> ZoneOffers:
        """Ask this zone and all child zones that fit; return the cheapest.

        Child zones of another zone's build are asked where
        ``enable_zone_routing``.

        :raises DatabaseError: when the database fails.
        """
        known = self._list_children(
            question.context,
            question.is_root or cfg.CONF.nova_ext_zones.enable_zone_routing,
        )
        excluded = {
            each.id: child_offers.leave_out(each, reason) for each in known
            if (reason := child_offers.find_exclusion(each, question))
        }
        first, *others = _divide(
            each for each in known if each.id not in excluded
        )
        own, *pending = run_side_by_side([
            partial(self._own.ask, question),
            *self._list_calls(question, first),
        ], question.left_s)
        children = excluded | _read_children(first, pending)
        try:
            own_zone = self._read_own(own, question)
        except Exception:
            if question.hold:
                self.give_back(question.context, [
                    each for child in children.values()
                    for each in child.offers
                ], question.left_s)
            raise

        def choose() -> tuple[list[Offer], list[Offer]]:
            return merge(
                [each.offers for each in (own_zone, *children.values())],
                len(question.request_ids), question.path[-1],
            )

        for next_ in others:
            if len(choose()[0]) < len(question.request_ids):
                children |= _read_children(next_, run_side_by_side(
                    self._list_calls(question, next_), question.left_s
                ))
            else:
                children |= {
                    each.id: child_offers.leave_out(
                        each, child_offers.NOT_NEEDED
                    ) for each in next_
                }
        offers, surplus = choose()
        if question.hold:
            self.give_back(question.context, surplus, question.left_s)
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
                    child_offers.give_back, self._children, child,
                    by_child[child.uuid or ''], seconds,
                ) for child in self._list_children(context, bool(by_child))
                if child.cloud and child.uuid in by_child
            ], seconds,
        ))
        telling.start()
        telling.join(max(0.0, min(seconds, wait_s)))
        return self._own.give_back(context, own) if own else 0

    def give_back_all(
        self, context: Any, request_ids: Sequence[str], path: Sequence[str]
    ) -> int:
        """Give back all offers with these ids, of child zones, too.

        :param path: UUIDs of the zones that got the request, this one last.
            Zones may be children of each other.
        :returns: the number of those of this zone's hosts that were there.
        """
        seconds = float(cfg.CONF.nova_ext_zones.time_limit_s)
        run_side_by_side([
            partial(
                child_offers.give_back_all, self._children, child,
                request_ids, path, seconds,
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
            partial(child_offers.ask, self._children, each, question)
            for each in children
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
        return own_offers.refuse(question, own_offers.SCHEDULER_SILENT, _LATE)


def open_gathering(backends: Any, cloud: OwnCloud | None) -> Gathering:
    """Return what asks with the connections of nova-ext-api.

    :param cloud: see :class:`Gathering`.
    """
    return Gathering(
        backends.database(), backends.scheduler(),
        backends.once(open_children), cloud,
    )


def _divide(children: Iterable[Child]) -> list[list[Child]]:
    """Divide child zones into the rounds in which they are asked."""
    usable = sorted(
        children, key=lambda each: (each.weight_offset, each.name)
    )
    size = cfg.CONF.nova_ext_zones.ask_first or len(usable) or 1
    return [
        usable[begun:begun + size] for begun in range(0, len(usable), size)
    ] or [[]]


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
        child.name, child.uuid, reason=child_offers.SILENT, error=_LATE
    ))
