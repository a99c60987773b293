"""Claim in a copy of what placement had, and refuse what it refused."""

from collections.abc import Iterator, Mapping
from typing import Any

from nova_ext.engine.free_resources import (
    FreeResources,
    read_demand,
    read_free,
)
from nova_ext.journal.model import JournalDecision
from nova_ext.scheduler.ask.replay.gaps import Gaps
from nova_ext.scheduler.ask.replay.journal_source import group_by_provider

#: A fact that a journal may lack.
FREE = 'what placement had free for several servers'


class RecordedClaims:
    """Claim as placement did.

    It has the methods of Nova's client that choosing hosts needs. Others may
    have taken a host between placement's answer and the claim. Such a host
    refuses again. A stock nova-scheduler does not show what placement has
    free: there every claim is granted.

    :param gaps: takes what is unknown.
    """

    def __init__(self, gaps: Gaps) -> None:
        self._gaps = gaps
        self._claimed = 0
        self._is_seen = False
        self._free = FreeResources({})
        self._taken: frozenset[str] = frozenset()

    def open(self, decision: JournalDecision) -> None:
        """Begin to decide a decision again."""
        candidates = decision.candidates or {
            'allocation_requests': (), 'provider_summaries': {},
        }
        summaries = candidates['provider_summaries']
        self._claimed, self._is_seen = 0, bool(summaries)
        self._free = FreeResources(read_free(summaries))
        self._taken = frozenset(
            _list_taken(decision, candidates) if summaries else ()
        )

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> bool:
        """Claim in the copy."""
        if not self._taken.isdisjoint(alloc_request['allocations']):
            return False
        self._claimed += 1
        if not self._is_seen:
            if self._claimed > 1:
                self._gaps.note(FREE)
            return True
        demand = read_demand(alloc_request)
        if self._free.find_lacking(demand):
            return False
        self._free.claim(demand)
        return True

    def delete_allocation_for_instance(
        self, context: Any, uuid: str, **kwargs: Any
    ) -> bool:
        """Do nothing: no later server uses what was claimed."""
        return False


def _list_taken(
    decision: JournalDecision, candidates: Mapping[str, Any]
) -> Iterator[str]:
    """Yield providers of hosts that others took meanwhile.

    A claim that earlier servers of the request left no room for is refused
    by the copy itself.
    """
    uuids = {host.host: host.uuid for host in decision.hosts}
    by_provider = group_by_provider(candidates)
    free = FreeResources(
        read_free(candidates['provider_summaries'])
    )
    for claim in decision.claims:
        uuid = uuids.get(claim.host, '')
        requests = by_provider.get(uuid)
        if not requests:
            continue
        demand = read_demand(requests[0])
        if claim.claimed:
            free.claim(demand)
        elif not free.find_lacking(demand):
            yield uuid
