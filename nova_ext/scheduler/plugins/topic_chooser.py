"""Choose hosts for drivers of topics other than compute, and record how."""

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from oslo_utils import timeutils

from nova_ext import plugin
from nova_ext.core.base import errors
from nova_ext.core.base.mode import Mode
from nova_ext.core.base.scheduling_errors import NoHostError
from nova_ext.core.decision.decision import (
    COMPUTE,
    FAILED,
    NO_VALID_HOST,
    PLACED,
    Attempt,
    Decision,
)
from nova_ext.core.explanation.explain import explain
from nova_ext.core.plugin import topic_choice
from nova_ext.core.request.masking import mask_passwords
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.printable_error import build_exc_info
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.discovery import installed
from nova_ext.scheduler.discovery.plugin_failure import starting
from nova_ext.scheduler.plugins.adapters import (
    Adapter,
    FilterAdapter,
    WeigherAdapter,
)
from nova_ext.scheduler.trace import request_facts

LOG = logging.getLogger(__name__)


def provide_choosers(drivers: Mapping[str, plugin.Driver]) -> None:
    """Give each driver of a topic other than compute its chooser.

    :param drivers: by topic.
    :raises ConfigurationError: for a filter or weigher of such a topic that
        does not load or start.
    """
    for topic, driver in drivers.items():
        if topic != COMPUTE:
            driver.chooser = TopicChooser(driver)


class TopicChooser:
    """Filter and weigh for one driver of a topic other than compute."""

    def __init__(self, driver: plugin.Driver) -> None:
        self._driver = driver
        self._filters = _start(driver, FilterAdapter)
        self._weighers = _start(driver, WeigherAdapter)

    def choose(
        self, context: Any, request: Mapping[str, Any], count: int = 1
    ) -> topic_choice.Choice:
        """Choose hosts, and record how."""
        capabilities = self._driver.facts.get_capabilities(self._driver.topic)
        hosts = [
            topic_choice.ServiceHost(host, reported)
            for host, reported in sorted(capabilities.items())
        ]
        decision = self._make_decision(context, request, count, len(hosts))
        began = time.monotonic()
        try:
            ranked = topic_choice.choose(
                decision.attempts[0], hosts, request, self._filters,
                self._weighers,
            )
            decision.outcome = PLACED if ranked else NO_VALID_HOST
            decision.chosen = {
                '': ranked[:max(count, topic_choice.MAX_RANKED)]
            }
            why = explain(decision).sentence
        except errors.PluginError as error:
            decision.outcome, decision.message = FAILED, str(error)
            LOG.error('%s', error, exc_info=build_exc_info(error))
            raise
        finally:
            decision.seconds = time.monotonic() - began
            _record(decision)
        if not ranked:
            raise NoHostError(why)
        return topic_choice.Choice(ranked, why)

    def _make_decision(
        self, context: Any, request: Mapping[str, Any], count: int, hosts: int
    ) -> Decision:
        return Decision(
            at=timeutils.utcnow().isoformat(timespec='milliseconds') + 'Z',
            request_id=getattr(context, 'request_id', '') or '',
            project_id=getattr(context, 'project_id', '') or '',
            user_id=getattr(context, 'user_id', '') or '',
            by=request_facts.describe_decider(
                Mode.SCHEDULER, type(self._driver).__name__
            ),
            request=mask_passwords(request),
            hosts_total=hosts, attempts=[Attempt('', 0, hosts)],
            topic=self._driver.topic, wanted=count,
        )


def _start(
    driver: plugin.Driver, adapter: type[Adapter]
) -> Sequence[Any]:
    """Start the filters or weighers of the driver's topic, in name order.

    No adapter is made: Nova has no part in this topic.
    """
    plugins = installed.load_topic_classes(
        driver.topic, adapter.namespace, adapter.contract
    )
    started = []
    for name, cls in sorted(plugins.items()):
        with starting(f'entry point {adapter.namespace}', name):
            if getattr(cls, 'policy', None):
                raise TypeError('a policy holds for topic compute alone')
            started.append(cls(options.for_plugin(cls), driver.facts))
    return started


@best_effort
def _record(decision: Decision) -> None:
    if recorder.get().enabled:
        recorder.get().record_whole(decision)
