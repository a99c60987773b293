"""Answer a question for offers: choose slots, and sign an offer of each."""

from collections.abc import Callable, Mapping
from typing import Any

from nova_ext.core.rpc.offers import (
    HeldRoom,
    OfferAnswer,
    OfferQuestion,
    Slot,
)
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.offers import offer_readiness, offer_signing
from nova_ext.scheduler.offers.filling import ChosenSlot, find_owner
from nova_ext.scheduler.offers.slots import SlotSimulation
from nova_ext.scheduler.plugins.costs import HostCosts
from nova_ext.scheduler.what_if import request_spec
from nova_ext.scheduler.what_if.simulate.simulation_requests import (
    SimulationRequests,
)


class ZoneOfferer:
    """Offer slots of the hosts of this zone.

    :param live: decides real boots.
    :param costs: adds up what a host costs.
    :param simulations: one question is answered at a time, of these and of
        simulations.
    :param list_fingerprints: returns those of the secrets that this scheduler
        accepts, that which signs first.
    """

    def __init__(
        self, live: NovaDecider, costs: HostCosts,
        simulations: SimulationRequests,
        list_fingerprints: Callable[[], list[str]],
    ) -> None:
        self._live = live
        self._costs = costs
        self._simulations = simulations
        self._list_fingerprints = list_fingerprints

    def make_offers(
        self, context: Any, question: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Choose slots, and offer each to the boot with its request id.

        Offers are made only while every scheduler would accept them: any may
        get the boot.

        :param question: an OfferQuestion as plain data.
        :returns: an OfferAnswer as plain data.
        :raises SchedulingError: a subclass says what is wrong.
        """
        loaded = OfferQuestion.from_dict(question)
        offer_readiness.check_schedulers(context, self._list_fingerprints())
        with self._simulations.take_turn(context, loaded.deadline_s):
            simulation = SlotSimulation(self._live, self._costs)
            spec, servers = request_spec.make(context, loaded.request)
            slots = simulation.choose(
                context, spec, servers, len(loaded.request_ids), loaded.held
            )
        # As of now: deciding takes time.
        expires_at = offer_signing.compute_expiry()
        return OfferAnswer(
            [
                _offer(request_id, spec, chosen, expires_at)
                for request_id, chosen in zip(
                    loaded.request_ids, slots.chosen, strict=False
                )
            ],
            dict(slots.reasons), slots.held_until,
        ).to_dict()


def _offer(
    request_id: str, spec: Any, chosen: ChosenSlot, expires_at: int
) -> Slot:
    """Return a slot with its signed offer, and the room that it holds."""
    return Slot(
        request_id, chosen.cost,
        offer_signing.sign(
            request_id, spec.project_id, chosen.host, chosen.node, expires_at
        ),
        HeldRoom(
            chosen.host, chosen.node,
            {
                provider: dict(amounts)
                for provider, amounts in chosen.allocations.items()
            },
            # As Nova's host state consumes them.
            int(spec.memory_mb),
            1024 * int(spec.root_gb + spec.ephemeral_gb), int(spec.vcpus),
            find_owner(spec), expires_at,
        ),
    )
