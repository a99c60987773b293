"""Ask placement for candidates, and claim nothing in it."""

from collections.abc import Callable, Sequence
from typing import Any

from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.engine.free_resources import (
    FreeResources,
    read_demand,
    read_free,
)
from nova_ext.engine.providers import Amounts
from nova_ext.scheduler.what_if.simulate import full_hosts


class ReadOnlyPlacement:
    """Ask placement for candidates, and claim in a copy of its answer.

    It has the methods of Nova's client that choosing hosts needs, and no
    other, so that nothing else can reach placement.

    :param client: Nova's SchedulerReportClient.
    :param unlimited: ask for all candidates, whatever
        ``max_placement_results`` says.
    :param held: what is held of providers, and placement does not know.
    :param complete: returns an answer with the room that placement does not
        know to be free; of the context, an answer and a ResourceRequest.
    :param ignore_room: offer hosts that are full as if they were empty.
    :ivar claimed: what the last claim took.
    :ivar filled: how many hosts have no candidate for what is held.
    :ivar diagnosis: what hosts lack that are left out, where full ones were
        looked for; else None.
    :ivar summaries: provider summaries, by UUID.
    """

    def __init__(
        self, client: Any, *, unlimited: bool = False,
        held: Sequence[Amounts] = (), ignore_room: bool = False,
        complete: Callable[[Any, Any, Any], Any] = lambda _, answer, __: (
            answer
        ),
    ) -> None:
        self._client = client
        self._unlimited = unlimited or ignore_room
        self._ignore_room = ignore_room
        self._held = held
        self._complete = complete
        self.claimed: Amounts = {}
        self.filled = 0
        self.diagnosis: PlacementDiagnosis | None = None
        self.summaries: dict[str, Any] = {}
        self._copy = FreeResources({})

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Ask for candidates; what their providers have free can be claimed.

        Nova asks twice where processors are pinned, and uses both answers.
        """
        if self._unlimited:
            resources._limit = None
        answer = self._complete(
            context,
            self._client.get_allocation_candidates(context, resources),
            resources,
        )
        if self._ignore_room and answer and answer[1] is not None:
            answer, self.diagnosis = full_hosts.add(
                answer, resources.to_querystring()
            )
        self.summaries |= (answer and answer[1]) or {}
        self._copy = FreeResources(read_free(self.summaries))
        for demand in self._held:
            self._copy.deplete(demand)
        return self._leave_out_held(answer) if self._held and answer else (
            answer
        )

    def _leave_out_held(self, answer: Any) -> Any:
        """Return an answer as placement would give it without what is held."""
        candidates, summaries, version = answer
        fitting = [
            each for each in candidates
            if not self._copy.find_lacking(read_demand(each))
        ]
        before, after = (
            {
                summaries[provider]['root_provider_uuid']
                for each in some for provider in each['allocations']
                if provider in summaries
            } for some in (candidates, fitting)
        )
        self.filled = len(before - after)
        return fitting, {
            provider: summary for provider, summary in summaries.items()
            if summary['root_provider_uuid'] in after
        }, version

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> bool:
        """Claim in the copy."""
        demand = read_demand(alloc_request)
        if self._copy.find_lacking(demand):
            return False
        self._copy.claim(demand)
        self.claimed = demand
        return True

    def delete_allocation_for_instance(
        self, context: Any, uuid: str, **kwargs: Any
    ) -> bool:
        """Do nothing: no later server uses what was claimed.

        :returns: False, as where there is none. None would be no answer.
        """
        return False
