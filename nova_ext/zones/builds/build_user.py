"""Act for the user of a build: reach zones, and ask them for offers again."""

import functools
import time
from collections.abc import Callable, Collection, Sequence

from oslo_config import cfg
from oslo_context import context

from nova_ext.client import SchedulerClient
from nova_ext.database.database import Database
from nova_ext.zones.builds import trusts
from nova_ext.zones.builds.outcome import EXPIRED
from nova_ext.zones.child import Children
from nova_ext.zones.items import child_items
from nova_ext.zones.items.new_items import make_item
from nova_ext.zones.items.zone_choice import ZoneChoice
from nova_ext.zones.items.zone_items import (
    IDENTITY_SILENT,
    NoZoneError,
    ZoneItems,
)
from nova_ext.zones.offers.gathering import Gathering
from nova_ext.zones.offers.offer import Offer, Question, ZoneOffers
from nova_ext.zones.offers.own_cloud import OwnCloud
from nova_ext.zones.offers.own_offers import BUSY, HELD
from nova_ext.zones.server_spec import ServerSpec
from nova_ext.zones.tables.models import Build, Item

#: Seconds in which all zones have to make their offers.
_OFFERS_S = 30.0
#: Why a zone makes no offer at this moment, and may a moment later.
_BRIEF = (
    HELD, BUSY, 'scheduler_silent', 'scheduler_unreachable', 'cloud_silent',
    IDENTITY_SILENT,
)


class BuildUser:
    """Act for the user of one build.

    :param cloud: this zone's in the user's name; None: there is no trust.
    :param get_scheduler: returns the client of this zone's schedulers.
    :param has_token: returns whether ``cloud`` can be used now.
    """

    def __init__(
        self, database: Database, children: Children,
        get_scheduler: Callable[[], SchedulerClient], build: Build,
        cloud: OwnCloud | None, has_token: Callable[[], bool] = lambda: True,
    ) -> None:
        self._database = database
        self._children = children
        self._get_scheduler = get_scheduler
        self._cloud = cloud
        self._has_token = has_token
        self._choice = ZoneChoice(
            database, children, build.project_id, cloud,
            cfg.CONF.nova_ext_builds.clock_margin_s, child_items.LOOK_S,
        )
        self._context = context.RequestContext(
            user_id=build.user_id, project_id=build.project_id
        )

    def choose(self, zone: str | None) -> ZoneItems:
        """Return what carries items out in a child zone, or in this zone.

        :raises NoZoneError: where there is no way.
        """
        if zone is None and self._cloud and not self._has_token():
            raise NoZoneError(IDENTITY_SILENT, is_brief=True)
        return self._choice.choose(zone)

    def ask_again(
        self, build: Build, items: Sequence[Item]
    ) -> tuple[list[Item], bool]:
        """Take offers for further attempts.

        Child zones in which attempts failed are asked for what the others
        have no room for.

        :returns: an attempt for each item that got an offer; and whether
            there may be more in a moment.
        """
        failed = {
            item.child_uuid for item in items
            if item.child_uuid and item.reason != EXPIRED
        }
        own_uuid = items[0].parent
        answers = [self._gather(build, own_uuid, len(items), failed)]
        missing = len(items) - len(answers[0].offers)
        if failed and missing:
            answers.append(self._gather(build, own_uuid, missing))
        attempts = [
            make_item(
                build, own_uuid, item.number, item.attempt + 1, offer
            ) for item, offer in zip(items, (
                offer for answer in answers for offer in answer.offers
            ), strict=False)
        ]
        return attempts, any(
            zone.reason in _BRIEF
            for answer in answers for zone in answer.report.walk()
        )

    def _gather(
        self, build: Build, own_uuid: str, count: int,
        left_out: Collection[str] = (),
    ) -> ZoneOffers:
        return self._make_gathering().gather(Question(
            self._context, ServerSpec.from_dict(build.request),
            [context.generate_request_id() for _ in range(count)],
            [own_uuid], time.monotonic() + _OFFERS_S, left_out=left_out,
        ))

    def give_back(self, items: Sequence[Item]) -> None:
        """Give back the offers of items that are not sent."""
        self._make_gathering().give_back(self._context, [
            Offer(item.request_id, 0, '', 0, tuple(item.via))
            for item in items
        ])

    def _make_gathering(self) -> Gathering:
        return Gathering(
            self._database, self._get_scheduler(), self._children, self._cloud
        )


def open_users(
    database: Database, children: Children,
    get_scheduler: Callable[[], SchedulerClient],
) -> Callable[[Build], BuildUser]:
    """Return what acts for the user of each build, by its trust.

    The token of a trust is kept from one call to the next.
    """
    tokens = trusts.Tokens()

    def get_user(build: Build) -> BuildUser:
        user = functools.partial(
            BuildUser, database, children, get_scheduler, build
        )
        if not build.trust_id:
            return user(None)
        opened = tokens.open_session(build.trust_id)
        return user(
            OwnCloud(opened), functools.partial(tokens.get, opened)
        )

    return get_user
