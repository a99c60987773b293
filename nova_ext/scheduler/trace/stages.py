"""Measure how long each stage of a request takes."""

import time
from collections.abc import Callable


class Stages:
    """Add up laps by name, as a stop watch does.

    :param clock: seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = self._last = clock()
        self._seconds: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """End a stage that began where the last one ended."""
        now = self._clock()
        self._seconds[stage] = (
            self._seconds.get(stage, 0.0) + now - self._last
        )
        self._last = now

    @property
    def total(self) -> float:
        """Seconds from the beginning to the last lap."""
        return round(self._last - self._began, 4)

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds by stage, without those that took next to none."""
        return {
            stage: rounded for stage, spent in self._seconds.items()
            if (rounded := round(spent, 4))
        }
