"""Hold hosts by their rows. Lists of states are made when they are read."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns


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


class RowStates(_RowSequence):
    """Hold the states of some rows."""

    def __iter__(self) -> Iterator[Any]:
        return map(self._get, self._rows.tolist())

    def list_names(self) -> list[str]:
        """Return the hosts' names, as NamedHosts does."""
        names: list[str] = (
            self._columns.get_values('host')[self._rows].tolist()
        )
        return names

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
