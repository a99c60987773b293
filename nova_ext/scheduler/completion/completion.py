"""What a closed trace's decision lacks, added when nobody waits for it."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from cachetools.func import ttl_cache

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as d
from nova_ext.scheduler.base.best_effort import harmless
from nova_ext.scheduler.completion import aggregate_exclusions
from nova_ext.scheduler.discovery import active_extensions, enabled
from nova_ext.scheduler.explainers import LETTERS, Reason, compute
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.trace import request_facts, trace

#: Seconds for which the lists of all hosts, of their services and of their
#: aggregates are reused: failures come in storms, and each explanation needs
#: them.
HOSTS_AGE_S = 10.0
#: Seconds for which the list of hosts is reused to count those of a success.
#: Reading 10,000 takes about 0.01 s of this process's time.
COUNTED_AGE_S = 300.0


class Completion:
    """Complete decisions."""

    def __init__(self) -> None:
        novas = nova_facts.NovaFacts()
        # What one ttl_cache() decorates shares one cache.
        self._all_hosts = ttl_cache(1, HOSTS_AGE_S)(novas.all_hosts)
        self._counted = ttl_cache(1, COUNTED_AGE_S)(novas.all_hosts)
        self._ailing = ttl_cache(1, HOSTS_AGE_S)(novas.ailing_services)
        self._aggregates = ttl_cache(1, HOSTS_AGE_S)(novas.aggregates)

    def complete(self, closed: trace.Trace, *, in_full: bool) -> d.Decision:
        """Return the decision, with reasons, weights and unread hints.

        :param in_full: add every host's weights to a success, too.
        """
        closed.finish(in_full=in_full)
        self._mark_unread_hints(closed)
        return self.add_digest(closed.decision)

    def add_digest(self, decision: d.Decision) -> d.Decision:
        """Return the decision, with the digest of the configuration."""
        decision.by['configuration'] = self._configuration
        return decision

    def add_absent(self, closed: trace.Trace) -> None:
        """Add the hosts that the scheduler did not see.

        What the cloud has beyond those, placement did not offer.
        """
        decision = closed.decision
        absent = _absent(closed, self._all_hosts)
        reasons = self._kept_out(decision, absent) or {}
        _add(decision, absent, self._details(absent) or {}, reasons)

    @harmless
    def count_absent(self, closed: trace.Trace) -> None:
        """Add such hosts to a success if there are any, and no more of them.

        Successes are frequent, so that this has to be cheap.
        """
        if absent := _absent(closed, self._counted):
            _add(closed.decision, absent, {}, {})

    @harmless
    def _details(self, absent: list[str]) -> dict[str, str]:
        """Return what ails the services of hosts, whatever keeps them out.

        Placement leaves disabled hosts out, so that no filter tells of them.
        """
        ailing = self._ailing() if absent else {}
        return {
            host: _ails(ailing[host]) for host in absent if host in ailing
        }

    @harmless
    def _kept_out(
        self, decision: d.Decision, absent: list[str]
    ) -> dict[str, Reason]:
        """Return why hosts are left out, where their aggregates tell."""
        prefilters = decision.prefilters or {}
        if not absent or not prefilters.keys() & {
            'aggregates', 'forbidden_aggregates'
        }:
            return {}
        return aggregate_exclusions.by_host(decision, absent, self._aggregates())

    @harmless
    def _mark_unread_hints(self, closed: trace.Trace) -> None:
        decision = closed.decision
        given = decision.request.get('hints')
        if given:
            decision.unread_hints = active_extensions.unread(
                given, closed.readers or self._readers
            )

    @cached_property
    def _readers(self) -> list[Any]:
        # In a stock scheduler, where nothing but them is ours.
        return [*enabled.filters(), *enabled.weighers()]

    @cached_property
    def _configuration(self) -> str:
        # None of what it is made of can change while the process lives.
        return request_facts.configuration()


def _absent(
    closed: trace.Trace, all_hosts: Callable[[], list[str]]
) -> list[str]:
    seen = set(closed.hosts)
    return [name for name in all_hosts() if name not in seen]


def _add(
    decision: d.Decision, absent: list[str], details: dict[str, str],
    reasons: dict[str, Reason],
) -> None:
    """Add the absent hosts; apart, those of which there is a reason."""
    first = decision.attempts[0].hosts_in if decision.attempts else 0
    decision.hosts_total = first + len(absent)
    others = [host for host in absent if host not in reasons]
    decision.absent = d.Rejection(
        _absence(decision), len(others), others,
        {host: details[host] for host in others if host in details},
    )
    decision.kept_out = d.rejections(
        ((host, why.text[:LETTERS]) for host, why in reasons.items()), {
            host: f'{why.detail} {details.get(host, "")}'.strip()[:LETTERS]
            for host, why in reasons.items()
        },
    )


def _ails(service: Any) -> str:
    """Return why no server starts there, to continue why it is absent."""
    why = compute.of_service(service)
    return f'and is {why.text} {why.detail}'.rstrip()[:LETTERS]


def _absence(decision: d.Decision) -> str:
    if decision.by.get('mode') == Mode.PLUGIN:
        return 'did not reach the filters'  # which is all that is seen there
    if decision.placement is None:
        return 'placement was not asked'
    if not decision.placement.answered:
        return 'no answer from placement'
    return 'no candidate from placement'
