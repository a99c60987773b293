"""Ask placement for candidates, and claim nothing in it."""

from typing import Any

from nova_ext.engine.free_resources import FreeResources
from nova_ext.scheduler.claims.first_claims import Answer
from nova_ext.scheduler.claims.mirrored_client import (
    MirroredClient,
    get_request,
)
from nova_ext.scheduler.simulate import placement_rows


class ReadOnlyPlacement:
    """Ask placement for candidates, and claim in a copy of its answer.

    It has the methods of Nova's client that choosing hosts needs, and no
    other, so that nothing else can reach placement.

    :param client: Nova's SchedulerReportClient.
    :param unlimited: ask for all candidates, whatever
        ``max_placement_results`` says.
    :ivar summaries: provider summaries, by UUID.
    """

    def __init__(self, client: Any, *, unlimited: bool = False) -> None:
        self._client = client
        self._unlimited = unlimited
        self.summaries: dict[str, Any] = {}
        self._copy = FreeResources({})

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Ask for candidates; what their providers have free can be claimed.

        Nova asks twice where processors are pinned, and uses both answers.
        """
        if self._unlimited:
            resources._limit = None
        answer = self._client.get_allocation_candidates(context, resources)
        self.summaries |= (answer and answer[1]) or {}
        self._copy = FreeResources(placement_rows.read_free(self.summaries))
        return answer

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> bool:
        """Claim in the copy."""
        demand = placement_rows.read_demand(alloc_request)
        if self._copy.find_lacking(demand):
            return False
        self._copy.claim(demand)
        return True

    def delete_allocation_for_instance(
        self, context: Any, uuid: str, **kwargs: Any
    ) -> bool:
        """Do nothing: no later server uses what was claimed.

        :returns: False, as where there is none. None would be no answer.
        """
        return False


class MirroredReadOnlyPlacement(MirroredClient):
    """Answer for placement from a mirror, and claim in its request alone.

    A simulated request keeps no claims to send them together.
    """

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> Any:
        """Note the claim in the request, or claim as its client does."""
        request = get_request()
        if request is None:
            return self._client.claim_resources(
                context, consumer_uuid, alloc_request, *args, **kwargs
            )
        request.claimed.append(consumer_uuid)
        request.note_claim(alloc_request['allocations'])
        self._trace(consumer_uuid, alloc_request, Answer.CLAIMED)
        return True
