"""Adapt filters of nova-ext's contract to Nova."""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nova.scheduler import filters as nova_filters
from nova.scheduler import utils

from nova_ext import plugin
from nova_ext.core.plugin import evaluation
from nova_ext.core.plugin.answers import MAX_LETTERS, PASS, Verdict, reject
from nova_ext.policy import enforcer
from nova_ext.scheduler.base.host_states import HostKey, host_key
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.discovery import enabled
from nova_ext.scheduler.explainers import Reason
from nova_ext.scheduler.plugins.adapter import Adapter
from nova_ext.scheduler.trace import request_facts


class FilterAdapter(Adapter, nova_filters.BaseHostFilter):
    """Adapt a plugin filter."""

    kind = 'filter'
    contract = plugin.Filter
    nova_class = nova_filters.BaseHostFilter
    namespace = 'nova_ext.filters'
    option = enabled.FILTERS

    def __init__(self) -> None:
        super().__init__()
        self.run_filter_once_per_request = self.plugin.once_per_request
        self.RUN_ON_REBUILD = self.plugin.run_on_rebuild
        self.log = logging.getLogger(self.plugin_class.__module__)
        self.log.info('%s is initialized!', self.plugin_class.__name__)

    def filter_all(self, hosts: Iterable[Any], spec: Any) -> Any:
        """Filter, or reject every host where the policy denies the caller."""
        hosts = list(hosts)
        verdicts = self._ask(evaluation.check_each, hosts, spec)
        _add_reasons(map(host_key, hosts), verdicts)
        return [
            host for host, verdict in zip(hosts, verdicts, strict=True)
            if verdict.passed
        ]

    def host_passes(self, host: Any, spec: Any) -> bool:
        """Say whether one host passes, as another filter may ask."""
        return bool(FilterAdapter.filter_all(self, [host], spec))

    def check_all(self, hosts: Any, spec: Any) -> Sequence[Verdict]:
        """Ask the plugin about many hosts at once, as filter_all would.

        :param hosts: Columns.
        """
        verdicts = self._ask(evaluation.check_all, hosts, spec)
        if not all(verdict.passed for verdict in verdicts):
            _add_reasons(
                zip(hosts.host, hosts.nodename, strict=True), verdicts
            )
        return verdicts

    def _ask(
        self, evaluate: Callable[..., Sequence[Verdict]], hosts: Any,
        spec: Any,
    ) -> Sequence[Verdict]:
        if not len(hosts) or (
            utils.request_is_rebuild(spec) and not self.RUN_ON_REBUILD
        ):
            return [PASS] * len(hosts)
        denial = self._find_denial(spec)
        if denial:
            return [reject(denial)] * len(hosts)
        return self.call(evaluate, self.plugin, hosts, spec)

    def _find_denial(self, spec: Any) -> str:
        """Return why policy rejects all hosts; empty: it does not."""
        rule = self.plugin.policy
        if not rule or not self.call(self.plugin.is_restricted, spec):
            return ''
        context = request_facts.get_caller_context(spec)
        if context is not None and enforcer.allows(
            rule, context, spec.project_id
        ):
            return ''
        self.log.warning('Policy %s denies the request', rule)
        return f'policy {rule} denies it'


def _add_reasons(
    hosts: Iterable[HostKey], verdicts: Sequence[Verdict]
) -> None:
    """Add to the trace why hosts are rejected; many for the same reason."""
    attempt = cycle.get_attempt()
    if attempt is None:
        return
    reasons = {
        verdict: Reason(
            verdict.reason[:MAX_LETTERS], verdict.detail[:MAX_LETTERS]
        ) for verdict in set(verdicts) if not verdict.passed
    }
    attempt.reasons |= {
        host: reasons[verdict]
        for host, verdict in zip(hosts, verdicts, strict=True)
        if not verdict.passed
    }
