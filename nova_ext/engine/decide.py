"""Decide where one server goes: filter, weigh and rank the hosts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from nova_ext.engine import rank
from nova_ext.engine.filtering import Filter, Rows, filter_rows
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
            hosts.numbers[self.raw][rows],
            hosts.numbers[self.multipliers][rows], self.minval, self.maxval,
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
            np.full(rows.size, float(self.weigh_one(hosts.states[rows[0]]))),
            hosts.numbers[self.multipliers][rows], self.minval, self.maxval,
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
    """

    rows: Rows
    weights: Numbers


def place(
    hosts: HostColumns, rows: Rows, filters: Sequence[Filter],
    weighers: Sequence[Weigher], draw: rank.Draw,
) -> Placing:
    """Filter, weigh and rank some rows, in the order in which they come.

    :raises NotFiniteError: for a weight that is no finite number.
    """
    left = filter_rows(filters, hosts, rows)
    weighings = (weigher.weigh(hosts, left) for weigher in weighers)
    weights = rank.weigh(weighings, left.size)
    order = rank.rank(weights, draw)
    return Placing(left[order], weights[order])
