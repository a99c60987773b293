"""Keep what the weighers of one attempt say.

While Nova weighs, a request waits; so only lists are kept then. What they
mean is worked out in the record's own thread.
"""

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.core.decision import decision as d
from nova_ext.scheduler.base.best_effort import harmless
from nova_ext.scheduler.base.host_identity import host_key, host_keys, label
from nova_ext.scheduler.base.pauses import paused

#: Sums that differ by less than this share of the greatest one are equal:
#: they were taken apart again from Nova's running sums.
ROUNDING = 1e-12
#: Hosts that are named as the best without one weigher.
NAMES = 3


@dataclass
class _RawWeights:
    """One weigher's weights, one a host.

    :param sums: what the weighers before it added up to, one a host.
    """

    weigher: Any
    weights: Sequence[float]
    sums: Sequence[float]

    @property
    def bounds(self) -> tuple[float, float]:
        """The raw weights that Nova makes 0 and 1."""
        low, high = self.weigher.minval, self.weigher.maxval
        return (
            min(self.weights) if low is None else low,
            max(self.weights) if high is None else high,
        )

    @property
    def differ(self) -> bool:
        """Whether Nova made anything but 0 of its weights."""
        low, high = self.bounds
        return low != high


class Weighings:
    """Keep the weighers of one attempt, in Nova's order."""

    def __init__(self) -> None:
        self._raw: list[_RawWeights] = []
        self._weighed: Sequence[Any] = ()
        self._sums: list[float] = []

    @harmless
    def add(
        self, weigher: Any, weighed: Sequence[Any], weights: Sequence[float]
    ) -> None:
        """Add what a weigher says.

        :param weighed: Nova's weighed hosts, the same ones for each weigher.
        :param weights: its raw weights, one a host.
        """
        self._weighed = weighed
        sums = [each.weight for each in weighed]
        self._raw.append(_RawWeights(weigher, weights, sums))

    def close(self) -> None:
        """Take the final weights: all weighers ran, and were recorded."""
        self._sums = [each.weight for each in self._weighed]

    def best(self) -> list[Any]:
        """Return the hosts of the greatest weight; none before the close."""
        return self._greatest(self._sums, 0.0)

    def heaviest(self, count: int) -> list[Any]:
        """Return the first hosts as Nova sorts; none before the close."""
        first = heapq.nlargest(
            count, zip(self._sums, self._weighed, strict=False),
            key=lambda one: one[0],
        )
        return [each.obj for _, each in first]

    def summarize(self, hosts: Iterable[Any] | None) -> list[d.Weighing]:
        """Return each weigher's weights and multipliers, by host name.

        :param hosts: those to name; None: all of them. Of some hosts,
            weighers that gave all the same are listed without weights.
        """
        keys = None if hosts is None else host_keys(hosts)
        named = [
            (position, label(each.obj), each.obj)
            for position, each in enumerate(self._weighed)
            if keys is None or host_key(each.obj) in keys
        ]
        return [
            self._summarize(number, named)
            if keys is None or raw.differ
            else d.Weighing(type(raw.weigher).__name__, {}, {})
            for number, raw in enumerate(self._raw)
        ]

    def _summarize(
        self, number: int, hosts: Sequence[tuple[int, str, Any]]
    ) -> d.Weighing:
        raw = self._raw[number]
        low, high = raw.bounds
        return d.Weighing(
            type(raw.weigher).__name__,
            _finite((name, raw.weights[at]) for at, name, _ in hosts),
            _finite(
                (name, raw.weigher.weight_multiplier(host))
                for _, name, host in paused(hosts)
            ),
            low if math.isfinite(low) else None,
            high if math.isfinite(high) else None,
            [label(host) for host in self._best_without(number)[:NAMES]],
        )

    def _best_without(self, number: int) -> list[Any]:
        """Return the hosts that would be the best without a weigher.

        :returns: none where one that is the best would be among them.
        """
        raw = self._raw[number]
        if not self._sums or not raw.differ:
            return []
        after = (
            self._raw[number + 1].sums
            if number + 1 < len(self._raw) else self._sums
        )
        others = self._greatest(
            [
                total - (with_it - without_it)
                for total, with_it, without_it in zip(
                    self._sums, after, raw.sums, strict=True
                )
            ],
            ROUNDING * max(1.0, *map(abs, self._sums)),
        )
        return [] if host_keys(self.best()) & host_keys(others) else others

    def _greatest(self, sums: Sequence[float], slack: float) -> list[Any]:
        least = max(sums, default=0.0) - slack
        return [
            each.obj
            for each, weight in zip(self._weighed, sums, strict=False)
            if weight >= least
        ]


def _finite(numbers: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return the numbers that JSON has, by host."""
    return {host: one for host, one in numbers if math.isfinite(one)}
