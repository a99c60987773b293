"""Show the host states that requests share to those who may change them.

Copying them all would take longer than most plugins take to read them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from nova.scheduler import host_manager

from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns


class HostView(host_manager.HostState):
    """Show one host state.

    What is set stays on the view. A dict or list is copied when it is read.

    :param state: nobody changes it any more; it may be a view.
    """

    def __init__(self, state: Any) -> None:
        self._state = state

    def show(self, state: Any) -> None:
        """Show another state of the host, without what was set."""
        self.__dict__.clear()
        self._state = state

    def __getattr__(self, name: str) -> Any:
        if name == '_state' or name.startswith('__'):
            raise AttributeError(name)
        value = getattr(self._state, name)
        if isinstance(value, dict | list):
            value = value.copy()
            setattr(self, name, value)
        return value


class HostViews(Sequence[Any]):
    """Show the hosts of some rows, as Columns of core's model.

    :ivar shown: the views that were taken.
    """

    def __init__(self, columns: HostColumns, rows: Rows) -> None:
        self._columns = columns
        self._rows = rows
        self.shown: list[HostView] = []

    def __len__(self) -> int:
        return int(self._rows.size)

    def __getitem__(self, position: Any) -> Any:
        """Return a view, or the list of a slice's."""
        if isinstance(position, slice):
            return [self._show(row) for row in self._rows[position].tolist()]
        return self._show(self._rows[position])

    def __iter__(self) -> Iterator[Any]:
        return map(self._show, self._rows.tolist())

    def _show(self, row: int) -> HostView:
        self.shown.append(HostView(self._columns.states[row]))
        return self.shown[-1]

    def __getattr__(self, name: str) -> Any:
        if name.startswith('_'):
            raise AttributeError(name)
        values = [
            value.copy() if isinstance(value, dict | list) else value
            for value in self._columns.get_values(name)[self._rows].tolist()
        ]
        setattr(self, name, values)
        return values
