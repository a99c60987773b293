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
from functools import cache
from typing import Any

from nova import exception
from nova.scheduler import filters as nova_filters
from nova.scheduler import utils

from nova_ext.core import errors, extension, verdict
from nova_ext.core.decision import COMPUTE
from nova_ext.policy import enforcer
from nova_ext.scheduler import (
    enabled,
    facts,
    installed,
    options,
    recording,
    release,
    request_facts,
    stock_sequence,
    trace,
)
from nova_ext.scheduler.explainers import Reason

NAMESPACE = 'nova_ext.filters'
LINE = 'nova_ext.scheduler.filters.all_filters'

LOG = logging.getLogger(__name__)


def all_filters() -> list[type[Any]]:
    """All filter classes there are, each recording its verdicts.

    :returns: subclasses of Nova's BaseHostFilter: Nova's own under their
        own names, then those of the entry-point group nova_ext.filters.
    :raises ConfigurationError: for a broken plugin, one whose name is
        taken, or a policy file that can't be read.
    """
    release.warn()
    enforcer.validate()
    classes: dict[str, Any] = {
        cls.__name__: recording.filter_class(cls)
        for cls in nova_filters.all_filters()
    }
    found = installed.of_topic(
        COMPUTE, NAMESPACE, extension.Filter, nova_filters.BaseHostFilter
    )
    for name, cls in found.items():
        adapted = adapt(cls)
        if adapted.__name__ in classes:
            raise errors.ConfigurationError(
                f'entry point {NAMESPACE}', name,
                f'there is a filter {adapted.__name__} already',
                'rename the class or uninstall its package',
            )
        classes[adapted.__name__] = adapted
    stock_sequence.expect_filters(set(classes) - _replaced_later())
    return list(classes.values())


@cache
def adapt(cls: Any) -> Any:
    """Make a filter class of Nova's kind out of a plugin class.

    :param cls: a subclass of :class:`nova_ext.core.extension.Filter`, or of
        Nova's own BaseHostFilter.
    :returns: the recording class, under the plugin's name.
    :raises ConfigurationError: for any other class.
    """
    if issubclass(cls, nova_filters.BaseHostFilter):
        return recording.filter_class(cls)
    if not issubclass(cls, extension.Filter):
        raise errors.ConfigurationError(
            f'entry point {NAMESPACE}', cls.__name__,
            'no filter: not a subclass of nova_ext.core.extension.Filter',
        )
    return recording.filter_class(
        type(
            cls.__name__, (_PluginFilter,),
            {
                '__module__': cls.__module__,
                '__doc__': cls.__doc__,
                'plugin_class': cls,
                'run_filter_once_per_request': cls.once_per_request,
                'RUN_ON_REBUILD': cls.run_on_rebuild,
            },
        )
    )


class _PluginFilter(nova_filters.BaseHostFilter):
    """Nova's side of a plugin filter."""

    plugin_class: type[extension.Filter]

    def __init__(self) -> None:
        cls = self.plugin_class
        try:
            self.plugin = cls(options.of(cls), facts.get())
        except Exception as error:
            raise errors.ConfigurationError(
                enabled.FILTERS, cls.__name__,
                f'does not start: {type(error).__name__}: {error}',
            ) from error
        self.log = logging.getLogger(cls.__module__)
        self.log.info('%s is initialized!', cls.__name__)

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
        answer = self._ask(self.plugin.check, host, spec)
        if not isinstance(answer, verdict.Verdict):
            raise self._failed(TypeError('check() returned no verdict'))
        if not answer.passed:
            _because(host, answer.reason, answer.detail)
        return answer.passed

    def _restricts(self, spec: Any) -> bool:
        """Whether the request needs the policy; not where nobody filters."""
        if utils.request_is_rebuild(spec) and not self.RUN_ON_REBUILD:
            return False
        return bool(self._ask(self.plugin.restricted, spec))

    def _ask(self, question: Any, *about: Any) -> Any:
        try:
            return question(*about)
        except Exception as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> Exception:
        return failed('filter', type(self).__name__, error)


def failed(kind: str, name: str, error: Exception) -> Exception:
    """The answer to a request in which an extension raised.

    :returns: a NoValidHost that names the extension; what it raised goes
        to the log, not to the user.
    """
    message = str(errors.ExtensionError(kind, name, error))
    LOG.error('%s', message, exc_info=error)
    open_trace = trace.current()
    if open_trace is not None:
        open_trace.broke(message)
    return exception.NoValidHost(reason=message)


def _because(host: Any, reason: str, detail: str = '') -> None:
    open_trace = trace.current()
    if open_trace is not None:
        open_trace.reasons[id(host)] = Reason(reason, detail)


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
