"""Ask this zone's own schedulers for what a build asks for."""

import logging
from typing import Any

from oslo_config import cfg

from nova_ext.core.base import scheduling_errors as s
from nova_ext.core.rpc.boot_request import BootRequest
from nova_ext.core.stats import capabilities as caps
from nova_ext.zones.build_request import OWNER_HINT, BuildRequest
from nova_ext.zones.offers import child_zones, matching
from nova_ext.zones.offers.matching import NoMatchError
from nova_ext.zones.offers.own_cloud import OwnCloud
from nova_ext.zones.offers.own_offers import BUSY, OwnAnswer, OwnOffers
from nova_ext.zones.offers.question import Question

#: Keystone lets nobody create servers here in the caller's name later.
NO_TRUST = 'no_trust'

LOG = logging.getLogger(__name__)

#: Codes by class of a scheduler's error.
_CODES: dict[type[s.SchedulingError], str] = {
    s.UnknownTopicError: 'no_offers',
    s.NoSchedulerError: 'no_scheduler',
    s.BusyError: BUSY,
    s.RequestTimeoutError: 'scheduler_silent',
    s.UnreachableError: 'scheduler_unreachable',
    s.TooOldError: 'scheduler_too_old',
    s.NotHonouredError: 'offers_not_honoured',
    s.DriverError: 'driver_failed',
    s.WrongArgumentsError: 'invalid_request',
    s.SchedulingError: 'scheduler_failed',
}


def ask(
    own: OwnOffers, cloud: OwnCloud | None, question: Question
) -> tuple[OwnAnswer, str]:
    """Offer slots of this zone's hosts.

    :param cloud: in the name of who will create the servers; None: nobody
        will.
    :returns: the answer, and what went wrong, for operators.
    :raises DatabaseError: when the database fails.
    """
    if cloud is None:
        return OwnAnswer(reason=NO_TRUST), ''
    build = question.build
    general = caps.parse(cfg.CONF.nova_ext_zones.zone_capabilities)
    if not child_zones.fits(build.constraints, general):
        return OwnAnswer(reason=child_zones.CONSTRAINT), ''
    try:
        return own.make(
            question.context,
            _find_boot(cloud, build, question.context),
            question.request_ids, question.ends, hold=question.hold,
        ), ''
    except NoMatchError as error:
        LOG.info('A question for offers: %s', error)
        return OwnAnswer(reason=error.code), str(error)
    except s.SchedulingError as error:
        LOG.warning('A question for offers: %s', error)
        return OwnAnswer(reason=next(
            _CODES[cls] for cls in type(error).__mro__ if cls in _CODES
        )), str(error)


def _find_boot(
    cloud: OwnCloud, build: BuildRequest, context: Any
) -> BootRequest:
    """Return the boot of one server, with the zone's own flavor and image."""
    project_id = context.project_id or ''
    matched = matching.find(cloud, build, project_id)
    hints = {OWNER_HINT: build.owner} if build.owner else {}
    return BootRequest(
        matched.flavor, matched.image,
        availability_zone=build.availability_zone,
        hints={**build.hints, **hints}, project_id=project_id,
        user_id=context.user_id or '', stored_flavor=True,
    )
