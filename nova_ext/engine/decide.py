"""Decide where one server goes: filter, weigh and rank the hosts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from nova_ext.engine import rank
from nova_ext.engine.filtering import (
    Filter,
    Mark,
    Rows,
    ask_marked,
    filter_rows,
)
from nova_ext.engine.host_columns import HostColumns, Numbers


class Weigher(Protocol):
    """Weigh hosts."""

    def weigh(self, hosts: HostColumns, rows: Rows) -> rank.Weighing:
        """Return the weights of some rows; there are at least two."""
        ...


@dataclass(frozen=True)
class ColumnWeigher:
    """Weigh by columns.

    :param raw: name of the column of raw weights.
    :param multipliers: name of the column of multipliers.
    :param minval: see Weighing.
    :param maxval: see Weighing.
    """

    raw: str
    multipliers: str
    minval: float | None = None
    maxval: float | None = None

    def weigh(self, hosts: HostColumns, rows: Rows) -> rank.Weighing:
        """Return the columns' values."""
        return rank.Weighing(
            hosts.take(self.raw, rows),
            hosts.take(self.multipliers, rows), self.minval, self.maxval,
        )


@dataclass(frozen=True)
class ConstantWeigher:
    """Weigh all hosts the same, but for their multipliers.

    :param weigh_one: returns the raw weight of any state.
    :param multipliers: name of the column of multipliers.
    :param minval: see Weighing.
    :param maxval: see Weighing.
    """

    weigh_one: Callable[[Any], float]
    multipliers: str
    minval: float | None = None
    maxval: float | None = None

    def weigh(self, hosts: HostColumns, rows: Rows) -> rank.Weighing:
        """Ask about the first state."""
        return rank.Weighing(
            np.broadcast_to(
                np.float64(self.weigh_one(hosts.states[rows[0]])), rows.size
            ),
            hosts.take(self.multipliers, rows), self.minval, self.maxval,
        )


@dataclass(frozen=True)
class MarkedWeigher:
    """Weigh most hosts the same.

    :param weigh_one: returns the raw weight of a state.
    :param mark: says of a state whether it may weigh otherwise than others.
    :param multipliers: name of the column of multipliers.
    :param minval: see Weighing.
    :param maxval: see Weighing.
    """

    weigh_one: Callable[[Any], float]
    mark: Mark
    multipliers: str
    minval: float | None = None
    maxval: float | None = None

    def weigh(self, hosts: HostColumns, rows: Rows) -> rank.Weighing:
        """Ask about each marked state, and about one other."""
        raw = ask_marked(self.weigh_one, self.mark, hosts, rows)
        return rank.Weighing(
            raw.astype(np.float64), hosts.take(self.multipliers, rows),
            self.minval, self.maxval,
        )


@dataclass(frozen=True)
class StateWeigher:
    """Weigh by the hosts' states.

    :param weigh_all: returns the raw weights, one a state.
    :param multiplier: returns that of a state.
    :param minval: see Weighing.
    :param maxval: see Weighing.
    """

    weigh_all: Callable[[Sequence[Any]], Sequence[float]]
    multiplier: Callable[[Any], float]
    minval: float | None = None
    maxval: float | None = None

    def weigh(self, hosts: HostColumns, rows: Rows) -> rank.Weighing:
        """Ask about each state."""
        states = [hosts.states[row] for row in rows]
        return rank.Weighing(
            np.array(self.weigh_all(states), np.float64),
            np.array([self.multiplier(state) for state in states]),
            self.minval, self.maxval,
        )


@dataclass(frozen=True)
class Placing:
    """Hold where one server may go.

    :param rows: the hosts that may be used, the one to try first first.
    :param weights: theirs.
    :param left: the rows before the first filter, and after each that was
        asked. The last are those that were weighed, in this order.
    :param weighings: one a weigher; none of a single host, which Nova does
        not weigh.
    :param sums: the running sums before each weigher, and after the last.
    """

    rows: Rows
    weights: Numbers
    left: Sequence[Rows]
    weighings: Sequence[rank.Weighing]
    sums: Sequence[Numbers]


def place(
    hosts: HostColumns, rows: Rows, filters: Sequence[Filter],
    weighers: Sequence[Weigher], draw: rank.Draw,
) -> Placing:
    """Filter, weigh and rank some rows, in the order in which they come.

    :raises NotFiniteError: for a weight that is no finite number.
    """
    left = filter_rows(filters, hosts, rows)
    passed = left[-1]
    weighings = [
        weigher.weigh(hosts, passed) for weigher in weighers
        if passed.size > 1
    ]
    sums = rank.weigh(weighings, passed.size)
    order = rank.rank(sums[-1], draw)
    return Placing(
        passed[order], sums[-1][order], left, weighings, sums
    )
