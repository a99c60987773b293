"""Hold what hosts have as columns, one row a host.

A column is computed when a host's row is put, not when a request comes. A
column of classes has a small number a row: rows of one class are equal in all
that the column's reader reads.
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
    :param numbers: by the column's name.
    :param classes: by the column's name.
    """

    keys: Sequence[Key]
    rows: Mapping[Key, int]
    states: Sequence[Any]
    numbers: Mapping[str, Numbers]
    classes: Mapping[str, Classes]
    _reading: '_Reading'
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


class HostTable:
    """Keep hosts, each with its columns' values.

    One thread puts and removes hosts. Any thread may use what freeze()
    returned.
    """

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self._hosts: dict[Key, Host] = {}
        self._reading = _Reading(readers)
        #: What was frozen last; None: hosts came or went since.
        self._frozen: HostColumns | None = None
        #: Hosts, and names of columns of numbers, that changed since.
        self._changed: set[Key] = set()
        self._set: set[str] = set()

    def put(self, state: Any) -> None:
        """Put a host in, or in place of what is known of it."""
        key = self._readers.key(state)
        if key not in self._hosts:
            self._frozen = None
        self._hosts[key] = (state, *self._reading.read(state))
        self._changed.add(key)

    def remove(self, key: Key) -> None:
        """Remove a host."""
        if self._hosts.pop(key, None) is not None:
            self._frozen = None

    def set_numbers(self, name: str, values: Mapping[Key, float]) -> None:
        """Set a column of hosts that are here, until they are put again."""
        column = list(self._readers.numbers).index(name)
        for key, value in values.items():
            self._hosts[key][1][column] = value
        self._set.add(name)

    def get(self, key: Key) -> Any:
        """Return a host's state; None of one that is not here."""
        host = self._hosts.get(key)
        return host and host[0]

    def list_keys(self) -> Sequence[Key]:
        """Return the hosts."""
        return list(self._hosts)

    def freeze(self) -> HostColumns:
        """Return the columns as they are now."""
        self._forget_classes()
        frozen = self._frozen
        if frozen is None:
            frozen = self._make_columns()
        elif self._changed:
            frozen = frozen.put({
                frozen.rows[key]: self._hosts[key] for key in self._changed
            })
        if self._set:
            names = list(self._readers.numbers)
            frozen = dataclasses.replace(frozen, numbers={
                name: self._list_numbers(number) if name in self._set
                else frozen.numbers[name]
                for number, name in enumerate(names)
            })
        self._frozen = frozen
        self._changed, self._set = set(), set()
        return frozen

    def _list_numbers(self, column: int) -> Numbers:
        return np.fromiter(
            (values[column] for _, values, _ in self._hosts.values()),
            np.float64, len(self._hosts),
        )

    def _make_columns(self) -> HostColumns:
        hosts = list(self._hosts.values())
        numbers = np.array([values for _, values, _ in hosts], np.float64)
        classes = np.array([ids for _, _, ids in hosts], np.int64)
        return HostColumns(
            list(self._hosts),
            {key: row for row, key in enumerate(self._hosts)},
            [state for state, _, _ in hosts],
            _split(numbers, list(self._readers.numbers), len(hosts)),
            _split(classes, list(self._readers.classes), len(hosts)),
            self._reading,
        )

    def _forget_classes(self) -> None:
        """Number the classes anew, once most are of rows that went."""
        columns = len(self._readers.classes)
        if self._reading.count_classes() > 2 * columns * (
            len(self._hosts) + 9
        ):
            self._reading = _Reading(self._readers)
            for key, (state, numbers, _) in self._hosts.items():
                self._hosts[key] = state, numbers, self._reading.read(state)[1]
            self._frozen = None


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


def _split(
    values: NDArray[Any], names: Sequence[str], rows: int
) -> dict[str, NDArray[Any]]:
    """Return the columns of a table, each in one piece."""
    table = values.reshape(rows, len(names))
    return {
        name: np.ascontiguousarray(table[:, n])
        for n, name in enumerate(names)
    }
