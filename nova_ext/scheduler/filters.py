"""Filters for nova-scheduler: ours, installed ones and Nova's, recorded.

One line of nova.conf brings them all, in a stock nova-scheduler too::

    [filter_scheduler]
    available_filters = nova_ext.scheduler.filters.all_filters

Nova's own line may stand beside it; place ours last, since of two classes
under one name Nova takes the later, and only ours records.
"""

import contextlib
import logging
from collections.abc import Iterable
from typing import Any

from nova.scheduler import filters as nova_filters
from nova.scheduler import utils

from nova_ext.core import extension, verdict
from nova_ext.policy import enforcer
from nova_ext.scheduler import (
    enabled,
    options,
    recording,
    request_facts,
    stock_sequence,
    trace,
)
from nova_ext.scheduler.adapter import Adapter
from nova_ext.scheduler.explainers import Reason
from nova_ext.scheduler.host_identity import host_key

LINE = 'nova_ext.scheduler.filters.all_filters'


def all_filters() -> list[type[Any]]:
    """Return all filter classes there are, each recording its verdicts.

    :returns: subclasses of Nova's BaseHostFilter: Nova's own under their
        own names, then those of the entry-point group nova_ext.filters.
    :raises ConfigurationError: for a broken plugin, one whose name is
        taken, or a policy file that can't be read.
    """
    enforcer.validate()
    classes = FilterAdapter.load(nova_filters.all_filters())
    stock_sequence.expect_filters(set(classes) - _replaced_later())
    return list(classes.values())


class FilterAdapter(Adapter, nova_filters.BaseHostFilter):
    """Nova's side of a plugin filter."""

    kind = 'filter'
    contract = extension.Filter
    nova_class = nova_filters.BaseHostFilter
    namespace = 'nova_ext.filters'
    option = enabled.FILTERS
    recording_class = recording.filter_class

    def __init__(self) -> None:
        super().__init__()
        self.run_filter_once_per_request = self.plugin.once_per_request
        self.RUN_ON_REBUILD = self.plugin.run_on_rebuild
        self.log = logging.getLogger(self.plugin_class.__module__)
        self.log.info('%s is initialized!', self.plugin_class.__name__)

    def filter_all(self, hosts: Iterable[Any], spec: Any) -> Any:
        """Reject every host of a caller whom the policy denies."""
        hosts = list(hosts)
        rule = self.plugin.policy
        if rule and hosts and self._restricts(spec):
            context = request_facts.caller(spec)
            if context is None or not enforcer.allows(
                rule, context, spec.project_id
            ):
                self.log.warning('Policy %s denies the request', rule)
                for host in hosts:
                    _because(host, f'policy {rule} denies it')
                return []
        return list(super().filter_all(hosts, spec))

    def host_passes(self, host: Any, spec: Any) -> bool:
        """Ask the plugin, and keep its reason."""
        answer = self.ask(self._check, host, spec)
        if not answer.passed:
            _because(host, answer.reason, answer.detail)
        return bool(answer.passed)

    def _check(self, host: Any, spec: Any) -> verdict.Verdict:
        answer = self.plugin.check(host, spec)
        if not isinstance(answer, verdict.Verdict):
            raise TypeError('check() returned no verdict')
        return answer

    def _restricts(self, spec: Any) -> bool:
        """Whether the request needs the policy; not where nobody filters."""
        if utils.request_is_rebuild(spec) and not self.RUN_ON_REBUILD:
            return False
        return bool(self.ask(self.plugin.restricted, spec))


def _because(host: Any, reason: str, detail: str = '') -> None:
    attempt = trace.current_attempt()
    if attempt is not None:
        attempt.reasons[host_key(host)] = Reason(reason, detail)


def _replaced_later() -> set[str]:
    """Names that lines after ours give to classes that do not record."""
    lines = options.CONF.filter_scheduler.available_filters
    ours = [n for n, line in enumerate(lines) if line == LINE]
    later = lines[ours[-1] + 1:] if ours else []
    handler = nova_filters.HostFilterHandler()
    names: set[str] = set()
    for line in later:
        # A line that does not load is Nova's to report, under its own name.
        with contextlib.suppress(Exception):
            names.update(
                cls.__name__
                for cls in handler.get_matching_classes([line])
                if not issubclass(cls, recording.RecordingFilter)
            )
    return names
