"""Take hosts, candidates and draws from a journal."""

import collections
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nova import exception

from nova_ext.journal.model import JournalDecision
from nova_ext.scheduler.base.host_states import HostKey, host_key
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.cycle.nova_source import NovaSource
from nova_ext.scheduler.trace import tie_break
from nova_ext.scheduler.what_if.replay import mirrored_candidates

#: Any seed draws, where the journal has none: the set of equal hosts tells
#: what else could have been drawn.
_ANY_SEED = 0


class JournalSource(NovaSource):
    """Answer as placement did, and draw as was drawn.

    :ivar decision: what is decided again.
    :ivar equal: for each draw without a seed, the hosts that could have been
        drawn, by the server's number.
    """

    decision: JournalDecision

    def __init__(self) -> None:
        self.equal: dict[int, Sequence[HostKey]] = {}
        self._draws = 0

    def open(self, decision: JournalDecision) -> None:
        """Begin to decide a decision again."""
        self.decision, self.equal, self._draws = decision, {}, 0

    def select(
        self, select: Callable[..., Any], choose: Callable[..., Any],
        context: Any, **request: Any,
    ) -> Any:
        """Choose among the candidates of then; ask nobody.

        :raises NoValidHost: where placement had none.
        """
        candidates = mirrored_candidates.list_candidates(self.decision)
        by_provider, summaries, version = None, None, None
        if candidates is not None:
            by_provider = group_by_provider(candidates)
            summaries = candidates['provider_summaries']
            version = candidates.get('version')
            if not by_provider:
                raise exception.NoValidHost(reason='')
        return choose(
            context, request['spec_obj'], request['instance_uuids'],
            by_provider, summaries, version, request['return_alternates'],
        )

    def get_seed(self, index: int) -> int | None:
        """Return the seed of then."""
        seed = self._find_seed(index)
        return _ANY_SEED if seed is None else seed

    def rank(
        self, rank: Callable[..., Any], spec: Any, hosts: Any, index: int
    ) -> Any:
        """Return the hosts that pass, best first."""
        seed = self._find_seed(index)
        passed = super().rank(rank, spec, hosts, index)
        self._draws += 1
        attempt = cycle.get_attempt()
        if seed is not None or attempt is None or len(passed) < 2:
            return passed
        tie = tie_break.find_nova_draw(
            attempt.weighings, passed, passed, None
        )
        if not tie.hosts:
            return passed
        keys = [host_key(host) for host in tie.hosts]
        self.equal[index] = keys
        return _put_first(passed, self._find_drawn(index), keys)

    def _find_seed(self, index: int) -> int | None:
        attempts = self.decision.attempts
        if self._draws >= len(attempts):
            return None
        attempt = attempts[self._draws]
        return attempt.seed if attempt.index == index else None

    def _find_drawn(self, index: int) -> HostKey | None:
        """Return the host that was chosen then."""
        destinations = self.decision.destinations
        if index < len(destinations) and destinations[index]:
            host, node = destinations[index][0]
            return host, node
        return None


def group_by_provider(
    candidates: Mapping[str, Any]
) -> dict[str, list[Any]]:
    """Return allocation requests by provider, as Nova groups them."""
    by_provider: dict[str, list[Any]] = collections.defaultdict(list)
    for request in candidates['allocation_requests']:
        for provider in request['allocations']:
            by_provider[provider].append(request)
    return by_provider


def _put_first(
    hosts: Sequence[Any], wanted: HostKey | None, among: Sequence[HostKey]
) -> list[Any]:
    """Put the host that was drawn first, if it could be drawn again."""
    if wanted is None or wanted not in among:
        return list(hosts)
    return sorted(hosts, key=lambda host: host_key(host) != wanted)
