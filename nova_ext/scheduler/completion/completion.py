"""Complete the decision of a closed trace: no boot waits for it."""

import math
from functools import cached_property
from typing import Any

from cachetools.func import ttl_cache
from nova import servicegroup

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as decisions
from nova_ext.scheduler.base import host_states
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.discovery import enabled, hint_readers
from nova_ext.scheduler.explainers import MAX_LETTERS, Reason, compute
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.facts.as_of import AsOf
from nova_ext.scheduler.trace import request_facts, trace

#: Facts on services and aggregates are read this soon after a decision.
FACTS_WITHIN_S = 2.0
#: Seconds for which the list of hosts is reused to count those of a success.
COUNTED_AGE_S = 300.0


class Completion:
    """Complete decisions."""

    def __init__(self) -> None:
        novas = nova_facts.NovaFacts()
        # What one ttl_cache() decorates shares one cache.
        self._all_hosts = AsOf(novas.list_all_hosts, math.inf)
        self._counted_hosts = ttl_cache(1, COUNTED_AGE_S)(novas.list_all_hosts)
        self._disabled = AsOf(novas.list_disabled_services, FACTS_WITHIN_S)
        self._aggregates = AsOf(novas.list_aggregates, FACTS_WITHIN_S)

    def complete(
        self, closed: trace.Trace, *, in_full: bool
    ) -> decisions.Decision:
        """Return the decision, with reasons, weights and unread hints.

        :param in_full: add every host's weights to a success, too.
        """
        closed.finish(in_full=in_full)
        self._mark_unread(closed)
        return self.add_digest(closed.decision)

    def add_digest(self, decision: decisions.Decision) -> decisions.Decision:
        """Return the decision, with the digest of the configuration."""
        decision.by['configuration'] = self._configuration
        return decision

    def add_absent(self, closed: trace.Trace) -> None:
        """Add the hosts that the scheduler did not see, with reasons.

        Add none where the list is not as of the decision, as after a clock
        was set back, or where a host has several nodes.
        """
        all_hosts = self._all_hosts.get(closed.ended_at)
        if all_hosts is not None and not _has_several_nodes(closed):
            self._set_absent(closed, _find_absent(closed, all_hosts))

    @best_effort
    def count_absent(self, closed: trace.Trace) -> None:
        """Add the same hosts to a success, with reasons."""
        absent = _find_absent(closed, self._counted_hosts())
        if absent and not _has_several_nodes(closed):
            self._set_absent(closed, absent)

    def _set_absent(self, closed: trace.Trace, absent: list[str]) -> None:
        decision = closed.decision
        details = self._describe_services(closed, absent) or {}
        if decision.by.get('mode') == Mode.PLUGIN:
            ignored = decision.request.get('ignore_hosts', ())
            details |= {
                host: 'and was refused for the live migration' if number
                else 'and is to be left'
                for number, host in enumerate(ignored) if host in absent
            }
        _set_absent(
            decision, absent, details,
            self._find_reasons(closed, absent) or {},
        )

    @best_effort
    def _describe_services(
        self, closed: trace.Trace, absent: list[str]
    ) -> dict[str, str]:
        """Return which services were disabled, by host.

        Placement leaves disabled hosts out, so that no filter sees them.
        """
        disabled = (absent and self._disabled.get(closed.ended_at)) or {}
        group = servicegroup.API()
        reasons = {
            host: compute.explain_service(disabled[host], group)
            for host in absent if host in disabled
        }
        return {
            host: f'and is {text} {detail}'.rstrip()[:MAX_LETTERS]
            for host, (text, detail) in reasons.items()
        }

    @best_effort
    def _find_reasons(
        self, closed: trace.Trace, absent: list[str]
    ) -> dict[str, Reason]:
        """Return why aggregates kept hosts out, by host."""
        decision = closed.decision
        prefilters = decision.prefilters or {}
        if not absent or not prefilters.keys() & {
            'aggregates', 'forbidden_aggregates'
        }:
            return {}
        # Most requests to a stock nova-scheduler do without.
        from nova_ext.scheduler.completion import aggregate_exclusions

        return aggregate_exclusions.find_reasons(
            decision, absent, self._aggregates.get(closed.ended_at) or ()
        )

    @best_effort
    def _mark_unread(self, closed: trace.Trace) -> None:
        decision = closed.decision
        if hints := decision.request.get('hints'):
            decision.unread_hints = hint_readers.find_unread_hints(
                hints, closed.readers or self._readers
            )
        if closed.mode is Mode.SCHEDULER or closed.spec.flavor.extra_specs:
            from nova_ext.scheduler.completion import unread_metadata

            unread_metadata.mark(closed)

    @cached_property
    def _readers(self) -> list[Any]:
        return [*enabled.load_filters(), *enabled.load_weighers()]

    @cached_property
    def _configuration(self) -> str:
        return request_facts.digest_configuration()


def _has_several_nodes(closed: trace.Trace) -> bool:
    """Say whether one of the hosts had several nodes, as with Ironic."""
    names = [host.host for host in closed.host_states]
    return len(set(names)) < len(names)


def _find_absent(closed: trace.Trace, all_hosts: list[str]) -> list[str]:
    absent = host_states.find_missing(closed.host_states, all_hosts)
    return [name for name in all_hosts if name in absent] if absent else []


def _set_absent(
    decision: decisions.Decision, absent: list[str], details: dict[str, str],
    reasons: dict[str, Reason],
) -> None:
    """Add the absent hosts; those with a reason stand apart."""
    first = decision.attempts[0].hosts_in if decision.attempts else 0
    decision.hosts_total = first + len(absent)
    others = [host for host in absent if host not in reasons]
    decision.absent = decisions.Rejection(
        _describe_absence(decision), len(others), others,
        {host: details[host] for host in others if host in details},
    )
    decision.kept_out = decisions.group_rejections(
        ((host, text[:MAX_LETTERS]) for host, (text, _) in reasons.items()), {
            host: f'{detail} {details.get(host, "")}'.strip()[:MAX_LETTERS]
            for host, (_, detail) in reasons.items()
        },
    )


def _describe_absence(decision: decisions.Decision) -> str:
    if decision.by.get('mode') == Mode.PLUGIN:
        return 'did not reach the filters'  # which is all that is seen there
    if decision.placement is None:
        return 'placement was not asked'
    if decision.placement.refusal:
        return 'not offered'
    if not decision.placement.answered:
        return 'no answer from placement'
    return 'no candidate from placement'
