"""Questions about boots that nobody makes."""

import contextlib
import logging
import threading
from collections.abc import Iterator
from typing import Any

from nova_ext.core.base.scheduling_errors import (
    BusyError,
    SchedulingError,
    WrongArgumentsError,
)
from nova_ext.core.decision import decision as d
from nova_ext.core.decision import second_look
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.core.rpc.capacity import Capacity
from nova_ext.scheduler.base.best_effort import harmless
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.decide import request_spec
from nova_ext.scheduler.simulate import capacity
from nova_ext.scheduler.simulate.simulation import Simulation

#: Hosts of a ranking that may be asked for.
MAX_RANKED = 10_000
#: Questions that may wait for their turn. Each holds one of the threads that
#: take reports, too.
WAITING = 8
#: Seconds that one waits: after 60, nobody waits for its answer.
WAIT_S = 40.0
#: Seconds that an answer waits for why placement offers no host.
ASK_S = 20.0

LOG = logging.getLogger(__name__)


class WhatIf:
    """Decides about one question at a time, so that many hold up no boot.

    :param manager: the manager that decides real boots.
    """

    def __init__(self, manager: Any) -> None:
        self._manager = manager
        self._one = threading.Lock()
        self._room = threading.BoundedSemaphore(1 + WAITING)

    def simulate(
        self, context: Any, request: BootRequest, changes: Changes,
        ranked_hosts: int,
    ) -> d.Decision:
        """Decide a request, and do nothing.

        :param ranked_hosts: how many hosts of the ranking are told, with
            their weights; 1 to MAX_RANKED.
        :raises SchedulingError: a subclass says what is wrong.
        """
        with self._turn():
            simulation = Simulation(self._manager, changes, ranked_hosts)
            spec, servers = request_spec.make(context, request)
            try:
                decision = simulation.decide(context, spec, servers)
            except Exception:
                decision = simulation.finish()
                if decision is None:
                    raise
                LOG.warning(
                    'A simulated request failed; its answer says so',
                    exc_info=True,
                )
        return _completed(decision)

    def capacity(
        self, context: Any, request: BootRequest, changes: Changes
    ) -> Capacity:
        """Place servers in a copy until nothing fits.

        :param request: of one server.
        :raises SchedulingError: a subclass says what is wrong.
        """
        if request.count != 1:
            raise WrongArgumentsError(
                'capacity is counted in requests for one server: leave out '
                'count'
            )
        with self._turn():
            survey = capacity.Survey(
                self._manager, changes, capacity.STARTS, unlimited=True
            )
            found = capacity.find_out(
                survey, context, *request_spec.make(context, request)
            )
        found.decision = _completed(found.decision)
        return found

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for one's turn.

        :raises BusyError: it does not come.
        """
        if not self._room.acquire(blocking=False):
            raise BusyError(_BUSY)
        try:
            if not self._one.acquire(timeout=WAIT_S):
                raise BusyError(_BUSY)
            try:
                yield
            finally:
                self._one.release()
        finally:
            self._room.release()


_BUSY = 'the scheduler has other simulations to make first; ask again later'


def _completed(decision: d.Decision | None) -> d.Decision:
    """Add why placement offers no host, where it does not.

    :raises SchedulingError: where there is no decision.
    """
    if decision is None:
        raise SchedulingError(
            'the decision could not be traced; the scheduler\'s log has more'
        )
    query = decision.placement
    if query is not None and second_look.worth_taking(decision):
        found = harmless(recorder.get().asking.at_once)(query, ASK_S)
        if found is not None and second_look.is_about(found, decision):
            second_look.add(decision, found)
    return decision
