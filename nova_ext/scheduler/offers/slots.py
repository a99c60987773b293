"""Decide slots of this zone's hosts.

A request for one server is simulated, so that Nova's filters and the driver
say which hosts pass. Their copies are depleted by what is held, and then by
one slot after the other. Nothing is claimed, notified or recorded.
"""

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nova_ext.core.base.scheduling_errors import SchedulingError
from nova_ext.core.decision.decision import FAILED, Decision
from nova_ext.core.explanation import host_counts
from nova_ext.core.rpc.boot_request import Changes
from nova_ext.core.rpc.offers import HeldRoom
from nova_ext.engine.free_resources import SEPARATOR
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.offers.filling import ChosenSlot, SlotFilling
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.plugins.costs import HostCosts
from nova_ext.scheduler.what_if.simulate.host_sandbox import (
    HostSandbox,
    copy_hosts,
)
from nova_ext.scheduler.what_if.simulate.simulation import Simulation

_UNTOUCHED = Changes()
#: Codes of hosts that no step of the decision rejected, by kind of group.
_CODES = {host_counts.ABSENT: 'placement'}
_OTHER = 'other'


@dataclass
class Slots:
    """Represent the slots that there are, and why there are not more.

    :param reasons: numbers of hosts by code; see ``OfferAnswer``, as for
        ``held_until``.
    """

    chosen: list[ChosenSlot]
    reasons: Mapping[str, int] = field(default_factory=dict)
    held_until: int | None = None


class SlotSimulation:
    """Simulate a request for one server, then take slot after slot.

    :param live: decides real boots.
    :param costs: adds up what a host costs.
    """

    def __init__(self, live: NovaDecider, costs: HostCosts) -> None:
        self._simulation = Simulation(
            live, _UNTOUCHED, ranked_hosts=1, unlimited=True, watch=self,
            # Slots are taken off copies of Nova's host states.
            from_mirror=False,
        )
        self._costs = costs
        self._passed: list[Any] = []
        self._spec: Any = None

    def before_ranking(self, spec: Any) -> None:
        """Do nothing."""

    def after_ranking(self, spec: Any, hosts: Any) -> None:
        """Keep copies of the hosts that passed."""
        self._passed = [*copy_hosts(hosts)]
        self._spec = copy.deepcopy(spec)

    def choose(
        self, context: Any, spec: Any, servers: list[str], count: int,
        held: Sequence[HeldRoom],
    ) -> Slots:
        """Choose a host for each slot, the cheapest first; call it once.

        :param spec: the request spec of one server.
        :param servers: its UUID.
        :param count: number of slots wanted.
        :param held: what others hold; it is taken off before the first slot.
        :raises PluginError: for a cost that raises, or a filter.
        :raises SchedulingError: where the hosts are not known.
        """
        decision = self._simulation.decide(context, spec, servers)
        if decision is None:
            raise SchedulingError(
                'the decision could not be traced; the scheduler\'s log has '
                'more'
            )
        if decision.outcome == FAILED:
            raise SchedulingError(decision.message)
        if decision.placement is not None and not decision.placement.answered:
            raise SchedulingError('placement does not answer')
        if not self._passed:
            return Slots([], _count_rejected(decision))
        filters = [
            traced.copy_untraced(filter_) for filter_
            in self._simulation.decider.host_manager.enabled_filters
        ]
        filling = SlotFilling(
            HostSandbox(
                filters, self._spec, self._simulation.placement.summaries
            ),
            self._passed, self._spec, self._costs,
        )
        filling.deplete(held)
        chosen, full = filling.fill(count, self._simulation.give_way)
        if len(chosen) == count:
            return Slots(chosen)
        names = {type(filter_).__name__ for filter_ in filters}
        return Slots(
            chosen,
            Counter(_encode(lacking, names) for lacking in full.values())
            + _count_rejected(decision),
            min((
                room.until for room in held if (room.host, room.node) in full
            ), default=None),
        )


def _encode(lacking: str, filters: set[str]) -> str:
    """Return the code of what kept a server out.

    :param lacking: see :meth:`HostSandbox.place`.
    :param filters: names of all filters.
    """
    if lacking in filters:
        return f'filter:{lacking}'
    return f'resource:{lacking.replace(SEPARATOR, "+")}'


def _count_rejected(decision: Decision) -> Counter[str]:
    """Count the hosts that the decision rejected, by code."""
    counts: Counter[str] = Counter()
    for group in host_counts.count_hosts(decision).groups:
        if group.stage:
            counts[f'{group.kind}:{group.stage}'] += group.count
        else:
            counts[_CODES.get(group.kind, _OTHER)] += group.count
    return counts
