"""Decide one request as the scheduler decides a boot, and do nothing.

Nova's and nova-ext's own code decides, from the mirror where that decides
boots, but for the changes that are named below. A simulation differs from a
boot, see ``SimulatedEffects`` in ``simulated_effects.py``:

- Its servers do not exist; their UUIDs are new.
- Claims are taken off a copy of placement's answer, in
  ``read_only_placement.py``, or counted in the mirror's request, in
  ``mirror/mirror_source.py``. Host states and the request spec are its own.
- Nova sends no notification, and the driver does not hear of the choice.
- The decision is returned and not recorded.
- Filters, multipliers and the driver may be other ones:
  ``changed_plugins.py``.
- Placement may be asked for all candidates, beyond max_placement_results.
- Hosts may be offered as if they were empty: ``full_hosts.py``.
- Nova decides, not the mirror, if hosts are offered as if they were empty, or
  if the server is in a group that does not exist (``ignore_room`` and
  ``new_group`` of the changes).
- The mirror verifies no simulation.
- It waits while a boot is decided in the same worker.
"""

from collections.abc import Callable, Sequence
from typing import Any

from nova import exception
from nova.scheduler.client import report

from nova_ext.core.base import plain_data
from nova_ext.core.decision.decision import Decision
from nova_ext.core.rpc.boot_request import Changes
from nova_ext.engine.providers import Amounts
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.cycle.nova_source import NovaSource
from nova_ext.scheduler.plugins.traced_placement import (
    trace_report_client,
)
from nova_ext.scheduler.trace import trace
from nova_ext.scheduler.what_if.simulate import changed_plugins
from nova_ext.scheduler.what_if.simulate.read_only_placement import (
    ReadOnlyPlacement,
)
from nova_ext.scheduler.what_if.simulate.simulated_effects import (
    SimulatedEffects,
    Watch,
)


class Simulation:
    """Decide one request, and do nothing.

    :param live: decides real boots.
    :param changes: filters, multipliers and driver that replace its own.
    :param ranked_hosts: how many hosts of the ranking are returned.
    :param unlimited: look at all candidates; see :class:`ReadOnlyPlacement`.
    :param watch: sees each ranking; None: nobody does.
    :param from_mirror: decide from the mirror where it decides boots, and the
        changes allow it.
    :param held: see :class:`ReadOnlyPlacement`, as for ``complete``.
    :param change_host: changes a host state before it is used.
    :param placement: answers for Nova's report client; None: that does.
    :ivar decider: decides with the changed filters, weighers and driver.
    :ivar placement: claims in a copy.
    :ivar raised: the error of a request in which a plugin raised.
    """

    def __init__(
        self, live: NovaDecider, changes: Changes, ranked_hosts: int, *,
        unlimited: bool = False, watch: Watch | None = None,
        from_mirror: bool = True, held: Sequence[Amounts] = (),
        change_host: Callable[[Any], None] = lambda _: None,
        complete: Callable[[Any, Any, Any], Any] = lambda _, answer, __: (
            answer
        ),
        placement: Any = None,
    ) -> None:
        driver = changed_plugins.make_driver(live.driver, changes)
        host_manager = changed_plugins.make_host_manager(
            live.host_manager, changes
        )
        self.placement = ReadOnlyPlacement(
            placement
            or trace_report_client(report.report_client_singleton()),
            unlimited=unlimited, held=held, ignore_room=changes.ignore_room,
            complete=complete,
        )
        self._effects = SimulatedEffects(
            self.placement, self._describe, watch, change_host
        )
        self.decider = NovaDecider(
            host_manager, driver,
            live.source.make_simulated(host_manager)
            if from_mirror and not (changes.ignore_room or changes.new_group)
            else NovaSource(),
            self._effects,
        )
        self._changes = changes
        self._ranked_hosts = ranked_hosts
        self.raised: exception.NoValidHost | None = None

    def decide(
        self, context: Any, spec: Any, servers: list[str], *,
        alternates: bool = True,
    ) -> Decision | None:
        """Decide a request.

        :param spec: the request spec; it is changed as a real one is.
        :param servers: UUIDs that no server has; or that of a server that is
            to move.
        :param alternates: whether Nova would ask for alternates.
        :returns: as of :meth:`finish`.
        """
        try:
            self.decider.select_destinations(
                context, spec_obj=spec, instance_uuids=servers,
                return_objects=True, return_alternates=alternates,
            )
        except exception.NoValidHost as error:
            # That is an answer, too; the decision has it.
            if error.__cause__ is not None:
                self.raised = error
        return self.finish()

    def finish(self) -> Decision | None:
        """Complete the decision and return it, also where deciding raised.

        :returns: None where there is none yet, or its trace failed, which is
            logged.
        """
        closed = self._effects.closed
        if closed is None:
            return None
        completion = recorder.get().completion
        completion.add_absent(closed)
        return completion.complete(closed, in_full=False)

    def give_way(self) -> None:
        """Wait while boots are decided, unless it has waited long."""
        self._effects.give_way()

    def _describe(self, open_trace: trace.Trace) -> None:
        """Set in a trace what is simulated, and how much is returned."""
        open_trace.ranked_hosts = self._ranked_hosts
        open_trace.enabled = [
            type(filter_).__name__
            for filter_ in self.decider.host_manager.enabled_filters
        ]
        open_trace.decision.simulated = True
        changes = plain_data.dump_sparse(self._changes)
        if changes:
            open_trace.decision.by['changes'] = changes
