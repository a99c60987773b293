"""Hold what hosts have as columns, one row a host.

A column of classes has a small number a row: rows of one class are equal in
all that the column's reader reads.
"""

import dataclasses
import itertools
import math
import operator
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nova_ext.engine import stamps
from nova_ext.engine.stamps import Stamps

#: A host and its node.
Key = tuple[str, str]
Numbers = NDArray[np.float64]
Classes = NDArray[np.int64]
Values = NDArray[np.object_]
#: A host's state, its numbers and its classes, one a column.
Host = tuple[Any, list[float], list[int]]


@dataclass(frozen=True)
class Readers:
    """Read columns from a host's state.

    :param key: returns the host and its node.
    :param numbers: return a number, by the column's name.
    :param classes: return what the rows of one class have in common, by the
        column's name.
    """

    key: Callable[[Any], Key]
    numbers: Mapping[str, Callable[[Any], float]] = field(
        default_factory=dict
    )
    classes: Mapping[str, Callable[[Any], Hashable]] = field(
        default_factory=dict
    )


@dataclass(frozen=True)
class HostColumns:
    """Hold the columns of hosts at one moment. Nothing changes in it.

    :param keys: the host and node of each row.
    :param rows: by host and node.
    :param states: what the columns were read from, one a row.
    :param stamps: of each row's state: see :mod:`.stamps`. Rows may share a
        number; a row with another state has one that it never had.
    :param numbers: by the column's name.
    :param classes: by the column's name.
    """

    keys: Sequence[Key]
    rows: Mapping[Key, int]
    states: Sequence[Any]
    numbers: Mapping[str, Numbers]
    classes: Mapping[str, Classes]
    stamps: Stamps
    _reading: 'Reading'
    _values: dict[str, Values] = field(default_factory=dict)
    #: Rows by host, in small letters.
    _by_host: dict[str, list[int]] = field(default_factory=dict)
    #: Whether a column has one number only: with the column it was found of.
    _same: dict[str, tuple[Numbers, bool]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.keys)

    def find_rows(self, keys: Iterable[Key]) -> Sequence[int | None]:
        """Return the row of each host; None of one that is not here."""
        return [self.rows.get(key) for key in keys]

    def find_host(self, host: str) -> Sequence[int]:
        """Return the rows of a host's nodes.

        :param host: in small letters.
        """
        if not self._by_host:
            by_host: dict[str, list[int]] = {}
            for row, (name, _) in enumerate(self.keys):
                by_host.setdefault(name.lower(), []).append(row)
            self._by_host.update(by_host)
        return self._by_host.get(host, ())

    def take(self, name: str, rows: NDArray[np.int64]) -> Numbers:
        """Return the numbers of some rows.

        Where all hosts have the same, there is but one in memory.
        """
        column = self.numbers[name]
        compared, same = self._same.get(name, (None, False))
        if compared is not column:
            same = bool((column == column[0]).all())
            self._same[name] = column, same
        if same:
            # As np.broadcast_to does, which takes longer than the rest.
            return np.ndarray(rows.size, np.float64, column, strides=(0,))
        return column[rows]

    def get_values(self, name: str) -> Values:
        """Return an attribute of all states, one a row.

        It is read from them when it is first asked for.
        """
        values = self._values.get(name)
        if values is None:
            values = self._values[name] = np.fromiter(
                (getattr(state, name) for state in self.states),
                np.object_, len(self.states),
            )
        return values

    def replace_states(self, states: Mapping[int, Any]) -> 'HostColumns':
        """Return columns with other states of the same numbers."""
        return dataclasses.replace(
            self, states=stamps.put(self.states, states),
            _values=self._replace_values(states),
            stamps=stamps.replace(self.stamps, list(states)),
        )

    def replace(
        self, states: Mapping[int, Any], kept: Collection[str] = ()
    ) -> 'HostColumns':
        """Return columns in which some hosts have another state, by row.

        :param kept: names of columns of numbers that stay as they are, and
            are not read: they are the same, or were set apart from the state.
        """
        return self.put({
            row: (state, *self._reading.read(state, kept))
            for row, state in states.items()
        }, kept)

    def put(
        self, hosts: Mapping[int, Host], kept: Collection[str] = ()
    ) -> 'HostColumns':
        """Return columns in which some rows are of other hosts' values."""
        states = {row: state for row, (state, _, _) in hosts.items()}
        return dataclasses.replace(
            self.replace_states(states),
            numbers={
                name: column if name in kept else _set(column, {
                    row: values[number]
                    for row, (_, values, _) in hosts.items()
                })
                for number, (name, column) in enumerate(self.numbers.items())
            },
            classes={
                name: _set(column, {
                    row: ids[number] for row, (_, _, ids) in hosts.items()
                })
                for number, (name, column) in enumerate(self.classes.items())
            },
        )

    def _replace_values(self, states: Mapping[int, Any]) -> dict[str, Values]:
        return {
            name: _set(values, {
                row: getattr(state, name) for row, state in states.items()
            }, operator.is_not)
            # Another thread may add one meanwhile.
            for name, values in list(self._values.items())
        }


class Reading:
    """Read states, in any thread, and number the classes.

    A number is never given to two classes.
    """

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self._next = itertools.count()
        self._ids: dict[str, dict[Hashable, int]] = {
            name: {} for name in readers.classes
        }

    def count_classes(self) -> int:
        """Return how many classes were seen, of all columns."""
        return sum(map(len, self._ids.values()))

    def read(
        self, state: Any, kept: Collection[str] = ()
    ) -> tuple[list[float], list[int]]:
        """Return a state's numbers and classes, one a column.

        :param kept: names of columns of numbers that are not read: NaN.
        """
        return (
            [
                math.nan if name in kept else read(state)
                for name, read in self._readers.numbers.items()
            ],
            [
                self._number(self._ids[name], read(state))
                for name, read in self._readers.classes.items()
            ],
        )

    def _number(self, ids: dict[Hashable, int], key: Hashable) -> int:
        if key not in ids:
            # Of two threads that come at once, both get what the first set.
            ids.setdefault(key, next(self._next))
        return ids[key]


def _set(
    column: NDArray[Any], values: Mapping[int, Any],
    differs: Callable[[Any, Any], bool] = operator.ne,
) -> NDArray[Any]:
    """Return a column with other values in some rows.

    It is the same one where the values are: most columns do not change, and
    to copy all takes longer than to decide.
    """
    changed = [
        (row, value) for row, value in values.items()
        if differs(column[row], value)
    ]
    if changed:
        column = column.copy()
    for row, value in changed:
        column[row] = value
    return column
