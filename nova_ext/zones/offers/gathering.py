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
from nova_ext.zones.child import Children
from nova_ext.zones.offers import child_zones, own_offers
from nova_ext.zones.offers.child_offers import (
    SILENT,
    ChildOffers,
    leave_out,
)
from nova_ext.zones.offers.child_zones import Candidate
from nova_ext.zones.offers.offer import (
    Offer,
    Question,
    ZoneOffers,
    ZoneReport,
    merge,
)
from nova_ext.zones.offers.own_cloud import OwnCloud
from nova_ext.zones.offers.own_offers import OwnOffers
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
        candidates = (
            self._list_candidates(question)
            if not path or cfg.CONF.nova_ext_zones.enable_zone_routing else []
        )
        first, *others = child_zones.divide(
            candidates, cfg.CONF.nova_ext_zones.ask_first
        )
        own, *asked = run_side_by_side([
            partial(self._own.ask, question),
            *self._list_calls(question, first),
        ], question.left_s)
        children = _read_children(first, asked)
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
                    each.child.id: leave_out(each, child_zones.NOT_NEEDED)
                    for each in next_
                }
        offers, surplus = choose()
        if hold:
            self.give_back(context, surplus, question.left_s)
        return ZoneOffers(offers, replace(own_zone.report, zones=[
            children[each.child.id].report for each in candidates
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
                    self._children.give_back, candidate,
                    by_child[candidate.child.uuid or ''], seconds,
                ) for candidate in self._list_all(context, bool(by_child))
                if candidate.child.uuid in by_child
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

        :param path: UUIDs of the zones that are told already. Zones may be
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
                self._children.give_back_all, candidate, request_ids, path,
                seconds,
            ) for candidate in self._list_all(
                context, cfg.CONF.nova_ext_zones.enable_zone_routing
            ) if candidate.child.is_active
            and candidate.child.uuid not in path
        ], seconds)
        return self._own.give_back(context, request_ids)

    def _list_candidates(self, question: Question) -> list[Candidate]:
        with self._database.reading() as session:
            return child_zones.list_candidates(
                session, question.context.project_id or '',
                question.build.constraints, question.path,
            )

    def _list_all(self, context: Any, needed: bool) -> list[Candidate]:
        """Return the child zones that serve the project, if needed."""
        if not needed:
            return []
        with self._database.reading() as session:
            return [
                each for each in child_zones.list_candidates(
                    session, context.project_id or '', (), ()
                ) if each.cloud
            ]

    def _list_calls(
        self, question: Question, candidates: Iterable[Candidate]
    ) -> list[Callable[[], Any]]:
        return [
            partial(self._children.ask, each, question) for each in candidates
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


def _read_children(
    candidates: Iterable[Candidate], asked: Iterable[_Future]
) -> dict[int, ZoneOffers]:
    """Return offers and reports of child zones, by their IDs."""
    return {
        candidate.child.id: _read_child(candidate, future)
        for candidate, future in zip(candidates, asked, strict=True)
    }


def _read_child(
    candidate: Candidate, future: _Future
) -> ZoneOffers:
    if future.done() and not future.cancelled():
        return future.result()
    child = candidate.child
    return ZoneOffers([], ZoneReport(
        child.name, child.uuid, reason=SILENT, error=_LATE
    ))
