"""Hold hosts by their rows. Lists of states are made when they are read."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from nova_ext.engine.filtering import Mask, Rows
from nova_ext.engine.host_columns import HostColumns, Key


class _RowSequence(Sequence[Any]):
    """Hold something of the hosts of some rows."""

    def __init__(self, columns: HostColumns, rows: Rows) -> None:
        self._columns = columns
        self._rows = rows

    def __len__(self) -> int:
        return int(self._rows.size)

    def __getitem__(self, position: Any) -> Any:
        """Return one, or those of a slice."""
        if isinstance(position, slice):
            return type(self)(self._columns, self._rows[position])
        return self._get(int(self._rows[position]))

    @abstractmethod
    def _get(self, row: int) -> Any:
        """Return what is held of a row."""


@dataclass(frozen=True)
class _KnownNames:
    """Hold which rows have a host of a list of names.

    :param keys: of the rows.
    :param names: the list.
    :param are_named: by row.
    :param unknown: those that no row has.
    """

    keys: Sequence[Key]
    names: Sequence[str]
    are_named: Mask
    unknown: frozenset[str]


#: The last one: most requests have the same rows, and the same list.
_last_known: list[_KnownNames] = []


def _find_known(keys: Sequence[Key], names: Sequence[str]) -> _KnownNames:
    for known in list(_last_known):
        if known.keys is keys and known.names is names:
            return known
    wanted, hosts = frozenset(names), [host for host, _ in keys]
    known = _KnownNames(
        keys, names, np.fromiter(map(wanted.__contains__, hosts), np.bool_),
        wanted.difference(hosts),
    )
    _last_known[:] = [known]
    return known


class RowStates(_RowSequence):
    """Hold the states of some rows."""

    def __iter__(self) -> Iterator[Any]:
        return map(self._get, self._rows.tolist())

    def find_missing(self, names: Sequence[str]) -> Set[str]:
        """Return those of the names that no host has, as NamedHosts does."""
        known = _find_known(self._columns.keys, names)
        is_here = np.zeros(len(self._columns), np.bool_)
        is_here[self._rows] = True
        return known.unknown | {
            self._columns.keys[row][0]
            for row in np.flatnonzero(known.are_named & ~is_here).tolist()
            if not is_here[self._find(self._columns.keys[row][0])].any()
        }

    def list_named(self, names: Set[str]) -> list[Any]:
        """Return the host states of these names, as NamedHosts does."""
        rows = [row for name in names for row in self._find(name)]
        return [
            self._get(row) for row in sorted(rows)
            if (self._rows == row).any()
        ]

    def _find(self, name: str) -> list[int]:
        """Return the rows of a host's nodes."""
        return [
            row for row in self._columns.find_host(name.lower())
            if self._columns.keys[row][0] == name
        ]

    def _get(self, row: int) -> Any:
        return self._columns.states[row]


class RowUuids(_RowSequence):
    """Hold the UUIDs of the hosts of some rows, sorted; so are the rows."""

    def __iter__(self) -> Iterator[str]:
        uuids: list[str] = (
            self._columns.get_values('uuid')[self._rows].tolist()
        )
        return iter(uuids)

    def _get(self, row: int) -> Any:
        return self._columns.states[row].uuid
