"""Rehearse moves of servers: one after the other, each taking its room.

The engine decides from the mirror's snapshot, where there is one and the
request is one that it answers exactly. Others are decided as a simulation of
this move, by Nova's own code, on hosts and on placement's answer as the moves
before leave them.
"""

import importlib
import itertools
import time
from typing import Any

from nova_ext.core.base.scheduling_errors import BusyError
from nova_ext.core.decision.fallback import FallbackError
from nova_ext.core.rpc.losses import Loss, Losses, LossesRequest
from nova_ext.core.rpc.rehearsal import Order, Rehearsal, RehearsalRequest
from nova_ext.plugin import ComputeDriver
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.what_if.rehearse import moved_servers
from nova_ext.scheduler.what_if.rehearse.move_series import MoveSeries
from nova_ext.scheduler.what_if.rehearse.returned_hosts import ReturnedHosts
from nova_ext.scheduler.what_if.simulate.simulation_requests import (
    SimulationRequests,
)

#: Seconds after which an answer leaves the remaining moves to the next call.
MOST_S = 25.0
#: Losses whose servers are read at once.
_LOSSES_AT_ONCE = 50


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
        #: What decided the last call from a snapshot; None: nothing yet.
        self._engine: Any = None

    def rehearse(self, context: Any, request: RehearsalRequest) -> Rehearsal:
        """Move the servers of hosts, for some time, and change nothing.

        :raises WrongArgumentsError: for a host that Nova does not have.
        :raises BusyError: there is no turn for the first move.
        """
        ends = time.monotonic() + MOST_S
        returned = ReturnedHosts(context, request.before)
        servers = moved_servers.sort(returned.list_servers(
            moved_servers.list_servers(context, request.hosts, Order.LISTED),
            request.hosts,
        ), request.order)
        # The snapshot has the servers of earlier steps where they were.
        engine = None if request.before else self._find_engine(
            is_continued=bool(request.moved)
        )[0]
        series = MoveSeries(
            context, request, self._live, engine, servers, returned
        )
        again = {move.server: move for move in request.moved}
        series.repeat((returned.moves | again).values())
        known = {move.server for move in request.moved}
        waiting = [each for each in servers if each.uuid not in known]
        rehearsal = Rehearsal(remaining=len(waiting))
        for server in waiting:
            try:
                with self._simulations.take_turn(context):
                    move = series.move(server)
            except BusyError:
                if not rehearsal.moves:
                    raise
                break
            rehearsal.moves.append(move)
            rehearsal.remaining -= 1
            if time.monotonic() > ends:
                break
        if request.is_loss and not rehearsal.remaining:
            rehearsal.spare = series.find_spare(
                servers, [*request.moved, *rehearsal.moves]
            )
        return rehearsal

    def rehearse_losses(
        self, context: Any, request: LossesRequest
    ) -> Losses:
        """Rehearse losses from one snapshot, for some time.

        :raises WrongArgumentsError: for a host that Nova does not have.
        :raises BusyError: there is no turn for the first loss.
        """
        ends = time.monotonic() + MOST_S
        engine, reason = self._find_engine(is_continued=request.is_continued)
        names = list(request.losses)
        answer = Losses(remaining=len(names), reason=reason)
        if engine is None:
            return answer
        for first in range(0, len(names), _LOSSES_AT_ONCE):
            some = names[first:first + _LOSSES_AT_ONCE]
            rehearse = engine.read(context, list(itertools.chain(
                *(request.losses[name] for name in some)
            )))
            for name in some:
                try:
                    with self._simulations.take_turn(context):
                        loss: Loss = rehearse(
                            name, request.losses[name], request.orders
                        )
                except BusyError:
                    if not answer.losses:
                        raise
                    return answer
                answer.losses.append(loss)
                answer.remaining -= 1
                answer.snapshot_age_s = engine.age_s
                if time.monotonic() > ends:
                    return answer
        return answer

    def _find_engine(self, *, is_continued: bool) -> tuple[Any, str]:
        """Return what decides from a snapshot, or why there is none.

        :param is_continued: by that of the last call, if it still may.
        """
        if is_continued and self._engine and self._engine.may_go_on():
            return self._engine, ''
        self._engine = None  # what Nova's code begins, it goes on with
        if self._live.source.make_inputs() is None:
            return None, 'there is no mirror'
        if _ranks(self._live.driver):
            return None, (
                f'driver {type(self._live.driver).__name__} has a say in '
                f'which hosts are chosen'
            )
        self._live.source.catch_up()
        module = importlib.import_module(
            'nova_ext.scheduler.what_if.rehearse.engine_moves'
        )
        try:
            self._engine = module.EngineMoves(
                self._live, self._live.source.make_inputs()
            )
        except FallbackError as error:
            return None, f'the mirror can\'t be used: {error}'
        return self._engine, ''


def _ranks(driver: ComputeDriver) -> bool:
    """Say whether a driver has a say in which hosts are chosen."""
    own = type(driver)
    return own.rank is not ComputeDriver.rank or (
        own.select_destinations is not ComputeDriver.select_destinations
    )
