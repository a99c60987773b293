"""Add what placement answers to the trace.

A stock nova-scheduler shows no answer of placement, and never loads this.
"""

from typing import Any

from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.plugins.traced import derive


class TracedReportClient:
    """Trace why placement refuses queries and claims; a mixin before Nova's.

    Nova logs placement's words and drops them.
    """

    def get(self, url: str, *args: Any, **kwargs: Any) -> Any:
        """Ask as the client does."""
        answer = super().get(url, *args, **kwargs)  # type: ignore[misc]
        traced = cycle.get_placement_trace()
        if traced is not None and url.startswith('/allocation_candidates'):
            traced.add_answer(answer)
        return answer

    def put(self, url: str, *args: Any, **kwargs: Any) -> Any:
        """Put as the client does."""
        answer = super().put(url, *args, **kwargs)  # type: ignore[misc]
        traced = cycle.get_placement_trace()
        if traced is not None and url.startswith('/allocations/'):
            traced.add_claim_answer(answer)
        return answer

    def post(self, url: str, *args: Any, **kwargs: Any) -> Any:
        """Post as the client does; the mirror claims so."""
        answer = super().post(url, *args, **kwargs)  # type: ignore[misc]
        traced = cycle.get_placement_trace()
        if traced is not None and url == '/allocations':
            traced.add_claim_answer(answer)
        return answer


class TracedPlacementClient:
    """Trace candidates and claims of Nova's SchedulerReportClient."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Ask for candidates, and trace them; prefilters have run by then.

        Where placement does not answer, Nova's client raises, or returns
        None or three times None.
        """
        traced = cycle.get_placement_trace()
        if traced is not None:
            traced.end_prefilters()
        answer = None
        try:
            answer = self._client.get_allocation_candidates(context, resources)
        finally:
            if traced is not None:
                requests, summaries, _ = answer or (None, None, None)
                traced.add_candidates(resources, requests, summaries)
            journaled = cycle.get_journaled()
            if journaled is not None:
                journaled.add_candidates(resources, answer)
        return answer

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> Any:
        """Claim, and trace the host and whether it worked.

        Nova's client may raise, as where a proxy answers for placement.
        """
        traced = cycle.get_placement_trace()
        if traced is not None:
            traced.claim_status = 0
        claimed = None
        try:
            claimed = self._client.claim_resources(
                context, consumer_uuid, alloc_request, *args, **kwargs
            )
        finally:
            if traced is not None:
                traced.add_claim(
                    cycle.get_attempt(), consumer_uuid, alloc_request,
                    claimed=bool(claimed),
                    answered=bool(claimed)
                    or 400 <= traced.claim_status < 500,
                )
        return claimed


def trace_report_client(client: Any) -> Any:
    """Return Nova's placement client, whose class is replaced in place."""
    client.__class__ = derive(TracedReportClient, type(client))
    return client
