"""Move servers one after the other, each decided by the engine or by Nova."""

from collections.abc import Iterable, Mapping
from typing import Any

from nova import exception

from nova_ext.core.base.scheduling_errors import SchedulingError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.decision.fallback import FallbackError
from nova_ext.core.explanation.explain import explain
from nova_ext.core.rpc.boot_request import Changes
from nova_ext.core.rpc.move_request import Move, MoveRequest
from nova_ext.core.rpc.rehearsal import (
    MoveOutcome,
    RehearsalRequest,
    RehearsedMove,
)
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.what_if.moves.move_spec import MoveSpec
from nova_ext.scheduler.what_if.rehearse import moved_servers, rehearsed_move
from nova_ext.scheduler.what_if.rehearse.moved_room import (
    MovedRoom,
    describe_filled,
)
from nova_ext.scheduler.what_if.rehearse.moved_servers import (
    MovedServer,
    StoredRequest,
)
from nova_ext.scheduler.what_if.rehearse.returned_hosts import ReturnedHosts
from nova_ext.scheduler.what_if.simulate.simulation import Simulation

_UNCHANGED = Changes()


class MoveSeries:
    """Move servers one after the other.

    :param engine: decides from a snapshot; None: Nova's code alone does.
    :param servers: all that are to move.
    :param returned: what earlier steps changed.
    """

    def __init__(
        self, context: Any, request: RehearsalRequest, live: NovaDecider,
        engine: Any, servers: list[MovedServer], returned: ReturnedHosts,
    ) -> None:
        self._context = context
        self._request = request
        self._live = live
        self._engine = engine
        self._returned = returned
        self._room = MovedRoom(
            request.hosts, returned, is_loss=request.is_loss
        )
        self._columns = engine and engine.begin(
            request.hosts, is_loss=request.is_loss
        )
        self._stored: Mapping[str, StoredRequest] = (
            moved_servers.read_requests(context, [
                server.uuid for server in servers
            ]) if engine is not None and request.is_loss else {}
        )
        self._servers = {server.uuid: server for server in servers}

    def repeat(self, moves: Iterable[RehearsedMove]) -> None:
        """Take the room of moves that were decided before."""
        for move in moves:
            if move.outcome == MoveOutcome.PLACED:
                self._take(move, self._find_spec(move))

    def move(self, server: MovedServer) -> RehearsedMove:
        """Decide one move, and take its room."""
        move, spec = rehearsed_move.make(
            server, rehearsed_move.choose_operation(
                server, is_loss=self._request.is_loss
            ), self._decide,
        )
        if spec is not None:
            self._take(move, spec)
        return move

    def find_spare(
        self, servers: list[MovedServer], moves: list[RehearsedMove]
    ) -> Any:
        """Return the SpareHosts for servers that find no host, if known."""
        left = {
            move.server for move in moves
            if move.outcome == MoveOutcome.NO_HOST
        }
        if not left or self._engine is None:
            return None
        try:
            return self._engine.find_spare([
                (server, self._find_request(server))
                for server in servers if server.uuid in left
            ], self._request.hosts)
        except FallbackError:
            return None

    def _take(self, move: RehearsedMove, spec: Any) -> None:
        self._room.add(move, spec)
        if self._columns is not None:
            self._columns.take(move, spec)

    def _find_spec(self, move: RehearsedMove) -> Any:
        """Return the request spec of a move that was decided before."""
        server = self._servers.get(move.server)
        if self._stored and server is not None:
            try:
                return self._find_request(server).spec
            except FallbackError:
                pass
        return MoveSpec(
            self._context, MoveRequest(move.server, move.operation)
        ).make()[0]

    def _find_request(self, server: MovedServer) -> Any:
        """Return the request of an evacuation, for the engine.

        :raises FallbackError: the engine does not decide it.
        """
        return self._engine.requests.find(
            self._context, server, self._stored.get(server.uuid)
        )

    def _decide(self, move: RehearsedMove) -> Any:
        """Set what becomes of a server; return its request spec."""
        if self._columns is not None:
            try:
                return self._decide_by_engine(move)
            except FallbackError:
                move.by_engine = False
        return self._decide_by_nova(move)

    def _decide_by_engine(self, move: RehearsedMove) -> Any:
        """Decide from the snapshot.

        :raises FallbackError: the engine does not.
        """
        if move.operation == Move.EVACUATE:
            request = self._find_request(self._servers[move.server])
            self._columns.decide(move, request)
            return request.spec
        move_spec = MoveSpec(
            self._context, MoveRequest(move.server, move.operation)
        )
        while True:
            spec, _ = move_spec.make()
            self._columns.decide(
                move, self._engine.requests.make(self._context, spec)
            )
            if move.outcome != MoveOutcome.PLACED or (
                not move_spec.ignore_refusing(move.host)
            ):
                return spec

    def _decide_by_nova(self, move: RehearsedMove) -> Any:
        """Decide by Nova's code, from Nova's databases and placement."""
        room = self._room
        move_spec = MoveSpec(
            self._context, MoveRequest(move.server, move.operation),
            move.source,
        )
        while True:
            simulation = Simulation(
                self._live, _UNCHANGED, ranked_hosts=1, from_mirror=False,
                held=room.held, change_host=room.change_host,
                complete=self._returned.add_room,
            )
            spec, servers = move_spec.make()
            room.change_group(spec)
            decision = _simulate(
                simulation, self._context, spec, servers, move_spec
            )
            chosen = decision.chosen.get(move.server)
            if not chosen:
                move.outcome = MoveOutcome.NO_HOST
                move.reason = explain(
                    decision, move.server
                ).sentence + describe_filled(simulation.placement.filled)
                return spec
            if not move_spec.ignore_refusing(chosen[0]):
                move.host = chosen[0]
                move.claim = {
                    provider: dict(amounts) for provider, amounts
                    in simulation.placement.claimed.items()
                }
                return spec


def _simulate(
    simulation: Simulation, context: Any, spec: Any, servers: list[str],
    move_spec: MoveSpec,
) -> Decision:
    try:
        decision = simulation.decide(
            context, spec, servers, alternates=move_spec.takes_alternates
        )
    except exception.NovaException:
        decision = simulation.finish()
    if decision is None:
        raise SchedulingError(
            'a move could not be traced; the scheduler\'s log has more'
        )
    return decision
