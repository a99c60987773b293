"""Rank the hosts of one request, and look again at those that come first."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.engine.decide import Placing
from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.mirror import journaled_hosts
from nova_ext.scheduler.mirror.deciding.candidates import Candidates
from nova_ext.scheduler.mirror.deciding.error_guard import guard
from nova_ext.scheduler.mirror.deciding.host_room import HostRoom
from nova_ext.scheduler.mirror.deciding.second_look import SecondLook
from nova_ext.scheduler.mirror.plugins import nova_plugins

#: Hosts that may fail a second look before Nova decides.
MAX_FAILED_LOOKS = 200


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


class HostRanking:
    """Rank the hosts of one request.

    :param room: what Nova claims on.
    :param on_refused: called when hosts fail the second look.
    :param simulated: its servers do not exist.
    :ivar columns: the mirror's, with what is known of hosts since.
    :ivar rows: the hosts that are left, in order.
    :ivar considered: those that the last ranking began with.
    :ivar gone: those that were left out before it.
    :ivar ranked_from: the columns that it began with.
    """

    def __init__(
        self, candidates: Candidates, columns: HostColumns, rows: Rows,
        room: HostRoom, look: SecondLook, on_refused: Callable[[], None], *,
        simulated: bool,
    ) -> None:
        self._candidates = candidates
        self.columns = self.ranked_from = columns
        self.rows = self.considered = rows
        self.gone = rows[:0]
        self._room = room
        self._look = look
        self._on_refused = on_refused
        self.simulated = simulated

    def place(self, index: int, seed: int, ahead: int) -> Placing:
        """Rank the hosts; afresh, where one of the first failed a look.

        :param index: 0 for the first server of the request.
        :param ahead: how many hosts Nova may take.
        """
        if index and self.columns is not self.ranked_from:
            journaled_hosts.note_renewed()
        changed = self._room.take_changed()
        if changed:
            self.columns = self.columns.replace(
                changed, nova_plugins.list_unclaimed(self.columns)
            )
        self.gone = self.rows[:0]
        while True:
            self.considered, self.ranked_from = self.rows, self.columns
            placing = self._candidates.place(
                self.columns, self.rows, index, seed
            )
            if not self._look_again(placing.rows[:ahead]):
                self.rows = placing.rows
                return placing
            ahead *= 2

    @guard
    def _look_again(self, rows: Rows) -> bool:
        """Look again at some hosts; say whether one fails that did not yet.

        :raises FallbackError: where too many failed.
        """
        before = len(self._look.refused)
        changed, gone = self._look.look(self.columns, rows)
        if changed:
            self.columns = self.columns.replace(changed)
            self._room.renew(changed)
        if gone.size:
            self.rows = self.rows[~np.isin(self.rows, gone)]
            self.gone = np.append(self.gone, gone)
        if len(self._look.refused) == before:
            return False
        self._on_refused()
        if len(self._look.refused) > MAX_FAILED_LOOKS:
            raise FallbackError(Fallback.TOO_OLD)
        return True

    def take(self) -> RankedHosts:
        """Return the hosts that are left, whether they pass or not."""
        return RankedHosts(self.rows, self._get_state)

    def keep(
        self, hosts: Sequence[Any], ahead: int,
        is_complete: Callable[[], bool],
    ) -> CheckedHosts:
        """Return the hosts that a driver lets be used, best first.

        Nova gets none of them before it passed a second look. Where that
        fails after all servers have a host, there are no more alternates.
        """
        if not isinstance(hosts, RankedHosts):
            rows = self.columns.find_rows(map(host_key, hosts))
            self.rows = np.array(rows, np.int64)

        def passes(rows: Rows) -> bool:
            row = int(rows[0])
            if not self._look.has_seen(row):
                try:
                    is_refused = self._look_again(rows[:ahead])
                except FallbackError:
                    if not is_complete():
                        raise
                    self._look.refuse(rows)
                    is_refused = True
                if is_refused:
                    journaled_hosts.note_renewed()
            return row not in self._look.refused

        return CheckedHosts(self.rows, self._get_state, passes)

    @guard
    def _get_state(self, row: int) -> Any:
        """Return the request's own state of a host."""
        return self._room.get_state(self.columns, row)
