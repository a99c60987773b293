"""Make one move of a rehearsal, whoever decides it."""

from collections.abc import Callable
from typing import Any

from nova.compute import vm_states

from nova_ext.core.base.scheduling_errors import (
    MoveRefusedError,
    WrongArgumentsError,
)
from nova_ext.core.rpc.move_request import Move
from nova_ext.core.rpc.rehearsal import MoveOutcome, RehearsedMove
from nova_ext.scheduler.what_if.moves import api_rules
from nova_ext.scheduler.what_if.rehearse.moved_servers import MovedServer


def choose_operation(server: MovedServer, *, is_loss: bool) -> Move:
    """Return how a server leaves its host."""
    if is_loss:
        return Move.EVACUATE
    if server.vm_state == vm_states.STOPPED:
        return Move.MIGRATE
    return Move.LIVE_MIGRATE


def make(
    server: MovedServer, operation: Move,
    decide: Callable[[RehearsedMove], Any],
) -> tuple[RehearsedMove, Any]:
    """Return a move, and the server's request spec.

    :param decide: sets what becomes of the server; returns its request spec.
    :returns: None instead of it where nova-api refuses the move, or Nova
        can't describe the server. That does not end the others.
    """
    move = RehearsedMove(
        server.uuid, server.display_name or '', server.flavor.name, operation,
        server.host,
    )
    try:
        api_rules.check_state(operation, server)
        spec = decide(move)
    except (MoveRefusedError, WrongArgumentsError) as error:
        move.outcome, move.reason = MoveOutcome.REFUSED, str(error)
        return move, None
    flavor = server.flavor
    move.has_local_disk = operation == Move.EVACUATE and bool(
        not spec.is_bfv or flavor.ephemeral_gb or flavor.swap
    )
    return move, spec
