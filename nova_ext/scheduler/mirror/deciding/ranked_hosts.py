"""Hold ranked hosts, and make the states of those that Nova looks at."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from nova_ext.engine.filtering import Rows


class RankedHosts(Sequence[Any]):
    """Hold hosts in order; a state is made when it is taken.

    :param rows: the hosts, the one to try first first.
    :param get_state: returns a row's state, the same one each time.
    """

    def __init__(self, rows: Rows, get_state: Callable[[int], Any]) -> None:
        self._rows = rows
        self._get_state = get_state

    def __len__(self) -> int:
        return int(self._rows.size)

    def __getitem__(self, position: Any) -> Any:
        """Return a state, or the list of a slice's."""
        if isinstance(position, slice):
            return [self._get_state(r) for r in self._rows[position].tolist()]
        return self._get_state(int(self._rows[position]))


class CheckedHosts(RankedHosts):
    """Leave out hosts that Nova would refuse, when their turn comes.

    :param passes: says of the first of some rows whether it passes.
    """

    def __init__(
        self, rows: Rows, get_state: Callable[[int], Any],
        passes: Callable[[Rows], bool],
    ) -> None:
        super().__init__(rows, get_state)
        self._passes = passes

    def __iter__(self) -> Iterator[Any]:
        """Yield the states of those that pass."""
        for position, row in enumerate(self._rows.tolist()):
            if self._passes(self._rows[position:]):
                yield self._get_state(row)
