"""Nova's placement client, with what it is asked written down."""

from typing import Any

from nova_ext.scheduler import trace


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
        made = trace.current()
        if made is not None:
            made.lap('prefilters')
        found = None
        try:
            found = self._client.get_allocation_candidates(context, resources)
        finally:
            if made is not None:
                made.lap('placement')
                requests, summaries, _ = found or (None, None, None)
                made.offered(resources, requests, summaries)
        return found

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> Any:
        """Claim, and note the host and whether it worked."""
        claimed = self._client.claim_resources(
            context, consumer_uuid, alloc_request, *args, **kwargs
        )
        made = trace.current()
        if made is not None:
            made.claimed(consumer_uuid, alloc_request, bool(claimed))
        return claimed
