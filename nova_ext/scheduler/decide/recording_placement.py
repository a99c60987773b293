"""Nova's placement client, with what it is asked written down."""

from typing import Any

from nova_ext.scheduler.trace import trace


class RecordingPlacementClient:
    """Passes every call on to Nova's client.

    :param client: Nova's SchedulerReportClient.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Ask for candidates; prefilters are through by then.

        Nova's client returns nothing, or three times None, or raises, where
        placement did not answer.
        """
        open_trace = trace.current()
        if open_trace is not None:
            open_trace.end_prefilters()
        answer = None
        try:
            answer = self._client.get_allocation_candidates(context, resources)
        finally:
            if open_trace is not None:
                requests, summaries, _ = answer or (None, None, None)
                open_trace.add_candidates(resources, requests, summaries)
        return answer

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> Any:
        """Claim, and note the host and whether it worked."""
        claimed = self._client.claim_resources(
            context, consumer_uuid, alloc_request, *args, **kwargs
        )
        open_trace = trace.current()
        if open_trace is not None:
            open_trace.add_claim(consumer_uuid, alloc_request, bool(claimed))
        return claimed
