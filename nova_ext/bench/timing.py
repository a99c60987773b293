"""Timing several contenders side by side."""

import gc
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.bench.contender import Ask, Contender

#: Asks are repeated until one measurement takes about this long.
_MEASURE_S = 0.01
_MOST_PASSES = 1000


@dataclass(frozen=True)
class Figure:
    """What one contender took for some number of hosts.

    :param median_us: microseconds a host.
    :param lowest_us: of the quickest round.
    :param highest_us: of the slowest round.
    :param ratio: how many times as long the first contender took, the
        median over the rounds; 1 for the first itself.
    """

    name: str
    hosts: int
    median_us: float
    lowest_us: float
    highest_us: float
    ratio: float


def race(
    contenders: Sequence[Contender], hosts: Sequence[Any], rounds: int
) -> list[Figure]:
    """Measure contenders in turn, so that a busy moment hits all alike.

    :param contenders: the first is the one that the others stand against.
    :param hosts: what each is asked about.
    :param rounds: how often each is measured.
    """
    asks = [contender.asking(list(hosts)) for contender in contenders]
    passes = [_passes(ask) for ask in asks]
    took_us: list[list[float]] = [[] for _ in asks]
    gc.disable()
    try:
        for _ in range(rounds):
            for ask, times, took in zip(asks, passes, took_us, strict=True):
                took.append(_seconds(ask, times) / len(hosts) * 1e6)
            gc.collect()
    finally:
        gc.enable()
    first = took_us[0]
    return [
        Figure(
            contender.name, len(hosts), statistics.median(took), min(took),
            max(took), statistics.median(
                ours / its for ours, its in zip(first, took, strict=True)
            ),
        )
        for contender, took in zip(contenders, took_us, strict=True)
    ]


def _passes(ask: Ask) -> int:
    """How often to ask in one measurement; it also warms up."""
    once = _seconds(ask, 1)
    return max(1, min(_MOST_PASSES, round(_MEASURE_S / once)))


def _seconds(ask: Ask, times: int) -> float:
    """Seconds that asking takes, the mean of some times."""
    begun = time.perf_counter()
    for _ in range(times):
        ask()
    return (time.perf_counter() - begun) / times
