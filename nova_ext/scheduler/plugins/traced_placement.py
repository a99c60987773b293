"""Trace what placement answers: candidates, refusals and claims.

A stock nova-scheduler shows none of it, and never loads this.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from nova_ext.core.decision import decision as decisions
from nova_ext.core.decision import placement_answer, placement_refusal
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.plugins.traced import derive
from nova_ext.scheduler.trace import request_facts
from nova_ext.scheduler.trace.attempt import AttemptTrace

#: A provider with this trait is no host: hosts use its resources.
_SHARING = 'MISC_SHARES_VIA_AGGREGATE'


class PlacementTrace:
    """Follow the queries and claims of one request.

    :param decision: takes what is known of them.
    :param lap: ends a stage of the request.
    :ivar claim_status: HTTP status of placement's last answer to a claim.
    """

    def __init__(
        self, spec: Any, decision: decisions.Decision,
        lap: Callable[[str], None],
    ) -> None:
        self.claim_status = 0
        self._spec = spec
        self._decision = decision
        self._lap = lap
        self._roots: Collection[str] = frozenset()
        self._sharing: set[str] = set()
        #: Servers whose claims were not sent yet.
        self._unsent: set[str] = set()
        self._refusal = self._claim_refusal = ''

    @best_effort
    def end_prefilters(self) -> None:
        """Add what the prefilters asked for."""
        self._lap('prefilters')
        self._decision.prefilters = request_facts.describe_prefilters(
            self._spec
        )

    @best_effort
    def add_answer(self, answer: Any) -> None:
        """Add why placement refused the query, if it did.

        :param answer: its answer; Nova then calls it no candidates.
        """
        if answer.status_code != 200:
            self._refusal = placement_refusal.parse_refusal(
                answer.status_code, answer.text
            )

    @best_effort
    def add_candidates(
        self, resources: Any, requests: Sequence[Any] | None,
        summaries: dict[str, Any] | None,
    ) -> None:
        """Add the query to placement, and its candidates.

        Nova asks twice where processors are pinned, and uses both answers.

        :param resources: Nova's ResourceRequest.
        :param requests: placement's allocation requests; None where it did
            not answer.
        :param summaries: placement's provider summaries, by UUID; hosts are
            the roots of their trees. None as above.
        """
        self._lap('placement')
        known = summaries or {}
        self._roots = {*self._roots} | {
            summary.get('root_provider_uuid', uuid)
            for uuid, summary in known.items()
        }
        self._sharing |= {
            uuid for uuid, summary in known.items()
            if _SHARING in summary.get('traits', ())
        }
        count = len(requests or ())
        placement = self._decision.placement
        if placement is None:
            placement = self._decision.placement = decisions.Placement(
                resources.to_querystring(), 0, count
            )
        else:
            placement.query += f' {resources.to_querystring()}'
            placement.requests += count
            placement.vcpu_requests = count
        placement.candidates = len({*self._roots} - self._sharing)
        placement.answered &= requests is not None
        placement.refusal = self._refusal

    @best_effort
    def add_mirrored_candidates(
        self, resources: Any, uuids: Collection[str]
    ) -> None:
        """Add the query, and the providers that the mirror answers it with.

        The query has no limit, as the mirror has none.
        """
        self._lap('mirror')
        self._roots = uuids
        self._decision.placement = decisions.Placement(
            placement_answer.drop_limit(resources.to_querystring()),
            len(uuids), len(uuids),
        )

    @best_effort
    def add_claim_answer(self, answer: Any) -> None:
        """Add what placement answered to a claim, before the claim itself."""
        self.claim_status = answer.status_code
        self._claim_refusal = '' if answer.status_code < 400 else (
            placement_refusal.parse_claim_refusal(
                answer.status_code, answer.text
            )
        )

    @best_effort
    def add_claim(
        self, attempt: AttemptTrace | None, server: str,
        alloc_request: dict[str, Any], *, claimed: bool, answered: bool,
        sent: bool = True,
    ) -> None:
        """Add a claim in placement, also one that failed.

        :param attempt: chose the host; None: nothing is added.
        :param alloc_request: an allocation request, whose providers
            include the host's own.
        :param answered: whether placement said so.
        :param sent: False: it is sent later, with others, if at all.
        """
        if not sent:
            self._unsent.add(server)
        self._lap('claims')
        refusal, self._claim_refusal = self._claim_refusal, ''
        if attempt is not None:
            host = attempt.claim_host(alloc_request['allocations'])
            self._decision.claims.append(decisions.ClaimResult(
                server, host, claimed, answered,
                refusal if answered and not claimed else '',
            ))

    @best_effort
    def end_sending(self, servers: Collection[str], *, claimed: bool) -> None:
        """Note what became of claims that were added before they were sent."""
        self._lap('claims')
        self._unsent.difference_update(servers)
        for claim in self._decision.claims:
            if claim.server in servers and not claimed:
                claim.claimed = claim.answered = False

    def forget(self) -> None:
        """Forget what was asked and claimed: another begins afresh."""
        self._roots, self._sharing, self._unsent = frozenset(), set(), set()
        self._decision.placement, self._decision.claims = None, []

    def end(self) -> None:
        """Drop the claims that were never sent."""
        self._decision.claims = [
            claim for claim in self._decision.claims
            if claim.server not in self._unsent
        ]

    def finish(self) -> None:
        """Add the digest of what was offered; nobody waits any more."""
        if self._decision.placement is not None:
            self._decision.placement.offered = (
                placement_answer.digest_roots(self._roots)
            )


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
