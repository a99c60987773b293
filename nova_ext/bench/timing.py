"""Time several contenders side by side."""

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

#: Filter, weigh or rank some hosts once.
TimedCall = Callable[[], Any]

#: Calls are repeated until one measurement takes about this long.
_MEASURE_S = 0.01
_MOST_PASSES = 1000


@dataclass(frozen=True)
class Contender:
    """Represent a class that is timed.

    :param name: the name of its class.
    :param make_call: takes hosts, and returns the call that is timed.
    """

    name: str
    make_call: Callable[[list[Any]], TimedCall]


@dataclass(frozen=True)
class Timing:
    """Represent what one contender took for some number of hosts.

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


def compare(
    contenders: Sequence[Contender], hosts: Sequence[Any], rounds: int
) -> list[Timing]:
    """Time contenders in turn, so that a busy moment hits all alike.

    :param contenders: all are compared with the first.
    :param hosts: the hosts of each call.
    :param rounds: how often each is timed.
    """
    calls = [contender.make_call(list(hosts)) for contender in contenders]
    passes = [_count_passes(call) for call in calls]
    took_us: list[list[float]] = [[] for _ in calls]
    gc.disable()
    try:
        for _ in range(rounds):
            for call, times, took in zip(calls, passes, took_us, strict=True):
                took.append(_measure_s(call, times) / len(hosts) * 1e6)
            gc.collect()
    finally:
        gc.enable()
    first = took_us[0]
    return [
        Timing(
            contender.name, len(hosts), statistics.median(took), min(took),
            max(took), statistics.median(
                ours / its for ours, its in zip(first, took, strict=True)
            ),
        )
        for contender, took in zip(contenders, took_us, strict=True)
    ]


def _count_passes(call: TimedCall) -> int:
    """Warm up, and return the number of calls for one measurement."""
    return max(1, min(_MOST_PASSES, round(_MEASURE_S / _measure_s(call, 1))))


def _measure_s(call: TimedCall, times: int) -> float:
    """Return the seconds that a call takes, the mean of some times."""
    begun = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - begun) / times
