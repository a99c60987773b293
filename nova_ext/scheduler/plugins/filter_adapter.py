"""Adapt filters of nova-ext's contract to Nova."""

import logging
from collections.abc import Iterable
from typing import Any

from nova.scheduler import filters as nova_filters
from nova.scheduler import utils

from nova_ext.core import extension
from nova_ext.core.plugin.answers import Verdict
from nova_ext.policy import enforcer
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.discovery import enabled
from nova_ext.scheduler.explainers import Reason
from nova_ext.scheduler.plugins.adapter import Adapter
from nova_ext.scheduler.trace import request_facts, trace


class FilterAdapter(Adapter, nova_filters.BaseHostFilter):
    """Adapt a plugin filter."""

    kind = 'filter'
    contract = extension.Filter
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
        rule = self.plugin.policy
        if rule and hosts and self._restricts(spec):
            context = request_facts.get_caller_context(spec)
            if context is None or not enforcer.allows(
                rule, context, spec.project_id
            ):
                self.log.warning('Policy %s denies the request', rule)
                for host in hosts:
                    _set_reason(host, f'policy {rule} denies it')
                return []
        return list(super().filter_all(hosts, spec))

    def host_passes(self, host: Any, spec: Any) -> bool:
        """Ask the plugin, and set its reason in the trace."""
        verdict = self.call(self._check, host, spec)
        if not verdict.passed:
            _set_reason(host, verdict.reason, verdict.detail)
        return bool(verdict.passed)

    def _check(self, host: Any, spec: Any) -> Verdict:
        verdict = self.plugin.check(host, spec)
        if not isinstance(verdict, Verdict):
            raise TypeError('check() returned no verdict')
        return verdict

    def _restricts(self, spec: Any) -> bool:
        """Say whether the policy holds; not where the filter does not run."""
        if utils.request_is_rebuild(spec) and not self.RUN_ON_REBUILD:
            return False
        return bool(self.call(self.plugin.is_restricted, spec))


def _set_reason(host: Any, reason: str, detail: str = '') -> None:
    attempt = trace.current_attempt()
    if attempt is not None:
        attempt.reasons[host_key(host)] = Reason(reason, detail)
