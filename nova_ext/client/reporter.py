"""Report a service's capabilities for as long as it runs."""

import copy
import logging
import random
import threading
from collections.abc import Mapping
from typing import Any

from nova_ext.client.scheduler_client import SchedulerClient
from nova_ext.core.base.scheduling_errors import SchedulingError

#: Seconds between two reports, if nothing changes.
INTERVAL_S = 60.0

LOG = logging.getLogger(__name__)


class Reporter:
    """Report capabilities: a change at once, all of them periodically.

    Every report is whole, so that a scheduler that has restarted, or has
    missed one, knows everything after the next. Used with ``with``: nothing
    is sent before the first :meth:`report`, so that the start of a service
    takes back nothing that schedulers know of it. At the end of the block the
    reports stop.

    :param context: the sender's; the schedulers log it.
    :param service_name: the topic that the service serves.
    :param host: the host that it serves it on.
    :param interval_s: the longest time between two reports, in seconds;
        well below ``[nova_ext_services] down_after_s`` of the schedulers.
    """

    def __init__(
        self, client: SchedulerClient, context: Any, service_name: str,
        host: str, interval_s: float = INTERVAL_S,
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
        """Set the capabilities; send them if they have changed.

        :param capabilities: values by key, see
            :mod:`nova_ext.core.stats.capabilities`; a service without any is
            up, too.
        """
        with self._wake:
            if capabilities != self._capabilities:
                # The caller may go on changing lists in it.
                self._capabilities = copy.deepcopy(dict(capabilities))
                self._changed = True
                self._wake.notify()

    def _run(self) -> None:
        while (capabilities := self._next()) is not None:
            try:
                self._client.update_service_capabilities(
                    *self._about, capabilities
                )
            except SchedulingError as error:
                # The next report holds everything again.
                LOG.warning('A report was lost: %s', error)

    def _next(self) -> Mapping[str, Any] | None:
        """Wait until a report is due; None when there will be none."""
        with self._wake:
            self._wake.wait_for(
                lambda: self._changed or self._stopped,
                None if self._capabilities is None
                else shorten(self._interval_s),
            )
            self._changed = False
            return None if self._stopped else self._capabilities


def shorten(interval_s: float) -> float:
    """Return an interval, shortened at random by up to a quarter.

    Programs that were started together do not stay in step.
    """
    return interval_s * random.uniform(0.75, 1)  # noqa: S311  no secret
