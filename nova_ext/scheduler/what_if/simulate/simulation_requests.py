"""Answer requests for simulations, one at a time."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from nova_ext.core.base.scheduling_errors import (
    BusyError,
    SchedulingError,
    WrongArgumentsError,
)
from nova_ext.core.decision import placement_answer, placement_diagnosis
from nova_ext.core.decision.decision import Decision, PlacementDiagnosis
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.core.rpc.capacity import Capacity
from nova_ext.core.rpc.move_request import MoveRequest, SimulatedMove
from nova_ext.policy import enforcer, rules
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.printable_error import build_exc_info
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.cycle.effects import BOOTS
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.what_if import request_spec
from nova_ext.scheduler.what_if.moves.move_spec import MoveSpec
from nova_ext.scheduler.what_if.simulate import capacity
from nova_ext.scheduler.what_if.simulate.project_turns import ProjectTurns
from nova_ext.scheduler.what_if.simulate.simulation import Simulation

#: Hosts of a ranking that may be requested.
MAX_RANKED = 10_000
#: Simulations that may wait for their turn. Each holds one of the threads
#: that take reports, too.
MAX_WAITING = 16
#: Those of one project that may wait.
MAX_WAITING_OF_ONE = 4
#: Seconds that one waits: after 60, its caller waits for no answer.
WAIT_S = 40.0
#: Seconds that an answer waits for why placement offers no host.
DIAGNOSIS_WAIT_S = 20.0

LOG = logging.getLogger(__name__)


class SimulationRequests:
    """Simulate one request at a time, of the projects in rotation.

    :param live: decides real boots.
    :param threads: of the server that answers. What-ifs hold half of them at
        most.
    """

    def __init__(self, live: NovaDecider, threads: int = 2) -> None:
        self._live = live
        self._turns = ProjectTurns(
            lambda: BOOTS.begun, MAX_WAITING,
            MAX_WAITING_OF_ONE,
        )
        self._threads = threading.BoundedSemaphore(max(1, threads // 2))

    def simulate(
        self, context: Any, request: BootRequest, changes: Changes,
        ranked_hosts: int,
    ) -> Decision:
        """Decide a request, and do nothing.

        :param ranked_hosts: how many hosts of the ranking are returned, with
            their weights; 1 to MAX_RANKED.
        :raises SchedulingError: a subclass says what is wrong.
        """
        with self.limit_threads():
            decision = self.decide(
                context,
                lambda: request_spec.make(context, request, changes.new_group),
                changes, ranked_hosts,
            )
        _add_zone(decision, request)
        return decision

    def simulate_move(
        self, context: Any, request: MoveRequest, changes: Changes,
        ranked_hosts: int,
    ) -> SimulatedMove:
        """Decide where Nova would move a server, and do nothing.

        :param ranked_hosts: as for :meth:`simulate`.
        :raises MoveRefusedError: Nova would ask no scheduler.
        """
        if changes.new_group:
            raise WrongArgumentsError(
                'a server that moves stays in its group: leave out new_group'
            )
        with self.limit_threads():
            move = MoveSpec(context, request)
            is_refused = True
            while is_refused:  # nova-conductor has it decided again
                decision = self.decide(
                    context, move.make, changes, ranked_hosts,
                    alternates=move.takes_alternates,
                )
                is_refused = any(
                    move.ignore_refusing(hosts[0])
                    for hosts in decision.chosen.values()
                )
        return SimulatedMove(decision, move.notes)

    def decide(
        self, context: Any, make_spec: Callable[[], tuple[Any, list[str]]],
        changes: Changes, ranked_hosts: int, *, diagnose: bool = False,
        alternates: bool = True,
    ) -> Decision:
        """Decide a request spec as :meth:`simulate` does.

        :param make_spec: returns it, and the servers' UUIDs, as
            :meth:`Simulation.decide` takes them.
        :param diagnose: ask what hosts lack that placement leaves out, also
            where others are left.
        :param alternates: whether Nova would ask for alternates.
        """
        with self._wait_for_turn(context):
            simulation = Simulation(self._live, changes, ranked_hosts)
            spec, servers = make_spec()
            try:
                decision = simulation.decide(
                    context, spec, servers, alternates=alternates
                )
            except Exception as error:
                decision = simulation.finish()
                if decision is None:
                    raise
                LOG.warning(
                    'A simulated request failed; its answer says so',
                    exc_info=build_exc_info(error),
                )
        return _add_diagnosis(
            context, decision, always=diagnose,
            known=simulation.placement.diagnosis,
        )

    def capacity(
        self, context: Any, request: BootRequest, changes: Changes, *,
        is_empty: bool = False, diagnose: bool = True,
    ) -> Capacity:
        """Place servers in a copy until nothing fits.

        :param request: of one server.
        :param is_empty: as if there were no servers yet.
        :param diagnose: ask what hosts lack, where placement offers none.
        :raises SchedulingError: a subclass says what is wrong.
        """
        if request.count != 1:
            raise WrongArgumentsError(
                'capacity is counted in requests for one server: leave out '
                'count'
            )
        if changes.ignore_room:
            raise WrongArgumentsError(
                'capacity counts room: leave out ignore_room'
            )
        ends = time.monotonic() + capacity.MOST_S
        with self.limit_threads():
            with self._wait_for_turn(context):
                simulation = capacity.CapacitySimulation(
                    self._live, changes, ends=ends, is_empty=is_empty
                )
                result = simulation.count(context, *request_spec.make(
                    context, request, changes.new_group
                ))
            _add_zone(result.decision, request)
            if diagnose and not is_empty:
                result.decision = _add_diagnosis(context, result.decision)
            return result

    @contextlib.contextmanager
    def limit_threads(self) -> Iterator[None]:
        """Hold a thread of the server; at most half may be held.

        The others take reports and answer what takes no time.

        :raises BusyError: at once, where half of them are held.
        """
        if not self._threads.acquire(blocking=False):
            raise BusyError(
                'half of the scheduler\'s threads simulate already; ask '
                'again later'
            )
        try:
            yield
        finally:
            self._threads.release()

    @contextlib.contextmanager
    def take_turn(
        self, context: Any, at_most_s: float = WAIT_S
    ) -> Iterator[None]:
        """Wait for a turn, and hold it and a thread inside.

        :param context: the caller's; one of the system is of no project.
        :param at_most_s: seconds to wait; WAIT_S is the most.
        :raises BusyError: there is none in time.
        """
        with self.limit_threads(), self._wait_for_turn(context, at_most_s):
            yield

    def _wait_for_turn(
        self, context: Any, at_most_s: float = WAIT_S
    ) -> contextlib.AbstractContextManager[None]:
        project = getattr(context, 'project_id', None)
        return self._turns.take(project, min(at_most_s, WAIT_S))


def _add_zone(decision: Decision | None, request: BootRequest) -> None:
    """Add the zone that nova-api would drop for a forced host."""
    zone, _, _ = request.zone_host_and_node
    if decision is not None and zone:
        decision.request.setdefault('availability_zone', zone)


def _add_diagnosis(
    context: Any, decision: Decision | None, *, always: bool = False,
    known: PlacementDiagnosis | None = None,
) -> Decision:
    """Add why placement offers no host, where it does not.

    Placement is asked at once for an operator, who may just have seen the
    same request fail.

    :param context: the caller's.
    :param always: add it at once, and where it leaves any host out.
    :param known: the diagnosis, where it was made with the decision.
    :raises SchedulingError: where there is no decision.
    """
    if decision is None:
        raise SchedulingError(
            'the decision could not be traced; the scheduler\'s log has more'
        )
    query = decision.placement
    if known is not None:
        if query is not None and known.query == query.query:
            placement_diagnosis.add_diagnosis(decision, known)
    elif query is not None and (
        placement_answer.needs_diagnosis(decision)
        or (always and placement_answer.can_diagnose(decision))
    ):
        diagnose = best_effort(recorder.get().diagnosis_worker.diagnose)
        diagnosis = diagnose(query, DIAGNOSIS_WAIT_S, at_once=(
            always or context.is_admin
            or enforcer.allows(rules.HOSTS, context, '')
        ))
        if diagnosis and placement_diagnosis.applies_to(diagnosis, decision):
            placement_diagnosis.add_diagnosis(decision, diagnosis)
    return decision
