"""The agent: measures what schedulers need of its host, and pushes it."""

import logging
import random
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from nova_ext.core.base.scheduling_errors import SchedulingError
from nova_ext.core.extension import Collector
from nova_ext.core.stats.stats import Value, checked

#: Part of the interval by which each wait is shortened at random, so that
#: hosts that were started together do not stay in step.
JITTER = 0.25

LOG = logging.getLogger(__name__)


class Client(Protocol):
    """What of a SchedulerClient is used here."""

    def required_stats(self, context: Any) -> list[str]:
        """Names of the stats that are worth sending."""

    def update_resource_stats(
        self, context: Any, name: str, stats: Mapping[str, Any]
    ) -> None:
        """Send stats of a host."""


class Agent:
    """Pushes what has changed, and everything now and then.

    :param client: a SchedulerClient.
    :param context: in whose name.
    :param host: as Nova names it.
    :param collectors: in the order in which they are asked.
    :param interval_s: seconds between two measurements.
    :param full_interval_s: seconds after which everything is pushed.
    :param clock: seconds that never go back.
    """

    def __init__(
        self, client: Client, context: Any, host: str,
        collectors: Sequence[Collector], interval_s: float,
        full_interval_s: float, clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._about = (context, host)
        self._collectors = collectors
        self._interval_s = interval_s
        self._full_interval_s = full_interval_s
        self._clock = clock
        self._wanted: Collection[str] = ()
        self._full_at = clock()
        self._pushed: dict[str, Value] = {}

    def run(self) -> None:
        """Push for as long as the process lives; nothing needs an end."""
        while True:
            self.push()
            jitter = random.uniform(0, JITTER)  # noqa: S311  no secret
            time.sleep(self._interval_s * (1 - jitter))

    def push(self) -> None:
        """Measure once, and push what is due; a failure waits for the next."""
        context, host = self._about
        try:
            if self._clock() >= self._full_at:
                self._wanted = frozenset(self._client.required_stats(context))
                self._pushed = {}
                self._full_at = self._clock() + self._full_interval_s
            news = {
                name: value for name, value in self._measured().items()
                if self._pushed.get(name) != value
            }
            if news:
                self._client.update_resource_stats(context, host, news)
                self._pushed.update(news)
        except SchedulingError as error:
            # All of it, when the schedulers can be reached again.
            self._full_at = self._clock()
            LOG.warning('Stats are not pushed: %s', error)

    def _measured(self) -> dict[str, Value]:
        """What is wanted and can be told, from the first who tells it."""
        found: dict[str, Value] = {}
        for collector in self._collectors:
            missing = set(self._wanted) - set(found)
            if not missing:
                break
            found.update(_told(collector, missing))
        return found


def _told(collector: Collector, missing: Collection[str]) -> dict[str, Value]:
    """What a collector tells of these; one bad value costs only itself."""
    name = type(collector).__name__
    sound: dict[str, Value] = {}
    try:
        told = collector.collect(missing)
        found = {stat: told[stat] for stat in missing if stat in told}
    except Exception as error:
        # One that fails must not take the others' stats along.
        LOG.warning(
            '%s tells nothing: %s: %s', name, type(error).__name__, error
        )
        return sound
    for stat, value in found.items():
        try:
            sound.update(checked({stat: value}))
        except SchedulingError as error:
            LOG.warning('%s tells what can\'t be sent: %s', name, error)
    return sound
