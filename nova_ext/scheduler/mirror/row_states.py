"""Hold hosts by their rows. Lists of states are made when they are read."""

from collections.abc import Iterator, Sequence
from typing import Any

from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns


class RowStates(Sequence[Any]):
    """Hold the states of some rows."""

    def __init__(self, columns: HostColumns, rows: Rows) -> None:
        self._columns = columns
        self._rows = rows

    def __len__(self) -> int:
        return int(self._rows.size)

    def __getitem__(self, position: Any) -> Any:
        """Return a state, or the states of a slice."""
        if isinstance(position, slice):
            return RowStates(self._columns, self._rows[position])
        return self._columns.states[self._rows[position]]

    def __iter__(self) -> Iterator[Any]:
        return map(self._columns.states.__getitem__, self._rows.tolist())

    def list_names(self) -> list[str]:
        """Return the hosts' names, as NamedHosts does."""
        names: list[str] = (
            self._columns.get_values('host')[self._rows].tolist()
        )
        return names


class RowUuids(Sequence[str]):
    """Hold the UUIDs of the hosts of some rows, sorted.

    :param rows: sorted, too, by UUID.
    """

    def __init__(self, columns: HostColumns, rows: Rows) -> None:
        self._columns = columns
        self._rows = rows

    def __len__(self) -> int:
        return int(self._rows.size)

    def __getitem__(self, position: Any) -> Any:
        """Return a UUID, or the UUIDs of a slice."""
        if isinstance(position, slice):
            return RowUuids(self._columns, self._rows[position])
        return self._columns.states[self._rows[position]].uuid

    def __iter__(self) -> Iterator[str]:
        uuids: list[str] = (
            self._columns.get_values('uuid')[self._rows].tolist()
        )
        return iter(uuids)
