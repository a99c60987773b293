"""Questions about boots that nobody makes, as they arrive over RPC."""

import contextlib
import json
import logging
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from nova_ext.core import decision as d
from nova_ext.core import second_look
from nova_ext.core.scheduling_errors import (
    BusyError,
    SchedulingError,
    WrongArgumentsError,
)
from nova_ext.core.what_if import BootRequest, Changes
from nova_ext.record import shorten
from nova_ext.scheduler import boot_spec, capacity, recorder
from nova_ext.scheduler.harmless import harmless
from nova_ext.scheduler.simulation import Simulation

#: Bytes of a decision in an answer; message buses carry several times that.
MAX_BYTES = 4 * 1024 * 1024
#: Hosts of a ranking that may be told.
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
        self, context: Any, request: Any, changes: Any, ranked_hosts: Any
    ) -> dict[str, Any]:
        """Decide a request, and do nothing.

        :param request: a :class:`BootRequest` as plain data.
        :param changes: :class:`Changes` as plain data.
        :param ranked_hosts: how many hosts of the ranking are told, with
            their weights.
        :returns: the decision, a :class:`nova_ext.core.decision.Decision`
            as plain data.
        :raises SchedulingError: a subclass says what is wrong.
        """
        asked, changed = _read(request, changes)
        if type(ranked_hosts) is not int or not (
            0 < ranked_hosts <= MAX_RANKED
        ):
            raise WrongArgumentsError(
                f'ranked_hosts is no integer from 1 to {MAX_RANKED}'
            )
        with self._turn():
            simulation = Simulation(self._manager, changed, ranked_hosts)
            spec, servers = boot_spec.make(context, asked)
            try:
                decision = simulation.decide(context, spec, servers)
            except Exception:
                decision = simulation.told()
                if decision is None:
                    raise
                LOG.warning(
                    'A simulated request failed; its answer says so',
                    exc_info=True,
                )
        return _plain(decision)

    def capacity(
        self, context: Any, request: Any, changes: Any
    ) -> dict[str, Any]:
        """Place servers in a copy until nothing fits.

        :param request: as for :meth:`simulate`, of one server.
        :returns: a :class:`nova_ext.core.capacity.Capacity` as plain data.
        :raises SchedulingError: a subclass says what is wrong.
        """
        asked, changed = _read(request, changes)
        if asked.count != 1:
            raise WrongArgumentsError(
                'capacity is counted in requests for one server: leave out '
                'count'
            )
        with self._turn():
            survey = capacity.Survey(
                self._manager, changed, capacity.STARTS, unlimited=True
            )
            found = capacity.find_out(
                survey, context, *boot_spec.make(context, asked)
            )
        decision, found.decision = found.decision, None
        return {**found.to_dict(), 'decision': _plain(decision)}

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


def _read(request: Any, changes: Any) -> tuple[BootRequest, Changes]:
    for given in (request, changes):
        if not isinstance(given, Mapping):
            raise WrongArgumentsError('request or changes is no mapping')
    return BootRequest.from_dict(request), Changes.from_dict(changes)


def _plain(decision: d.Decision | None) -> dict[str, Any]:
    """A decision as plain data, as long as an answer may be."""
    if decision is None:
        raise SchedulingError(
            'the decision could not be traced; the scheduler\'s log has more'
        )
    asked = decision.placement
    if asked is not None and second_look.worth_taking(decision):
        found = harmless(recorder.get().asking.at_once)(asked, ASK_S)
        if found is not None and second_look.is_about(found, decision):
            second_look.add(decision, found)
    line = shorten.to_line(decision, MAX_BYTES, in_full=True)
    made: dict[str, Any] = json.loads(line)
    return made
