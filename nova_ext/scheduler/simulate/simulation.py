"""Decide one request as the scheduler decides a boot, and do nothing.

Nova's and nova-ext's own code decides, from the mirror where that decides
boots. A simulation differs from a boot:

- Its servers do not exist; their UUIDs are new.
- Claims are taken off a copy of placement's answer, or counted in the mirror's
  request. Host states and the request spec are its own.
- Nova sends no notification, and the driver does not hear of the choice.
- The decision is returned and not recorded.
- Filters, multipliers and the driver may be other ones.
- Placement may be asked for all candidates, beyond max_placement_results.
- None is left to Nova, to be held against the mirror.
- It waits while a boot is decided in the same worker.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from nova import exception
from nova.scheduler.client import report

from nova_ext.core.base import plain_data
from nova_ext.core.decision import decision as d
from nova_ext.core.rpc.boot_request import Changes
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.decide.deciding import call_unwrapped
from nova_ext.scheduler.decide.decision_only import DecisionOnlyManager
from nova_ext.scheduler.mirror.mirrored_manager import MirroredManager
from nova_ext.scheduler.plugins.traced import copy_untraced
from nova_ext.scheduler.plugins.traced_placement import (
    TracedPlacementClient,
    trace_report_client,
)
from nova_ext.scheduler.simulate import changed_plugins
from nova_ext.scheduler.simulate.read_only_placement import (
    MirroredReadOnlyPlacement,
    ReadOnlyPlacement,
)
from nova_ext.scheduler.trace import trace

#: Seconds in all that one simulation waits for boots.
GIVE_WAY_S = 10.0


class Simulation(DecisionOnlyManager, MirroredManager):
    """Decide one request, and do nothing.

    :param live: the manager that decides real boots.
    :param changes: filters, multipliers and driver that replace its own.
    :param ranked_hosts: how many hosts of the ranking are returned.
    :param unlimited: look at all candidates; see :class:`ReadOnlyPlacement`.
    """

    def __init__(
        self, live: MirroredManager, changes: Changes,
        ranked_hosts: int, *, unlimited: bool = False,
    ) -> None:
        driver = changed_plugins.make_driver(live.compute_driver, changes)
        self.drivers = {**live.drivers, 'compute': driver}
        self.host_manager = changed_plugins.make_host_manager(
            live.host_manager, changes
        )
        self.placement = ReadOnlyPlacement(
            trace_report_client(report.report_client_singleton()),
            unlimited=unlimited,
        )
        self._mirror = live._mirror
        self._changes = changes
        self._ranked_hosts = ranked_hosts
        self._closed: trace.Trace | None = None
        self._patience_s = GIVE_WAY_S

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
            call_unwrapped(
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
        if self._closed is None:
            return None
        completion = recorder.get().completion
        completion.add_absent(self._closed)
        return completion.complete(self._closed, in_full=False)

    def _describe(self, open_trace: trace.Trace) -> None:
        """Set in a trace what is simulated, and how much is returned."""
        open_trace.ranked_hosts = self._ranked_hosts
        open_trace.enabled = [
            type(filter_).__name__
            for filter_ in self.host_manager.enabled_filters
        ]
        open_trace.decision.simulated = True
        changes = plain_data.dump_sparse(self._changes)
        if changes:
            open_trace.decision.by['changes'] = changes

    @property
    def placement_client(self) -> Any:
        """Return the read-only client; its calls are traced."""
        client = TracedPlacementClient(self.placement)
        if self._mirror is None:
            return client
        return MirroredReadOnlyPlacement(client, self._mirror)

    @best_effort
    def _begin_mirror(self, spec_obj: Any, instance_uuids: Any) -> None:
        """Have the mirror decide where it decides boots."""
        open_trace = trace.current()
        if self._mirror is not None and self._mirror.may_decide and open_trace:
            hosts = self.host_manager
            open_trace.mirrored = self._mirror.make_request(
                spec_obj, instance_uuids,
                [copy_untraced(each) for each in hosts.enabled_filters],
                [copy_untraced(each) for each in hosts.weighers],
                simulated=True,
            )

    def _go_first(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def _give_way(self) -> None:
        """Wait while boots are decided, unless it has waited long."""
        self._patience_s -= self.precedence.give_way(self._patience_s)

    def _get_all_host_states(self, *args: Any) -> Iterator[Any]:
        for host in super()._get_all_host_states(*args):
            self._give_way()
            yield host

    def _get_sorted_hosts(
        self, spec_obj: Any, host_states: Any, index: int
    ) -> Any:
        self._give_way()
        return super()._get_sorted_hosts(spec_obj, host_states, index)

    def _trace_request(self, *args: Any) -> recorder.TracedRequest:
        return recorder.TracedRequest(
            *args, describe=self._describe, record=self._keep
        )

    def _keep(self, closed: trace.Trace) -> None:
        self._closed = closed
