"""Keep the stats of hosts for a time."""

import threading
import time
from collections.abc import Callable, Mapping

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats.stats import MAX_STATS, Name, Stat, Value
from nova_ext.core.stats.timed_reports import TimedReports


class HostStats:
    """Keep the newest stats of all hosts; threads may share it.

    :param max_age_s: seconds after which a stat is stale.
    :param most: number of hosts and nodes to keep.
    :param clock: returns seconds that never go back.
    """

    def __init__(
        self, max_age_s: float, most: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_age_s = max_age_s
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._hosts: dict[Name, TimedReports[str, Value]] = {}

    def update(
        self, name: Name, stats: Mapping[str, Value], serial: int
    ) -> None:
        """Update stats of one host; the others stay.

        :param serial: greater in each update of the host.
        :raises WrongArgumentsError: when there are too many; none is kept
            then.
        """
        with self._lock:
            reports = self._get_reports(name)
            reports.update(stats, serial)
            self._hosts[name] = reports

    def get(self, host: str, node: str, name: str) -> Stat:
        """Return a stat of a node, or of its host as a whole."""
        age_s: float | None = None
        for where in ((host, node), (host, '')):
            reports = self._hosts.get(where)
            if reports is None:
                continue
            value = reports.get(name)
            if value is not None:
                return Stat(value)
            age_s = reports.get_age_s(name) if age_s is None else age_s
        if age_s is None:
            return Stat(None, f'no stat {name}')
        return Stat(
            None, f'stat {name} is stale',
            f'at {age_s:.0f} s, {self._max_age_s:.0f} are believed',
        )

    def _get_reports(self, name: Name) -> TimedReports[str, Value]:
        if name in self._hosts:
            return self._hosts[name]
        if len(self._hosts) >= self._most:
            self._drop_old()
        where = ' and node '.join(filter(None, name))
        return TimedReports(
            self._max_age_s, MAX_STATS, f'stats of host {where}', self._clock
        )

    def _drop_old(self) -> None:
        for name, reports in list(self._hosts.items()):
            if not reports.get_all():
                del self._hosts[name]
        if len(self._hosts) >= self._most:
            raise WrongArgumentsError(
                f'stats of {self._most} hosts are kept, and of no other'
            )
