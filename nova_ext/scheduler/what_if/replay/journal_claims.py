"""Claim in a copy of what placement had, and refuse what it refused."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from nova_ext.engine.free_resources import (
    FreeResources,
    read_demand,
    read_free,
)
from nova_ext.journal.model import JournalClaim, JournalDecision
from nova_ext.scheduler.what_if.replay import mirrored_candidates
from nova_ext.scheduler.what_if.replay.gaps import Gaps

#: A fact that a journal may lack.
FREE = 'what placement had free for several servers'


class JournalClaims:
    """Claim as placement did.

    It has the methods of Nova's client that choosing hosts needs. A host that
    was claimed then answers as it did then: others may have taken or freed it
    between placement's answer and the claim. Other hosts answer by what was
    free. A stock nova-scheduler does not show that: there they grant. Where
    the mirror decides, a host that is full or refused has no candidate left,
    and is no alternate either.

    :param gaps: takes what is unknown.
    """

    def __init__(self, gaps: Gaps) -> None:
        self._gaps = gaps
        self._claimed = self._servers = 0
        self._is_seen = False
        self._free = FreeResources({})
        #: What placement has yet to answer, by provider.
        self._answers: dict[str, list[bool]] = {}
        #: Providers of hosts that others took meanwhile. They are no
        #: alternates, which are chosen when each server has a host.
        self._taken: Collection[str] = ()
        #: Where the mirror decided: host states by provider.
        self._mirrored: Mapping[str, Any] = {}

    def open(
        self, decision: JournalDecision, states: Sequence[Any] = ()
    ) -> None:
        """Begin to decide a decision again.

        :param states: its hosts'.
        """
        candidates = mirrored_candidates.list_candidates(decision) or {
            'allocation_requests': (), 'provider_summaries': {},
        }
        self._mirrored = {
            state.uuid: state for state in states if decision.mirrored
        }
        summaries = candidates['provider_summaries']
        self._claimed, self._is_seen = 0, bool(summaries)
        self._servers = len(decision.servers)
        self._free = FreeResources(read_free(summaries))
        self._answers = _list_answers(decision, decision.claims)
        self._taken = _list_answers(decision, [
            claim for claim in decision.claims if not claim.server
        ])

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> bool:
        """Claim in the copy."""
        answer = self._recall(alloc_request['allocations'])
        demand = read_demand(alloc_request)
        is_lacking = self._is_seen and bool(self._free.find_lacking(demand))
        if answer is False or (answer is None and is_lacking):
            self._empty(alloc_request['allocations'])
            return False
        self._claimed += 1
        if self._claimed >= self._servers:
            self._empty(self._taken)
        self._free.deplete(demand)
        if not self._is_seen:
            if self._claimed > 1 and answer is None:
                self._gaps.note(FREE)
        elif self._free.find_lacking(demand):
            self._empty(alloc_request['allocations'])
        return True

    def _recall(self, providers: Iterable[str]) -> bool | None:
        """Return placement's answer to a claim; None: there was none.

        Who refused last refuses on.
        """
        for uuid in providers:
            answers = self._answers.get(uuid)
            if answers:
                stays = len(answers) == 1 and not answers[0]
                return answers[0] if stays else answers.pop(0)
        return None

    def _empty(self, providers: Iterable[str]) -> None:
        """Have hosts not tried any more, as the mirror does."""
        for uuid in providers:
            if uuid in self._mirrored:
                self._mirrored[uuid].allocation_candidates = []

    def delete_allocation_for_instance(
        self, context: Any, uuid: str, **kwargs: Any
    ) -> bool:
        """Do nothing: no later server uses what was claimed."""
        return False


def _list_answers(
    decision: JournalDecision, claims: Iterable[JournalClaim]
) -> dict[str, list[bool]]:
    """Return the answers to claims by provider, in order.

    Which node of several a claim was for is not known.
    """
    uuids: dict[str, list[str]] = {}
    for host in decision.hosts:
        uuids.setdefault(host.host, []).append(host.uuid)
    answers: dict[str, list[bool]] = {}
    for claim in claims:
        nodes = uuids.get(claim.host, [])
        if len(nodes) == 1:
            answers.setdefault(nodes[0], []).append(claim.claimed)
    return answers
