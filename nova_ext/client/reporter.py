"""Reporting a service's capabilities for as long as it runs."""

import logging
import random
import threading
from collections.abc import Mapping
from typing import Any, Protocol

from nova_ext.core.base.scheduling_errors import SchedulingError

#: Seconds between two reports, if nothing changes.
INTERVAL_S = 60.0
#: Part of the interval by which each wait is shortened at random, so that
#: services that were started together do not stay in step.
JITTER = 0.25

LOG = logging.getLogger(__name__)


class Sender(Protocol):
    """What of a SchedulerClient is used here."""

    def update_service_capabilities(
        self, context: Any, service_name: str, host: str,
        capabilities: Mapping[str, Any],
    ) -> None:
        """Send one report."""


class Reporter:
    """Reports capabilities: a change at once, all of them now and then.

    Every report is whole, so that a scheduler that has restarted, or has
    missed one, knows everything after the next. Used with ``with``: nothing
    is sent before the first :meth:`report`, so that a service that starts
    again takes back nothing that schedulers know of it; at the end of the
    block the reports stop.

    :param client: a SchedulerClient.
    :param context: in whose name; the schedulers log it.
    :param service_name: the topic that the service serves.
    :param host: the host that it serves it on.
    :param interval_s: the longest time between two reports, in seconds;
        well below ``[nova_ext_services] down_after_s`` of the schedulers.
    """

    def __init__(
        self, client: Sender, context: Any, service_name: str, host: str,
        interval_s: float = INTERVAL_S,
    ) -> None:
        self._client = client
        self._about = (context, service_name, host)
        self._interval_s = interval_s
        self._capabilities: Mapping[str, Any] | None = None
        self._wake = threading.Condition()
        self._changed = False
        self._stopped = False
        self._thread = threading.Thread(
            target=self._run, name=f'report-{service_name}', daemon=True
        )

    def __enter__(self) -> 'Reporter':
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        with self._wake:
            self._stopped = True
            self._wake.notify()
        self._thread.join()

    def report(self, capabilities: Mapping[str, Any]) -> None:
        """Say what the service has and can do now; sent if it is news.

        :param capabilities: values by key, see
            :mod:`nova_ext.core.stats.capabilities`; without any, the service is
            up all the same.
        """
        with self._wake:
            if capabilities != self._capabilities:
                self._capabilities = dict(capabilities)
                self._changed = True
                self._wake.notify()

    def _run(self) -> None:
        while (capabilities := self._next()) is not None:
            try:
                self._client.update_service_capabilities(
                    *self._about, capabilities
                )
            except SchedulingError as error:
                # The next one is whole again.
                LOG.warning('A report was lost: %s', error)

    def _next(self) -> Mapping[str, Any] | None:
        """Wait until a report is due; None when there will be none."""
        jitter = random.uniform(0, JITTER)  # noqa: S311  no secret
        with self._wake:
            self._wake.wait_for(
                lambda: self._changed or self._stopped,
                None if self._capabilities is None
                else self._interval_s * (1 - jitter),
            )
            self._changed = False
            return None if self._stopped else self._capabilities
