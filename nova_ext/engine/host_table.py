"""Keep the hosts that columns are made of.

A column is computed when a host's row is put, not when a request comes.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nova_ext.engine import stamps
from nova_ext.engine.host_columns import (
    Host,
    HostColumns,
    Key,
    Numbers,
    Readers,
    Reading,
)


class HostTable:
    """Keep hosts, each with its columns' values.

    One thread puts and removes hosts. Any thread may use what freeze()
    returned.
    """

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self._hosts: dict[Key, Host] = {}
        self._reading = Reading(readers)
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
            stamps.make(len(hosts)), self._reading,
        )

    def _forget_classes(self) -> None:
        """Number the classes anew, once most are of rows that went."""
        columns = len(self._readers.classes)
        if self._reading.count_classes() > 2 * columns * (
            len(self._hosts) + 9
        ):
            self._reading = Reading(self._readers)
            for key, (state, numbers, _) in self._hosts.items():
                self._hosts[key] = state, numbers, self._reading.read(state)[1]
            self._frozen = None


def _split(
    values: NDArray[Any], names: Sequence[str], rows: int
) -> dict[str, NDArray[Any]]:
    """Return the columns of a table, each in one piece."""
    table = values.reshape(rows, len(names))
    return {
        name: np.ascontiguousarray(table[:, n])
        for n, name in enumerate(names)
    }
