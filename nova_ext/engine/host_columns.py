"""Hold what hosts have as columns, one row a host.

A column is computed when a host's row is put, not when a request comes. A
column of classes has a small number a row: rows of one class are equal in all
that the column's reader reads.
"""

import dataclasses
import itertools
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

#: A host and its node.
Key = tuple[str, str]
Numbers = NDArray[np.float64]
Classes = NDArray[np.int64]
Values = NDArray[np.object_]


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

    :param states: what the columns were read from, one a row.
    :param numbers: by the column's name.
    :param classes: by the column's name.
    """

    keys: Sequence[Key]
    states: Sequence[Any]
    numbers: Mapping[str, Numbers]
    classes: Mapping[str, Classes]
    _reading: '_Reading'
    _values: dict[str, Values] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.keys)

    def find_rows(self, keys: Iterable[Key]) -> Sequence[int | None]:
        """Return the row of each host; None of one that is not here."""
        rows = {key: row for row, key in enumerate(self.keys)}
        return [rows.get(key) for key in keys]

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
        all_states = list(self.states)
        for row, state in states.items():
            all_states[row] = state
        return dataclasses.replace(
            self, states=all_states, _values=self._replace_values(states)
        )

    def replace(
        self, states: Mapping[int, Any], kept: Collection[str] = ()
    ) -> 'HostColumns':
        """Return columns in which some hosts have another state, by row.

        :param kept: names of columns of numbers that stay as they are:
            values that were set apart from the state.
        """
        all_states = list(self.states)
        numbers = {name: c.copy() for name, c in self.numbers.items()}
        classes = {name: c.copy() for name, c in self.classes.items()}
        for row, state in states.items():
            all_states[row] = state
            values, ids = self._reading.read(state)
            for name, value in zip(numbers, values, strict=True):
                if name not in kept:
                    numbers[name][row] = value
            for ids_column, id_ in zip(classes.values(), ids, strict=True):
                ids_column[row] = id_
        return HostColumns(
            self.keys, all_states, numbers, classes, self._reading,
            self._replace_values(states),
        )

    def _replace_values(self, states: Mapping[int, Any]) -> dict[str, Values]:
        replaced = {}
        # Another thread may add one meanwhile.
        for name, values in list(self._values.items()):
            replaced[name] = values.copy()
            for row, state in states.items():
                replaced[name][row] = getattr(state, name)
        return replaced


class _Reading:
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

    def read(self, state: Any) -> tuple[list[float], list[int]]:
        """Return a state's numbers and classes, one a column."""
        return (
            [read(state) for read in self._readers.numbers.values()],
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


class HostTable:
    """Keep hosts, each with its columns' values.

    One thread puts and removes hosts. Any thread may use what freeze()
    returned.
    """

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self._rows: dict[Key, tuple[Any, list[float], list[int]]] = {}
        self._reading = _Reading(readers)

    def put(self, state: Any) -> None:
        """Put a host in, or in place of what is known of it."""
        self._rows[self._readers.key(state)] = (
            state, *self._reading.read(state)
        )

    def remove(self, key: Key) -> None:
        """Remove a host."""
        self._rows.pop(key, None)

    def set_number(self, key: Key, name: str, value: float) -> None:
        """Set one value of a host that is here, until it is put again."""
        numbers = self._rows[key][1]
        numbers[list(self._readers.numbers).index(name)] = value

    def get(self, key: Key) -> Any:
        """Return a host's state; None of one that is not here."""
        row = self._rows.get(key)
        return row and row[0]

    def list_keys(self) -> Sequence[Key]:
        """Return the hosts."""
        return list(self._rows)

    def freeze(self) -> HostColumns:
        """Return the columns as they are now."""
        self._forget_classes()
        rows = list(self._rows.values())
        states = [state for state, _, _ in rows]
        numbers = np.array([values for _, values, _ in rows], np.float64)
        classes = np.array([ids for _, _, ids in rows], np.int64)
        return HostColumns(
            list(self._rows), states,
            _split(numbers, list(self._readers.numbers), len(rows)),
            _split(classes, list(self._readers.classes), len(rows)),
            self._reading,
        )

    def _forget_classes(self) -> None:
        """Number the classes anew, once most are of rows that went."""
        columns = len(self._readers.classes)
        if self._reading.count_classes() > 2 * columns * (len(self._rows) + 9):
            self._reading = _Reading(self._readers)
            for key, (state, numbers, _) in self._rows.items():
                self._rows[key] = state, numbers, self._reading.read(state)[1]


def _split(
    values: NDArray[Any], names: Sequence[str], rows: int
) -> dict[str, NDArray[Any]]:
    """Return the columns of a table, each in one piece."""
    table = values.reshape(rows, len(names))
    return {
        name: np.ascontiguousarray(table[:, n])
        for n, name in enumerate(names)
    }
