"""Keep the weights of one attempt.

While Nova weighs, a request waits. So only lists are kept then. The record's
own thread summarizes them.
"""

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from nova_ext.core.decision.decision import Weighing
from nova_ext.scheduler.base.host_states import (
    HostKey,
    host_key,
    host_keys,
    iterate_with_pauses,
    name_host,
)
from nova_ext.scheduler.base.pause import pause

#: Sums that differ by less than this share of the greatest one are equal:
#: they are differences of Nova's running sums.
ROUNDING = 1e-12
#: Hosts that are named as the best without one weigher.
NAMES = 3


@dataclass
class RawWeights:
    """Hold one weigher's raw weights, one a host.

    :param weights: a sequence; of a subclass, it may be an array.
    :param sums: the sums of the weighers before it, one a host, as well.
    """

    weigher: Any
    weights: Any
    sums: Any

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the raw weights that Nova makes 0 and 1."""
        low, high = self.weigher.minval, self.weigher.maxval
        return (
            self.find_least() if low is None else low,
            self.find_greatest() if high is None else high,
        )

    def get(self, position: int) -> float:
        """Return the raw weight of a host."""
        weight: float = self.weights[position]
        return weight

    def get_multiplier(self, position: int, host: Any) -> float:
        """Return the weigher's multiplier for a host."""
        multiplier: float = self.weigher.weight_multiplier(host)
        return multiplier

    def find_least(self) -> float:
        """Return the least raw weight, the first of equal ones."""
        least: float = min(self.weights)
        return least

    def find_greatest(self) -> float:
        """Return the greatest raw weight, the first of equal ones."""
        greatest: float = max(self.weights)
        return greatest

    @property
    def differ(self) -> bool:
        """Say whether Nova made anything but 0 of its weights."""
        low, high = self.bounds
        return low != high


class Weighings:
    """Keep the weights of one attempt, in Nova's order."""

    def __init__(self) -> None:
        self._raw: list[RawWeights] = []
        self._weighed: Sequence[Any] = ()
        self._sums: list[float] = []

    def add(
        self, weigher: Any, weighed: Sequence[Any], weights: Sequence[float]
    ) -> None:
        """Add a weigher's weights.

        :param weighed: Nova's weighed hosts, the same ones for each weigher.
        :param weights: the raw weights, one a host.
        """
        self._weighed = weighed
        self._raw.append(RawWeights(
            weigher, weights, [host.weight for host in weighed]
        ))

    def close(self) -> None:
        """Take the final weights: all weighers ran, and were recorded."""
        self._sums = [host.weight for host in self._weighed]

    def get_sums(self) -> dict[HostKey, float]:
        """Return the final weight of each host; empty before the close."""
        return {
            host_key(host.obj): weight for host, weight in
            zip(self._weighed, self._sums, strict=False)
        }

    def list_best(self) -> Sequence[Any]:
        """Return the hosts of the greatest weight; none before the close."""
        return self._greatest(self._sums, 0.0)

    def list_heaviest(self, count: int) -> Sequence[Any]:
        """Return the first hosts as Nova sorts; none before the close."""
        first = heapq.nlargest(
            count, zip(self._sums, self._weighed, strict=False),
            key=itemgetter(0),
        )
        return [host.obj for _, host in first]

    def summarize(self, hosts: Sequence[Any] | None) -> list[Weighing]:
        """Return each weigher's weights and multipliers, by host name.

        :param hosts: those to name; None: all of them. Of some hosts,
            weighers that gave all the same are listed without weights.
        """
        named = [
            (position, name_host(host), host)
            for position, host in self._find(hosts)
        ]
        weighings = []
        for number, raw in enumerate(self._raw):
            if hosts is None or raw.differ:
                pause()
                weighings.append(self._summarize(number, named))
            else:
                weighings.append(
                    Weighing(type(raw.weigher).__name__, {}, {})
                )
        return weighings

    def _find(
        self, hosts: Sequence[Any] | None
    ) -> Iterable[tuple[int, Any]]:
        """Return those of the hosts that were weighed, by position.

        :param hosts: None: all.
        """
        keys = None if hosts is None else host_keys(hosts)
        for position, host in enumerate(self._weighed):
            if keys is None or host_key(host.obj) in keys:
                yield position, host.obj

    def _summarize(
        self, number: int, hosts: Sequence[tuple[int, str, Any]]
    ) -> Weighing:
        raw = self._raw[number]
        low, high = raw.bounds
        return Weighing(
            type(raw.weigher).__name__,
            _finite((name, raw.get(at)) for at, name, _ in hosts),
            _finite(
                (name, raw.get_multiplier(at, host))
                for at, name, host in iterate_with_pauses(hosts)
            ),
            low if math.isfinite(low) else None,
            high if math.isfinite(high) else None,
            [name_host(host) for host in self._best_without(number)[:NAMES]],
        )

    def _best_without(self, number: int) -> Sequence[Any]:
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
        best = host_keys(self.list_best())
        return [] if best & host_keys(others) else others

    def _greatest(self, sums: Sequence[float], slack: float) -> list[Any]:
        least = max(sums, default=0.0) - slack
        return [
            host.obj
            for host, weight in zip(self._weighed, sums, strict=False)
            if weight >= least
        ]


def _finite(numbers: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return the numbers that JSON can hold, by host."""
    return {host: float(n) for host, n in numbers if math.isfinite(n)}
