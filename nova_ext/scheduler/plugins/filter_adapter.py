"""Adapt filters of nova-ext's contract to Nova."""

import logging
from collections.abc import Iterable, Sequence
from typing import Any

from nova.scheduler import filters as nova_filters
from nova.scheduler import utils

from nova_ext.core import extension
from nova_ext.core.plugin.answers import MAX_LETTERS, Verdict, reject
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
        denial = self._find_denial(spec) if hosts else ''
        if denial:
            for host in hosts:
                _set_reason(host, denial)
            return []
        return list(super().filter_all(hosts, spec))

    def check_all(self, hosts: Any, spec: Any) -> Sequence[Verdict]:
        """Ask the plugin about many hosts at once, as filter_all would.

        :param hosts: Columns, at least one host.
        :param spec: of no rebuild, for which some filters are not asked.
        """
        denial = self._find_denial(spec)
        verdicts = (
            [reject(denial)] * len(hosts) if denial
            else self.call(self._check_all, hosts, spec)
        )
        attempt = cycle.get_attempt()
        if attempt is not None:
            attempt.reasons |= _list_reasons(hosts, verdicts)
        return verdicts

    def host_passes(self, host: Any, spec: Any) -> bool:
        """Ask the plugin, and set its reason in the trace."""
        verdict = self.call(self._check, host, spec)
        if not verdict.passed:
            _set_reason(host, verdict.reason, verdict.detail)
        return bool(verdict.passed)

    def _find_denial(self, spec: Any) -> str:
        """Return why policy rejects all hosts; empty: it does not."""
        rule = self.plugin.policy
        if not rule or not self._restricts(spec):
            return ''
        context = request_facts.get_caller_context(spec)
        if context is not None and enforcer.allows(
            rule, context, spec.project_id
        ):
            return ''
        self.log.warning('Policy %s denies the request', rule)
        return f'policy {rule} denies it'

    def _check_all(self, hosts: Any, spec: Any) -> Sequence[Verdict]:
        verdicts = self.plugin.check_all(hosts, spec)
        if len(verdicts) != len(hosts) or not all(
            isinstance(verdict, Verdict) for verdict in verdicts
        ):
            raise TypeError('check_all() did not return one verdict a host')
        return verdicts

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
    attempt = cycle.get_attempt()
    if attempt is not None:
        attempt.reasons[host_key(host)] = _make_reason(reason, detail)


def _list_reasons(
    hosts: Any, verdicts: Sequence[Verdict]
) -> dict[HostKey, Reason]:
    """Return why hosts are rejected; many for the same reason."""
    reasons = {
        verdict: _make_reason(verdict.reason, verdict.detail)
        for verdict in set(verdicts) if not verdict.passed
    }
    if not reasons:
        return {}
    return {
        (host, node): reasons[verdict] for host, node, verdict
        in zip(hosts.host, hosts.nodename, verdicts, strict=True)
        if not verdict.passed
    }


def _make_reason(reason: str, detail: str) -> Reason:
    return Reason(reason[:MAX_LETTERS], detail[:MAX_LETTERS])
