"""What others report from time to time, until it is too old."""

import threading
import time
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from nova_ext.core.base.scheduling_errors import WrongArgumentsError

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
    :param what: what the reporters are, in the plural.
    :param clock: seconds that never go back.
    """

    def __init__(
        self, max_age_s: float, most: int, what: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_age_s = max_age_s
        self._most = most
        self._what = what
        self._clock = clock
        self._lock = threading.Lock()
        self._reports: dict[Key, Report[Value]] = {}

    def take(self, values: Mapping[Key, Value], serial: int) -> None:
        """Take reports, except where a newer one is there.

        Messages may overtake each other. A clock that was set back holds a
        reporter up no longer than its last report counts.

        :param values: what is reported, by reporter.
        :raises WrongArgumentsError: when there is no room for all of them;
            none is taken then.
        """
        with self._lock:
            self._make_room(values)
            for key, value in values.items():
                known = self._reports.get(key)
                if known is None or serial >= known.serial or (
                    not self._counts(known)
                ):
                    self._reports[key] = Report(value, serial, self._clock())

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

    def _make_room(self, keys: Collection[Key]) -> None:
        if len(self._reports.keys() | keys) <= self._most:
            return
        for key, report in list(self._reports.items()):
            if not self._counts(report):
                del self._reports[key]
        if len(self._reports.keys() | keys) > self._most:
            raise WrongArgumentsError(
                f'{self._most} {self._what} are kept, and no other is taken'
            )
