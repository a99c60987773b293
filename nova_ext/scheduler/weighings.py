"""What weighers said in one attempt, kept raw until there is time for it.

While Nova weighs, a request waits; so only lists are kept then. What they
mean is worked out in the record's own thread.
"""

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.core import decision as d
from nova_ext.scheduler.pauses import paused

#: Sums that differ by less than this share of the greatest one are equal:
#: they were taken apart again from Nova's running sums.
ROUNDING = 1e-12
#: Hosts that are named as the best without one weigher.
NAMES = 3

Label = Callable[[Any], str]


@dataclass
class _Said:
    """One weigher's word.

    :param raw: its weights.
    :param before: the sums of what the weighers before it added.
    """

    weigher: Any
    raw: Sequence[float]
    before: Sequence[float]

    @property
    def bounds(self) -> tuple[float, float]:
        """The raw weights that Nova makes 0 and 1."""
        low, high = self.weigher.minval, self.weigher.maxval
        return (
            min(self.raw) if low is None else low,
            max(self.raw) if high is None else high,
        )

    @property
    def tells_apart(self) -> bool:
        """Whether Nova made anything but 0 of its weights."""
        low, high = self.bounds
        return low != high


class Weighings:
    """The weighers of one attempt, in Nova's order."""

    def __init__(self) -> None:
        self._said: list[_Said] = []
        self._weighed: Sequence[Any] = ()
        self._sums: list[float] = []

    def add(
        self, weigher: Any, weighed: Sequence[Any], raw: Sequence[float]
    ) -> None:
        """Add what a weigher says.

        :param weighed: Nova's weighed hosts, the same ones for each weigher.
        :param raw: its weights, one a host.
        """
        self._weighed = weighed
        before = [each.weight for each in weighed]
        self._said.append(_Said(weigher, raw, before))

    def close(self) -> None:
        """All weighers are through, and all of them were recorded."""
        self._sums = [each.weight for each in self._weighed]

    def best(self) -> list[Any]:
        """The hosts whose weight is the greatest; none before the close."""
        return self._greatest(self._sums, 0.0)

    def heaviest(self, count: int) -> list[Any]:
        """The first few hosts as Nova sorts them; none before the close."""
        first = heapq.nlargest(
            count, zip(self._sums, self._weighed, strict=False),
            key=lambda one: one[0],
        )
        return [each.obj for _, each in first]

    def told(
        self, label: Label, wanted: Collection[Any] | None
    ) -> list[d.Weighing]:
        """What each weigher said of some hosts.

        :param label: names a host state.
        :param wanted: the hosts; None: all of them.
        """
        some = None if wanted is None else {id(host) for host in wanted}
        hosts = [
            (position, label(each.obj), each.obj)
            for position, each in enumerate(self._weighed)
            if some is None or id(each.obj) in some
        ]
        return [
            self._weighing(number, hosts, label)
            if some is None or said.tells_apart
            else d.Weighing(type(said.weigher).__name__, {}, {})
            for number, said in enumerate(self._said)
        ]

    def _weighing(
        self, number: int, hosts: Sequence[tuple[int, str, Any]], label: Label
    ) -> d.Weighing:
        said = self._said[number]
        low, high = said.bounds
        return d.Weighing(
            type(said.weigher).__name__,
            _finite((name, said.raw[at]) for at, name, _ in hosts),
            _finite(
                (name, said.weigher.weight_multiplier(host))
                for _, name, host in paused(hosts)
            ),
            low if math.isfinite(low) else None,
            high if math.isfinite(high) else None,
            [label(host) for host in self._best_without(number)[:NAMES]],
        )

    def _best_without(self, number: int) -> list[Any]:
        """The hosts that would be the best without a weigher's word.

        :returns: none where one that is the best would be among them.
        """
        said = self._said[number]
        if not self._sums or not said.tells_apart:
            return []
        after = (
            self._said[number + 1].before
            if number + 1 < len(self._said) else self._sums
        )
        found = self._greatest(
            [
                total - (added - before)
                for total, added, before in zip(
                    self._sums, after, said.before, strict=True
                )
            ],
            ROUNDING * max(1.0, *map(abs, self._sums)),
        )
        best = {id(host) for host in self.best()}
        return [] if any(id(host) in best for host in found) else found

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
