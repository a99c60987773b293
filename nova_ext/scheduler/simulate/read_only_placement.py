"""Placement as a simulation sees it: asked, and never told."""

from typing import Any

from nova_ext.core.rpc.placement_sandbox import Ledger


class DryPlacement:
    """Asks placement for candidates, and claims in a copy of its answer.

    It has the methods of Nova's client that choosing hosts needs, and no
    other, so that nothing else can reach placement.

    :param client: Nova's SchedulerReportClient.
    :param unlimited: ask for all candidates, whatever
        ``max_placement_results`` says.
    """

    def __init__(self, client: Any, *, unlimited: bool = False) -> None:
        self._client = client
        self._unlimited = unlimited
        self.summaries: dict[str, Any] = {}
        self._ledger = Ledger({})

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Ask for candidates; what they have free can be claimed after it.

        Nova asks twice where processors are pinned, and uses both answers.
        """
        if self._unlimited:
            resources._limit = None
        found = self._client.get_allocation_candidates(context, resources)
        self.summaries |= (found and found[1]) or {}
        self._ledger = Ledger(self.summaries)
        return found

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> bool:
        """Claim in the copy."""
        return self._ledger.claim(alloc_request['allocations'])

    def delete_allocation_for_instance(
        self, context: Any, uuid: str, **kwargs: Any
    ) -> None:
        """Give back what was claimed for a server: of no use any more."""
