"""Adapt filters and weighers of nova-ext's contract to Nova."""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from nova.scheduler import filters as nova_filters
from nova.scheduler import utils
from nova.scheduler import weights as nova_weights

from nova_ext import plugin
from nova_ext.core.base import errors, naming
from nova_ext.core.decision.decision import COMPUTE
from nova_ext.core.plugin import evaluation
from nova_ext.core.plugin.answers import MAX_LETTERS, PASS, Verdict, reject
from nova_ext.policy import enforcer
from nova_ext.scheduler.base import options, releases
from nova_ext.scheduler.base.host_states import HostKey, host_key
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.discovery import enabled, installed
from nova_ext.scheduler.discovery.plugin_failure import (
    report_failure,
    starting,
)
from nova_ext.scheduler.explainers import Reason
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.trace import request_facts


class Adapter:
    """Adapt a plugin; a mixin before Nova's base class of its kind.

    A class is derived from it for each plugin class.

    :cvar plugin_class: the plugin's class; set in the derived class.
    """

    #: ``filter`` or ``weigher``.
    kind: ClassVar[str]
    #: Base class of the plugins.
    contract: ClassVar[type[plugin.Plugin]]
    #: Base class of those that are written for Nova itself.
    nova_class: ClassVar[type[Any]]
    #: The entry-point group.
    namespace: ClassVar[str]
    #: The option that enables them.
    option: ClassVar[str]

    plugin_class: ClassVar[type[Any]]

    def __init__(self) -> None:
        cls = self.plugin_class
        with starting(self.option, cls.__name__):
            self.plugin = cls(options.for_plugin(cls), nova_facts.get())

    @classmethod
    def adapt(cls, plugin_class: Any) -> Any:
        """Return a class of Nova's kind, under the plugin's name.

        :param plugin_class: a subclass of ``contract``, or one of Nova's.
        :raises ConfigurationError: for any other class.
        """
        if issubclass(plugin_class, cls.nova_class):
            return plugin_class
        if not issubclass(plugin_class, cls.contract):
            contract = f'{cls.contract.__module__}.{cls.contract.__name__}'
            raise errors.ConfigurationError(
                f'entry point {cls.namespace}', plugin_class.__name__,
                f'no {cls.kind}: not a subclass of {contract}',
            )
        return type(
            plugin_class.__name__, (cls,), {
                '__module__': plugin_class.__module__,
                '__doc__': plugin_class.__doc__,
                'plugin_class': plugin_class,
            },
        )

    @classmethod
    def load(cls, novas: list[type[Any]]) -> dict[str, Any]:
        """Return all classes of the kind, by name.

        :param novas: Nova's own classes, which come first.
        :raises ConfigurationError: for a broken plugin, or one whose name
            is taken.
        """
        releases.warn_if_untested()
        classes = {nova_class.__name__: nova_class for nova_class in novas}
        plugins = installed.load_topic_classes(
            COMPUTE, cls.namespace, cls.contract, cls.nova_class
        )
        for entry_point, plugin_class in plugins.items():
            adapted = cls.adapt(plugin_class)
            if adapted.__name__ in classes:
                raise errors.ConfigurationError(
                    f'entry point {cls.namespace}', entry_point,
                    f'there is a {cls.kind} {adapted.__name__} already',
                    'rename the class or uninstall its package',
                )
            classes[adapted.__name__] = adapted
        return classes

    def call(self, method: Callable[..., Any], *args: Any) -> Any:
        """Call a method of the plugin.

        :raises NoValidHost: naming the plugin, if it raises.
        """
        try:
            return method(*args)
        except errors.FAILURES as error:
            raise report_failure(
                self.kind, type(self).__name__, error
            ) from error


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


class WeigherAdapter(Adapter, nova_weights.BaseHostWeigher):
    """Adapt a plugin weigher."""

    kind = 'weigher'
    contract = plugin.Weigher
    nova_class = nova_weights.BaseHostWeigher
    namespace = 'nova_ext.weighers'
    option = enabled.WEIGHERS

    def __init__(self) -> None:
        super().__init__()
        self._metadata_key = naming.get_multiplier_key(
            self.plugin_class.__name__
        )

    def weight_multiplier(self, host: Any) -> float:
        """Return the multiplier: of the host's aggregates, or the option's."""
        return float(
            utils.get_weight_multiplier(
                host, self._metadata_key, self.call(self.plugin.get_multiplier)
            )
        )

    def weigh_objects(self, weighed: Any, spec: Any) -> Any:
        """Weigh the hosts, unless the multiplier is 0 for all of them."""
        if not any(self.weight_multiplier(host.obj) for host in weighed):
            return [0.0] * len(weighed)
        return self.call(
            evaluation.weigh_each, self.plugin,
            [host.obj for host in weighed], spec,
        )

    def weigh_all(self, hosts: Any, spec: Any) -> Sequence[float]:
        """Ask the plugin about many hosts at once, whatever the multiplier.

        :param hosts: Columns.
        """
        return self.call(evaluation.weigh_all, self.plugin, hosts, spec)

    def _weigh_object(self, host: Any, spec: Any) -> float:
        return self.call(evaluation.weigh_each, self.plugin, [host], spec)[0]


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
