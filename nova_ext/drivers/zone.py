"""Offer hosts of this zone to the zone that asks."""

from collections.abc import Mapping
from typing import Any

from nova_ext.plugin import (
    Driver,
    Offerer,
    RequestContext,
    schedule_method,
)


class ZoneAwareScheduler(Driver):
    """Schedule topic ``zone``: what this zone offers to others.

    nova-ext-api of the zone asks it; zones ask each other over HTTP.
    """

    topic = 'zone'
    hints = ()

    offerer: Offerer

    @schedule_method
    def make_offers(
        self, context: RequestContext, question: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return slots of the zone's own hosts, the cheapest first.

        Nothing is claimed. The answer names hosts.
        """
        return self.offerer.make_offers(context, question)
