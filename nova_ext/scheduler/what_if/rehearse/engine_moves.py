"""Decide rehearsed moves by the engine, from the mirror's snapshot.

The mirror decides boots by the same code. It needs numpy, as the mirror does,
and is imported where there is one.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from nova_ext.core.base.scheduling_errors import (
    MoveRefusedError,
    WrongArgumentsError,
)
from nova_ext.core.decision.fallback import FallbackError
from nova_ext.core.rpc.losses import Loss
from nova_ext.core.rpc.move_request import Move
from nova_ext.core.rpc.rehearsal import (
    MoveOutcome,
    RehearsedMove,
    SpareHosts,
)
from nova_ext.scheduler.cycle.effects import BOOTS
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.mirror.deciding.candidates import DecisionInputs
from nova_ext.scheduler.what_if.rehearse import (
    moved_servers,
    rehearsed_move,
    spare_hosts,
)
from nova_ext.scheduler.what_if.rehearse.column_cloud import ColumnCloud
from nova_ext.scheduler.what_if.rehearse.column_requests import (
    ColumnRequest,
    ColumnRequests,
)
from nova_ext.scheduler.what_if.rehearse.column_room import ColumnRoom
from nova_ext.scheduler.what_if.rehearse.moved_servers import (
    MovedServer,
    StoredRequest,
)

#: Seconds that one loss waits for boots.
_GIVE_WAY_S = 10.0


class EngineMoves:
    """Decide moves from one snapshot.

    :param live: decides real boots.
    :param inputs: what the mirror decides from now.
    :raises FallbackError: there is no snapshot that may be used.
    """

    def __init__(self, live: NovaDecider, inputs: DecisionInputs) -> None:
        self.requests = ColumnRequests(live, inputs)
        self.cloud = ColumnCloud(inputs, live.host_manager)

    @property
    def age_s(self) -> float:
        """Return the seconds since the hosts were read."""
        return self.cloud.age_s

    def may_go_on(self) -> bool:
        """Say whether the snapshot is not too old yet."""
        try:
            self.cloud.check_age()
        except FallbackError:
            return False
        return True

    def begin(
        self, hosts: Collection[str], *, is_loss: bool
    ) -> ColumnRoom:
        """Return the room of a rehearsal; see :class:`.ColumnRoom`."""
        return ColumnRoom(self.cloud, hosts, is_loss=is_loss)

    def read(
        self, context: Any, hosts: Sequence[str]
    ) -> Callable[[str, Sequence[str], Sequence[str]], Loss]:
        """Read the servers of hosts; return what rehearses their loss.

        :raises WrongArgumentsError: for a host that Nova does not have.
        """
        servers = moved_servers.read_servers(context, hosts)
        stored = moved_servers.read_requests(
            context, [each.uuid for some in servers.values() for each in some]
        )
        return EngineLosses(self, context, servers, stored).rehearse

    def find_spare(
        self, left: spare_hosts.Left, lost: Sequence[str]
    ) -> SpareHosts:
        """Return the hosts that servers without one would need."""
        return spare_hosts.find(self.cloud, left, lost)


class EngineLosses:
    """Rehearse losses, each from the same snapshot.

    :param servers: by their host.
    :param stored: their requests, by their UUID.
    """

    def __init__(
        self, engine: EngineMoves, context: Any,
        servers: Mapping[str, Sequence[MovedServer]],
        stored: Mapping[str, StoredRequest],
    ) -> None:
        self._engine = engine
        self._context = context
        self._servers = servers
        self._stored = stored

    def rehearse(
        self, name: str, hosts: Sequence[str], orders: Sequence[str]
    ) -> Loss:
        """Return what becomes of the servers in the best of some orders."""
        listed = [
            server for host in dict.fromkeys(hosts)
            for server in self._servers[host]
        ]
        try:
            return self._rehearse(name, listed, hosts, orders)
        except FallbackError as error:
            return Loss(
                name, len(listed),
                undecided=max(1, sum(map(self._falls_back, listed))),
                reason=str(error),
            )

    def _falls_back(self, server: MovedServer) -> bool:
        """Say whether Nova is to decide a server."""
        try:
            self._find(server)
        except FallbackError:
            return True
        except (MoveRefusedError, WrongArgumentsError):
            return False
        return False

    def _find(self, server: MovedServer) -> ColumnRequest:
        return self._engine.requests.find(
            self._context, server, self._stored.get(server.uuid)
        )

    def _rehearse(
        self, name: str, listed: Sequence[MovedServer],
        hosts: Sequence[str], orders: Sequence[str],
    ) -> Loss:
        tried: dict[str, tuple[list[RehearsedMove], list[Any]]] = {}
        placed: dict[str, int] = {}
        for order in orders:
            tried[order] = self._move(hosts, moved_servers.sort(listed, order))
            placed[order] = _count(tried[order][0], MoveOutcome.PLACED)
            if not _count(tried[order][0], MoveOutcome.NO_HOST):
                break
        best = max(placed, key=lambda order: placed[order])
        moves, left = tried[best]
        return Loss(
            name, len(listed), best, placed[best],
            _count(moves, MoveOutcome.NO_HOST),
            _count(moves, MoveOutcome.REFUSED), sum(
                move.has_local_disk for move in moves
                if move.outcome == MoveOutcome.PLACED
            ), placed,
            self._engine.find_spare(left, hosts) if left else None,
        )

    def _move(
        self, hosts: Sequence[str], servers: Sequence[MovedServer]
    ) -> tuple[list[RehearsedMove], list[tuple[MovedServer, ColumnRequest]]]:
        """Move servers, one after the other.

        :returns: the moves, and the servers that find no host.
        """
        room = self._engine.begin(hosts, is_loss=True)
        moves, left = [], []
        patience_s = _GIVE_WAY_S
        for server in servers:
            patience_s -= BOOTS.give_way(patience_s)

            def decide(
                move: RehearsedMove, server: MovedServer = server
            ) -> Any:
                request = self._find(server)
                room.decide(move, request)
                if move.outcome == MoveOutcome.NO_HOST:
                    left.append((server, request))
                return request.spec

            move, spec = rehearsed_move.make(server, Move.EVACUATE, decide)
            if spec is not None:
                room.take(move, spec)
            moves.append(move)
        return moves, left


def _count(moves: Sequence[RehearsedMove], outcome: str) -> int:
    return sum(move.outcome == outcome for move in moves)
