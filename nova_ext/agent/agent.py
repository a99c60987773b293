"""Measure the stats of a host that schedulers need, and push them."""

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from oslo_config import cfg

from nova_ext.client import SchedulerClient
from nova_ext.client.reporter import shorten
from nova_ext.conf import entry_points
from nova_ext.core.base import errors
from nova_ext.core.base.scheduling_errors import SchedulingError
from nova_ext.core.stats.stats import Value
from nova_ext.core.stats.validation import validate
from nova_ext.plugin import Collector

NAMESPACE = 'nova_ext.collectors'
OPTION = '[nova_ext_agent] collectors'

#: The stats that are capabilities of a host's services, too: the load of a
#: minute, GiB for files, megabits a second.
CAPABILITIES = {
    'ext:load1': 'cpu', 'ext:path_free_gb': 'disk',
    'ext:nic_speed_mbps': 'network',
}

LOG = logging.getLogger(__name__)


class Agent:
    """Push the stats that schedulers need, with each measurement.

    All are pushed, changed or not: a scheduler that has restarted knows them
    after the next. Capabilities of the host's services are reported, too.

    :param context: the sender's.
    :param host: as Nova names it.
    :param collectors: in the order in which they run.
    :param interval_s: seconds between two measurements.
    :param ask_interval_s: seconds after which schedulers are asked again
        what they need.
    :param services: names of the services that have the capabilities.
    :param clock: seconds that never go back.
    """

    def __init__(
        self, client: SchedulerClient, context: Any, host: str,
        collectors: Sequence[Collector], interval_s: float,
        ask_interval_s: float, services: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._about = (context, host)
        self._collectors = collectors
        self._interval_s = interval_s
        self._ask_interval_s = ask_interval_s
        self._services = services
        self._clock = clock
        self._needed: Collection[str] = ()
        self._ask_at = clock()

    def run(self) -> None:
        """Push for as long as the process lives."""
        while True:
            self.push()
            time.sleep(shorten(self._interval_s))

    def push(self) -> None:
        """Measure once, and push what is needed; log a failure."""
        context, host = self._about
        try:
            if self._clock() >= self._ask_at:
                self._needed = frozenset(self._client.required_stats(context))
                self._ask_at = self._clock() + self._ask_interval_s
            stats = self._measure()
            needed = {
                name: value for name, value in stats.items()
                if name in self._needed
            }
            if needed:
                self._client.update_resource_stats(context, host, needed)
            capabilities = {
                key: stats[name] for name, key in CAPABILITIES.items()
                if name in stats
            }
            for service in self._services:
                self._client.update_service_capabilities(
                    context, service, host, capabilities
                )
        except SchedulingError as error:
            # Other schedulers may need others, once they can be reached.
            self._ask_at = self._clock()
            LOG.warning('Stats are not pushed: %s', error)

    def _measure(self) -> dict[str, Value]:
        """Return what is to be sent, each from the first collector with it."""
        wanted = {*self._needed, *(CAPABILITIES if self._services else ())}
        stats: dict[str, Value] = {}
        for collector in self._collectors:
            missing = wanted - set(stats)
            if not missing:
                break
            stats.update(_collect(collector, missing))
        return stats


def _collect(
    collector: Collector, missing: Collection[str]
) -> dict[str, Value]:
    """Return those stats of a collector that can be sent; log the others."""
    name = type(collector).__name__
    valid: dict[str, Value] = {}
    try:
        collected = collector.collect(missing)
        stats = {
            stat: collected[stat] for stat in missing if stat in collected
        }
    except Exception as error:
        # One that fails must not take the others' stats along.
        LOG.warning(
            '%s collects nothing: %s: %s', name, type(error).__name__, error
        )
        return valid
    for stat, value in stats.items():
        try:
            valid.update(validate({stat: value}))
        except SchedulingError as error:
            LOG.warning('%s collects what can\'t be sent: %s', name, error)
    return valid


def load_collectors(
    names: Sequence[str], conf: cfg.ConfigOpts
) -> list[Collector]:
    """Make the collectors that the option lists, in its order.

    :param names: of entry points.
    :param conf: a collector gets the options of its ``option_group``, which
        its module may have registered there.
    :raises ConfigurationError: for an unknown one, or one that does not load.
    """
    classes = entry_points.load_classes(NAMESPACE)
    return [_make(name, classes, conf) for name in names]


def _make(
    name: str, classes: Mapping[str, Any], conf: cfg.ConfigOpts
) -> Collector:
    cls = classes.get(name)
    if cls is None:
        raise errors.ConfigurationError(
            OPTION, name, 'no such collector',
            errors.suggest_names(name, classes),
        )
    if not (isinstance(cls, type) and issubclass(cls, Collector)):
        raise errors.ConfigurationError(
            OPTION, name, 'no collector: not a subclass of '
            'nova_ext.plugin.Collector',
        )
    group = cls.option_group
    try:
        return cls(dict(conf[group]) if group else None)
    except Exception as error:
        problem = (
            f'there is no group [{group}] of options'
            if isinstance(error, cfg.NoSuchOptError) else
            f'it does not start: {type(error).__name__}: {error}'
        )
        raise errors.ConfigurationError(OPTION, name, problem) from error
