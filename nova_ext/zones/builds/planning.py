"""Plan a build: ask for offers, choose the cheapest, make its items."""

import json
import random
import time
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from oslo_context.context import generate_request_id

from nova_ext.core.rpc.offers import MAX_SLOTS
from nova_ext.zones import states
from nova_ext.zones.items.new_items import make_item
from nova_ext.zones.offers.child_offers import SILENT
from nova_ext.zones.offers.gathering import Gathering
from nova_ext.zones.offers.offer import Offer, Question, ZoneReport
from nova_ext.zones.offers.own_offers import BUSY, HELD
from nova_ext.zones.server_spec import ServerSpec
from nova_ext.zones.tables.models import Build, format_now

#: Seconds in which all zones have to answer one question, at most, and fewer
#: than which are too few to ask another.
DEADLINE_S, SHORTEST_S = 60.0, 5.0
#: How often a build asks that is short while other offers hold room, ...
TRIES = 3
#: ... and for how long it waits in between, at least and at most.
_WAIT_S = (0.5, 4.0)
#: Letters of a report: MariaDB takes 16 MiB at a time by default.
MAX_REPORT = 4 * 2**20


@dataclass
class BuildPlan:
    """Represent where the servers of a build would be.

    :param offers: at most one for each server. The cheapest come first of
        each question, which asks for a part of a large build.
    :param reports: what the zones said, one for each question.
    :param offered: number of offers, including those given back.
    :param is_late: whether there was no time to ask for more.
    """

    offers: list[Offer] = field(default_factory=list)
    reports: list[ZoneReport] = field(default_factory=list)
    offered: int = 0
    is_late: bool = False

    @property
    def was_told_to_wait(self) -> bool:
        """Return whether a zone may have room in a moment.

        Other offers hold it, or other questions are answered first.
        """
        return any(
            zone.reason in (HELD, BUSY)
            for report in self.reports for zone in report.walk()
        )


@dataclass(frozen=True)
class NewBuild:
    """Represent a build that a user asks for.

    :param own_uuid: UUID of this zone.
    :param min_count: minimum number of servers.
    :param trust_id: see :class:`Build`, as for ``ends_at`` and ``uuid``.
    """

    own_uuid: str
    name: str
    request: ServerSpec
    count: int
    min_count: int
    ends_at: int
    trust_id: str | None = None
    uuid: str = field(default_factory=lambda: str(uuid.uuid4()))


def make_plan(
    gathering: Gathering, context: Any, new: NewBuild, limit_s: float, *,
    hold: bool
) -> BuildPlan:
    """Ask all zones, in batches, until there is an offer for each server.

    A plan that is short of ``min_count`` gives all of it back. If room is
    held, or a zone is busy, that may be over a moment later: then it is tried
    again, after a random while, so that of two builds that hold each other's
    room one goes on.

    :param limit_s: seconds after which nothing more is asked for.
    :param hold: whether room is held, for a build that is carried out.
    :raises DatabaseError: when the database fails.
    """
    ends = time.monotonic() + limit_s
    silent: set[str] = set()
    for attempt in range(TRIES):
        plan = _try(gathering, context, new, hold, silent, ends)
        if len(plan.offers) >= new.min_count or not hold:
            break
        gathering.give_back(context, plan.offers)
        plan.offers = []
        if (
            not plan.was_told_to_wait or attempt == TRIES - 1
            or time.monotonic() + _WAIT_S[1] + SHORTEST_S > ends
        ):
            break
        _wait()
    return plan


def make_build(context: Any, new: NewBuild, plan: BuildPlan) -> Build:
    """Return the build, with an item for each offer.

    A plan without enough offers is a failed build: its report says why.
    """
    now = format_now()
    is_short = len(plan.offers) < new.min_count
    build = Build(
        uuid=new.uuid, project_id=context.project_id or '',
        user_id=context.user_id or '', name=new.name,
        request=new.request.to_dict(), count=new.count,
        min_count=new.min_count,
        state=states.BUILD_FAILED if is_short else states.BUILDING,
        message=_describe_lack(plan, new) if is_short else '',
        report=_dump(plan.reports), trust_id=new.trust_id, created_at=now,
        updated_at=now, ends_at=new.ends_at,
    )
    build.items = [
        make_item(build, new.own_uuid, number, 1, offer)
        for number, offer in enumerate(plan.offers, 1)
    ]
    return build


def _try(
    gathering: Gathering, context: Any, new: NewBuild, hold: bool,
    silent: set[str], ends: float,
) -> BuildPlan:
    """Ask once for an offer for each server.

    :param silent: UUIDs of child zones that cost a question their time, and
        are not asked again; those that do now are added.
    :param ends: when nothing more is asked for, of the monotonic clock.
    """
    plan = BuildPlan()
    for count in _split(new.count):
        left_s = ends - time.monotonic()
        if plan.reports and left_s < SHORTEST_S:
            break
        try:
            gathered = gathering.gather(Question(
                context, new.request,
                [generate_request_id() for _ in range(count)], [new.own_uuid],
                time.monotonic() + max(SHORTEST_S, min(left_s, DEADLINE_S)),
                hold, silent,
            ))
        except Exception:
            if hold:
                gathering.give_back(context, plan.offers)
            raise
        silent |= {
            zone.uuid for zone in gathered.report.zones
            if zone.reason == SILENT and zone.uuid
        }
        plan.offers += gathered.offers
        plan.offered += len(gathered.offers)
        plan.reports.append(gathered.report)
        if len(gathered.offers) < count:
            break
    plan.is_late = time.monotonic() > ends - SHORTEST_S
    return plan


def _describe_lack(plan: BuildPlan, new: NewBuild) -> str:
    text = (
        f'the zones made offers for {plan.offered} of {new.count} servers, '
        f'and {new.min_count} are needed'
    )
    if plan.is_late:
        text += '; there was no time to ask for more'
    return text


def _dump(reports: Iterable[ZoneReport]) -> str:
    """Return reports as JSON; what is too long loses its child zones."""
    texts, left = [], MAX_REPORT
    for report in reports:
        text = json.dumps(report.to_dict(with_errors=True))
        if len(text) > left:
            text = json.dumps(replace(report, zones=[]).to_dict(
                with_errors=True
            ))
        left -= len(text)
        texts.append(text)
    return f'{{"questions": [{", ".join(texts)}]}}'


def _wait() -> None:
    """Let builds go on that hold the room."""
    time.sleep(random.uniform(*_WAIT_S))  # noqa: S311  not a secret


def _split(count: int) -> Iterator[int]:
    """Yield the sizes of questions."""
    for begun in range(0, count, MAX_SLOTS):
        yield min(MAX_SLOTS, count - begun)
