"""Rehearse moves of servers: one after the other, each taking its room.

Each is decided as a simulation of this move, by Nova's own code and not from
the mirror, on hosts and on placement's answer as the moves before leave them.
"""

import time
from collections.abc import Iterable
from typing import Any

from nova import context as nova_context
from nova import exception, objects
from nova.compute import vm_states

from nova_ext.core.base.scheduling_errors import (
    BusyError,
    MoveRefusedError,
    SchedulingError,
    WrongArgumentsError,
)
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.text_format import pluralize
from nova_ext.core.rpc.boot_request import Changes
from nova_ext.core.rpc.move_request import Move, MoveRequest
from nova_ext.core.rpc.rehearsal import (
    MoveOutcome,
    Order,
    Rehearsal,
    RehearsalRequest,
    RehearsedMove,
)
from nova_ext.scheduler.ask.moves.move_spec import MoveSpec
from nova_ext.scheduler.ask.rehearse.moved_room import MovedRoom
from nova_ext.scheduler.ask.rehearse.returned_hosts import ReturnedHosts
from nova_ext.scheduler.ask.simulate.simulation import Simulation
from nova_ext.scheduler.ask.simulate.simulation_requests import (
    SimulationRequests,
)
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.facts import cells

#: Seconds after which an answer leaves the remaining moves to the next call.
MOST_S = 25.0

_UNCHANGED = Changes()


class Rehearsals:
    """Rehearse, in turns with simulations.

    :param live: decides real boots.
    :param simulations: has the turns.
    """

    def __init__(
        self, live: NovaDecider, simulations: SimulationRequests
    ) -> None:
        self._live = live
        self._simulations = simulations

    def rehearse(self, context: Any, request: RehearsalRequest) -> Rehearsal:
        """Move the servers of hosts, for some time, and change nothing.

        :raises WrongArgumentsError: for a host that Nova does not have.
        :raises BusyError: there is no turn for the first move.
        """
        ends = time.monotonic() + MOST_S
        returned = ReturnedHosts(context, request.before)
        room = MovedRoom(request.hosts, returned, is_loss=request.is_loss)
        servers = _list_servers(context, request, returned)
        again = {move.server: move for move in request.moved}
        for earlier in (returned.moves | again).values():
            if earlier.outcome == MoveOutcome.PLACED:
                before = MoveRequest(earlier.server, earlier.operation)
                room.add(earlier, MoveSpec(context, before).make()[0])
        known = {move.server for move in request.moved}
        waiting = [each for each in servers if each.uuid not in known]
        rehearsal = Rehearsal(remaining=len(waiting))
        for server in waiting:
            try:
                with self._simulations.take_turn(context):
                    move = self._move(context, server, request, room)
            except BusyError:
                if not rehearsal.moves:
                    raise
                break
            rehearsal.moves.append(move)
            rehearsal.remaining -= 1
            if time.monotonic() > ends:
                break
        return rehearsal

    def _move(
        self, context: Any, server: Any, request: RehearsalRequest,
        room: MovedRoom,
    ) -> RehearsedMove:
        """Decide one move, and take its room."""
        move = RehearsedMove(
            server.uuid, server.display_name or '', server.flavor.name,
            _choose_operation(server, request),
            room.returned.places.get(server.uuid, server.host),
        )
        try:
            spec = self._decide(context, move, room)
        # One server that Nova can't describe does not end the others.
        except (MoveRefusedError, WrongArgumentsError) as error:
            move.outcome, move.reason = MoveOutcome.REFUSED, str(error)
            return move
        flavor = server.flavor
        move.has_local_disk = request.is_loss and bool(
            not spec.is_bfv or flavor.ephemeral_gb or flavor.swap
        )
        room.add(move, spec)
        return move

    def _decide(
        self, context: Any, move: RehearsedMove, room: MovedRoom
    ) -> Any:
        """Set what becomes of a server; return its request spec."""
        move_spec = MoveSpec(
            context, MoveRequest(move.server, move.operation), move.source
        )
        while True:
            simulation = Simulation(
                self._live, _UNCHANGED, ranked_hosts=1, from_mirror=False,
                held=room.held, change_host=room.change_host,
                complete=room.returned.add_room,
            )
            spec, servers = move_spec.make()
            room.change_group(spec)
            decision = _decide(simulation, context, spec, servers, move_spec)
            chosen = decision.chosen.get(move.server)
            if not chosen:
                move.outcome = MoveOutcome.NO_HOST
                move.reason = explain(decision, move.server).sentence
                if filled := simulation.placement.filled:
                    move.reason += (
                        f'; servers that moved before it took the room of '
                        f'{pluralize(filled, "host")}'
                    )
                return spec
            if not move_spec.ignore_refusing(chosen[0]):
                move.host = chosen[0]
                move.claim = {
                    provider: dict(amounts) for provider, amounts
                    in simulation.placement.claimed.items()
                }
                return spec


def _decide(
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


def _choose_operation(server: Any, request: RehearsalRequest) -> Move:
    if request.is_loss:
        return Move.EVACUATE
    if server.vm_state == vm_states.STOPPED:
        return Move.MIGRATE
    return Move.LIVE_MIGRATE


def _list_servers(
    context: Any, request: RehearsalRequest, returned: ReturnedHosts
) -> list[Any]:
    """Return the servers of all hosts, in the order in which they move."""
    servers = returned.list_servers(context, [
        server for host in dict.fromkeys(request.hosts)
        for server in _read_servers(context, host)
    ], request.hosts)
    if request.order == Order.UUID:
        servers.sort(key=lambda server: str(server.uuid))
    if request.order == Order.LARGEST:
        servers.sort(key=lambda server: (
            -server.flavor.memory_mb, -server.flavor.vcpus, server.uuid
        ))
    return servers


def _read_servers(context: Any, host: str) -> Iterable[Any]:
    try:
        cell = objects.HostMapping.get_by_host(context, host).cell_mapping
    except exception.HostMappingNotFound as error:
        raise WrongArgumentsError(
            f'Nova has no compute host {host}'
        ) from error
    with (
        cells.use_admin_context() as admin,
        nova_context.target_cell(admin, cell) as in_cell,
    ):
        return list(objects.InstanceList.get_by_host(
            in_cell, host, expected_attrs=['flavor']
        ))
