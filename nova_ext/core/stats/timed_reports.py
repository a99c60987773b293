"""Keep what others report from time to time, until it is too old."""

import threading
import time
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from nova_ext.core.base.scheduling_errors import WrongArgumentsError

#: How far a serial may be ahead of the keeper's clock, in nanoseconds. What is
#: further ahead is forged, or of a clock that is wrong.
MAX_AHEAD_NS = 10 * 10**9

Key = TypeVar('Key', bound=Hashable)
Value = TypeVar('Value')


@dataclass(frozen=True)
class Report(Generic[Value]):
    """Represent one report.

    :param serial: the reporter's time, in nanoseconds since 1970.
    :param received: seconds of the keeper's clock.
    """

    value: Value
    serial: int
    received: float


class TimedReports(Generic[Key, Value]):
    """Keep the newest report of each reporter; threads may share it.

    :param max_age_s: seconds after which a report is ignored.
    :param most: number of reports to keep.
    :param what: name of the reporters, in the plural.
    :param clock: returns seconds that never go back.
    :param time_ns: returns the time, in nanoseconds since 1970.
    """

    def __init__(
        self, max_age_s: float, most: int, what: str,
        clock: Callable[[], float] = time.monotonic,
        time_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self._max_age_s = max_age_s
        self._most = most
        self._what = what
        self._clock = clock
        self._time_ns = time_ns
        self._lock = threading.Lock()
        self._reports: dict[Key, Report[Value]] = {}

    def update(self, values: Mapping[Key, Value], serial: int) -> None:
        """Keep reports, except where there is a newer one.

        Messages may overtake each other. After its clock was set back, a
        reporter is ignored until its last report is too old. A last report
        from the future keeps out none.

        :param values: values by reporter.
        :raises WrongArgumentsError: when they are too many; none is kept
            then.
        """
        with self._lock:
            self._drop_old(values)
            for key, value in values.items():
                last = self._reports.get(key)
                if last is None or serial >= last.serial or (
                    not self._is_current(last) or self._is_ahead(last)
                ):
                    self._reports[key] = Report(value, serial, self._clock())

    def get(self, key: Key) -> Value | None:
        """Return the last value; None if it is too old, or there is none."""
        with self._lock:
            last = self._reports.get(key)
        return last.value if last and self._is_current(last) else None

    def get_age_s(self, key: Key) -> float | None:
        """Return the age of the last report in seconds; None without any."""
        with self._lock:
            last = self._reports.get(key)
        return None if last is None else self._clock() - last.received

    def get_all(self) -> dict[Key, Value]:
        """Return the values that are not too old, by reporter."""
        with self._lock:
            reports = dict(self._reports)
        return {
            key: report.value for key, report in reports.items()
            if self._is_current(report)
        }

    def _is_current(self, report: Report[Value]) -> bool:
        return self._clock() - report.received <= self._max_age_s

    def _is_ahead(self, report: Report[Value]) -> bool:
        return report.serial > self._time_ns() + MAX_AHEAD_NS

    def _drop_old(self, keys: Collection[Key]) -> None:
        """Drop reports that are too old, if others need their place."""
        if len(self._reports.keys() | keys) <= self._most:
            return
        for key, report in list(self._reports.items()):
            if not self._is_current(report):
                del self._reports[key]
        if len(self._reports.keys() | keys) > self._most:
            raise WrongArgumentsError(
                f'{self._most} {self._what} are kept, and no other is taken'
            )
