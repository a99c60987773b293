"""Know the servers that a rolling replay has elsewhere than the journal.

The journal's hosts show a server where it was. Nobody says when it ends: it
is gone once its host does not list it any more.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from nova_ext.engine.providers import Amounts
from nova_ext.journal.replayed import HostKey

#: A host lists a server once it is built. One that no host lists after this
#: time, in seconds, was not built.
BUILT_S = 600.0
#: Seconds after which another worker has got a message, too.
_TOLD_S = 60.0


class ServerLists(Protocol):
    """Know which servers a worker's hosts list."""

    def lists(self, host: HostKey, server: str) -> bool:
        """Say whether a host lists a server."""

    def find(self, server: str) -> HostKey | None:
        """Return the host that lists a server; None: none does."""


@dataclass(eq=False)
class Shift:
    """Represent a server on another host than in the journal.

    :param spec: its request spec, after the decision.
    :param worker: decided it.
    :param time: when it was decided, in seconds since 1970.
    :param journal_host: its host in the journal; None: it found none.
    :param replay_host: its host in the replay; None: it found none.
    :param journal_claim: what it holds of providers in the journal.
    :param replay_claim: what it holds in the replay.
    :param before: the host that listed it when it was decided; None: none.
    :ivar seen: when each worker's hosts listed it first.
    """

    server: str
    spec: Any
    worker: str
    time: float
    journal_host: HostKey | None
    replay_host: HostKey | None
    journal_claim: Amounts
    replay_claim: Amounts
    before: HostKey | None = None
    seen: dict[str, float] = field(default_factory=dict)


class ShiftedServers:
    """Keep the shifts that have not ended."""

    def __init__(self) -> None:
        self._shifts: dict[str, list[Shift]] = {}

    def __iter__(self) -> Iterator[Shift]:
        for shifts in self._shifts.values():
            yield from shifts

    def __bool__(self) -> bool:
        return bool(self._shifts)

    def get(self, server: str) -> Shift | None:
        """Return the newest shift of a server; None: it is where it was."""
        shifts = self._shifts.get(server)
        return shifts[-1] if shifts else None

    def end(self, worker: str, time: float, hosts: ServerLists) -> None:
        """End the shifts of servers that are gone from their hosts."""
        for shift in list(self):
            if shift.journal_host is None:
                continue  # it never was there
            if hosts.lists(shift.journal_host, shift.server):
                shift.seen.setdefault(worker, time)
            elif self._is_gone(shift, worker, time, hosts):
                self.drop([shift])

    @staticmethod
    def _is_gone(
        shift: Shift, worker: str, time: float, hosts: ServerLists
    ) -> bool:
        """Say whether a server that its host does not list was there."""
        if shift.seen:
            return worker in shift.seen or (
                time - min(shift.seen.values()) > _TOLD_S
            )
        # It was built on an alternate, or not at all.
        return time - shift.time > BUILT_S or (
            hosts.find(shift.server) not in (None, shift.before)
        )

    def begin(self, server: str) -> None:
        """Drop a shift that no host has shown: the server is placed anew."""
        self.drop([
            shift for shift in self._shifts.get(server, ()) if not shift.seen
        ])

    def add(self, shift: Shift) -> None:
        """Add a server that another host has now."""
        self._shifts.setdefault(shift.server, []).append(shift)

    def drop(self, shifts: Iterable[Shift]) -> None:
        """Drop shifts that have ended."""
        for shift in shifts:
            left = self._shifts[shift.server]
            left.remove(shift)
            if not left:
                del self._shifts[shift.server]
