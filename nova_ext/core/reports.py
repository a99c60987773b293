"""What others report from time to time, until it is too old."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from nova_ext.core.scheduling_errors import WrongArgumentsError

Key = TypeVar('Key', bound=Hashable)
Value = TypeVar('Value')


@dataclass(frozen=True)
class Report(Generic[Value]):
    """One report.

    :param value: what was reported.
    :param serial: greater in each report of one reporter.
    :param received: seconds of the clock of whoever keeps it.
    """

    value: Value
    serial: int
    received: float


class Reports(Generic[Key, Value]):
    """The newest report of each reporter; threads may share it.

    :param max_age_s: seconds after which a report does not count.
    :param most: how many are kept.
    :param clock: seconds that never go back.
    """

    def __init__(
        self, max_age_s: float, most: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_age_s = max_age_s
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._reports: dict[Key, Report[Value]] = {}

    def take(self, key: Key, value: Value, serial: int) -> bool:
        """Take a report, unless a newer one is there.

        Messages may overtake each other. A clock that was set back holds a
        reporter up no longer than its last report counts.

        :returns: whether it was taken.
        :raises WrongArgumentsError: when there is no room for another
            reporter.
        """
        with self._lock:
            known = self._reports.get(key)
            if known is not None:
                if self._counts(known) and serial < known.serial:
                    return False
            elif len(self._reports) >= self._most:
                self._forget_old()
            self._reports[key] = Report(value, serial, self._clock())
            return True

    def get(self, key: Key) -> Value | None:
        """What was reported last; None if it is too old, or nothing was."""
        with self._lock:
            known = self._reports.get(key)
        return known.value if known and self._counts(known) else None

    def age_s(self, key: Key) -> float | None:
        """Age of the last report in seconds, if there ever was one."""
        with self._lock:
            known = self._reports.get(key)
        return None if known is None else self._clock() - known.received

    def all(self) -> dict[Key, Value]:
        """What counts, by reporter."""
        with self._lock:
            known = dict(self._reports)
        return {
            key: report.value for key, report in known.items()
            if self._counts(report)
        }

    def _counts(self, report: Report[Value]) -> bool:
        return self._clock() - report.received <= self._max_age_s

    def _forget_old(self) -> None:
        for key, report in list(self._reports.items()):
            if not self._counts(report):
                del self._reports[key]
        if len(self._reports) >= self._most:
            raise WrongArgumentsError(
                f'{self._most} reporters are known, and no other is taken'
            )
