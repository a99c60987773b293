"""The scheduler's manager with hands that touch nothing."""

import contextlib
from typing import Any

from nova import exception
from nova.scheduler.client import report

from nova_ext.core.base import plain_data
from nova_ext.core.decision import decision as d
from nova_ext.core.rpc.boot_request import Changes
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.decide.deciding import DecidingManager, unwrapped
from nova_ext.scheduler.decide.recording_placement import (
    RecordingPlacementClient,
)
from nova_ext.scheduler.decide.rehearsal import Rehearsal
from nova_ext.scheduler.simulate import changed_plugins
from nova_ext.scheduler.simulate.read_only_placement import DryPlacement
from nova_ext.scheduler.trace import trace


class SimulationRecording(recorder.Recording):
    """Keep a decision for who asked; record it nowhere.

    :param simulation: whose it is.
    """

    def __init__(self, simulation: 'Simulation', *about: Any) -> None:
        super().__init__(*about)
        self._simulation = simulation
        self.closed: trace.Trace | None = None

    def __enter__(self) -> None:
        super().__enter__()
        open_trace = trace.current()
        if open_trace is not None:
            self._simulation.describe(open_trace)

    def wanted(self) -> bool:
        """Return True: it is what was asked for."""
        return True

    def keep(self, closed: trace.Trace) -> None:
        """Take the closed trace."""
        self.closed = closed


class Simulation(Rehearsal):
    """Decides one request, and does nothing.

    Nova's code works on copies of what it changes: host states, placement's
    free amounts, the request.

    :param live: the manager that decides real boots.
    :param changes: what is to be other than it is there.
    :param ranked_hosts: how many hosts of the ranking are returned.
    :param unlimited: look at all candidates; see :class:`DryPlacement`.
    """

    def __init__(
        self, live: DecidingManager, changes: Changes,
        ranked_hosts: int, *, unlimited: bool = False,
    ) -> None:
        driver = changed_plugins.driver(live.compute_driver, changes)
        self.drivers = {**live.drivers, 'compute': driver}
        self.host_manager = changed_plugins.host_manager(live.host_manager, changes)
        self.placement = DryPlacement(
            report.report_client_singleton(), unlimited=unlimited
        )
        self._changes = changes
        self._ranked_hosts = ranked_hosts
        self._kept: SimulationRecording | None = None

    def decide(
        self, context: Any, spec: Any, servers: list[str]
    ) -> d.Decision | None:
        """Decide a request.

        :param spec: the request spec; it is changed as a real one is.
        :param servers: UUIDs that no server has.
        :returns: as of :meth:`finish`.
        """
        # No valid host is an answer, too; the decision has it.
        with contextlib.suppress(exception.NoValidHost):
            unwrapped(
                self.select_destinations, context, spec_obj=spec,
                instance_uuids=servers, return_objects=True,
                return_alternates=True,
            )
        return self.finish()

    def finish(self) -> d.Decision | None:
        """Complete the decision and return it, also where deciding raised.

        :returns: None where there is none yet, or its trace failed, which is
            logged.
        """
        closed = self._kept.closed if self._kept else None
        if closed is None:
            return None
        completion = recorder.get().completion
        completion.add_absent(closed)
        return completion.complete(closed, in_full=False)

    def describe(self, open_trace: trace.Trace) -> None:
        """Set in a trace what is simulated, and how much is returned."""
        open_trace.ranked_hosts = self._ranked_hosts
        open_trace.enabled = [
            type(each).__name__ for each in self.host_manager.enabled_filters
        ]
        open_trace.decision.simulated = True
        changes = plain_data.sparse(self._changes)
        if changes:
            open_trace.decision.by['changes'] = changes

    @property
    def placement_client(self) -> Any:
        """The dry one; what it is asked and claims is traced."""
        return RecordingPlacementClient(self.placement)

    def _recording(self, *about: Any) -> recorder.Recording:
        self._kept = SimulationRecording(self, *about)
        return self._kept
