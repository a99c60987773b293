"""Measure how long each stage of a request takes."""

import time
from collections import defaultdict
from collections.abc import Callable


class Stages:
    """Add up the laps of a stopwatch by stage."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def lap(self, stage: str) -> None:
        """End a stage that began where the last one ended."""
        now = self._clock()
        self._seconds[stage] += now - self._last
        self._last = now

    @property
    def total(self) -> float:
        """Return the seconds from the beginning to the last lap."""
        return round(sum(self._seconds.values()), 4)

    @property
    def seconds(self) -> dict[str, float]:
        """Return the seconds by stage, without those of 0.0000."""
        return {
            stage: rounded for stage, spent in self._seconds.items()
            if (rounded := round(spent, 4))
        }
