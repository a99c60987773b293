"""Read facts as they were when something ended, or not at all."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

Fact = TypeVar('Fact')


class AsOf(Generic[Fact]):
    """Read a fact soon after a moment, never before it.

    What ended while one read waits for another shares the next one, so that
    a storm costs one read at a time.

    :param read: reads the fact.
    :param within_s: seconds after the moment in which a read still counts.
    :param clock: seconds since 1970.
    """

    def __init__(
        self, read: Callable[[], Fact], within_s: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._read = read
        self._within_s = within_s
        self._clock = clock
        self._lock = threading.Lock()
        self._last: tuple[float, Fact] | None = None

    def get(self, moment: float) -> Fact | None:
        """Return the fact as of a moment, seconds since 1970.

        :returns: None if it can't be read soon enough any more.
        """
        with self._lock:
            if self._last is None or not self._counts(self._last[0], moment):
                now = self._clock()
                if not self._counts(now, moment):
                    return None
                self._last = now, self._read()
            return self._last[1]

    def _counts(self, at: float, moment: float) -> bool:
        return 0 <= at - moment <= self._within_s
