"""Count how many more servers of a request fit."""

import copy
import logging
from collections.abc import Iterable, Iterator
from typing import Any

from nova import filters

from nova_ext.core.decision import decision as d
from nova_ext.core.rpc import capacity
from nova_ext.scheduler.base.host_states import iterate_with_pauses, name_host
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.plugins.filter_adapter import FilterAdapter
from nova_ext.scheduler.simulate import host_sandbox
from nova_ext.scheduler.simulate.simulation import Simulation

#: Servers after which counting ends: hosts need not run out of anything. A
#: server takes 0.04 ms or more.
MAX_SERVERS = 200_000
#: Hosts that tied for first place with which filling is begun, where it
#: matters.
MAX_FIRST_HOSTS = 20

LOG = logging.getLogger(__name__)

#: Methods that ask a filter about one host at a time.
_ONE_BY_ONE = (filters.BaseFilter.filter_all, FilterAdapter.filter_all)


class CapacitySimulation(Simulation):
    """Simulate one request, then fill copies of the hosts that passed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, unlimited=True, **kwargs)
        self._hosts: list[Any] = []
        self._spec: Any = None

    def _get_sorted_hosts(
        self, spec_obj: Any, host_states: Any, index: int
    ) -> Any:
        """Return the scheduler's choice of hosts; keep copies of them."""
        passed = super()._get_sorted_hosts(spec_obj, host_states, index)
        self._hosts = [host_sandbox.copy_host(host) for host in passed]
        self._spec = copy.deepcopy(spec_obj)
        return passed

    def count(
        self, context: Any, spec: Any, servers: list[str]
    ) -> capacity.Capacity:
        """Place servers until nothing fits; call it once.

        :param spec: the request spec of one server.
        :param servers: its UUID.
        """
        try:
            decision = self.decide(context, spec, servers)
            result = self._count(decision)
        except Exception as error:
            decision = self.finish()
            if decision is None:
                raise
            LOG.warning('A capacity is not known', exc_info=True)
            if decision.outcome != d.FAILED:
                decision.outcome, decision.message = d.FAILED, str(error)
            result = capacity.Capacity(capacity.ServerRange(0, 0))
        result.decision = decision
        result.unknown = decision is None or decision.outcome == d.FAILED or (
            decision.placement is not None and not decision.placement.answered
        )
        return result

    def _count(self, decision: d.Decision | None) -> capacity.Capacity:
        """Fill the hosts that passed, in each order that may matter."""
        fillings = [self._fill('')]
        sampled = False
        if decision is not None and capacity.depends_on_order(fillings[0]):
            draw = decision.attempts[0].draw or d.Draw([], 0)
            for first in draw.hosts[:MAX_FIRST_HOSTS]:
                if sum(filling.total for filling in fillings) > MAX_SERVERS:
                    break
                fillings.append(self._fill(first))
            sampled = len(fillings) - 1 < draw.count
        result = capacity.summarize(
            fillings, MAX_SERVERS,
            {name_host(host): [_get_zone(host)] for host in self._hosts},
            {
                name_host(host): [
                    aggregate.name for aggregate in host.aggregates
                ]
                for host in self._hosts
            },
        )
        result.comparing = self._list_comparing(decision)
        result.sampled = sampled or bool(result.comparing)
        return result

    def _list_comparing(self, decision: d.Decision | None) -> list[str]:
        """Return the filters, and the driver, that may compare hosts.

        A filter does where it has a ``filter_all`` of its own, and a driver
        where it left out hosts.
        """
        names = [
            type(filter_).__name__ for filter_ in self._filters
            if type(filter_).filter_all not in _ONE_BY_ONE
        ]
        attempts = decision.attempts if decision is not None else []
        return names + [
            step.name for attempt in attempts[:1] for step in attempt.steps
            if step.kind == 'driver'
        ]

    @property
    def _filters(self) -> list[Any]:
        """Return the filters without their traces."""
        if self._spec is not None and (
            self._spec.force_hosts or self._spec.force_nodes
        ):
            return []  # Nova runs none where the request names its host.
        return [
            traced.copy_untraced(filter_)
            for filter_ in self.host_manager.enabled_filters
        ]

    def _fill(self, first: str) -> capacity.FillResult:
        """Fill copies of all hosts.

        :param first: the host to begin with; empty: the best one.
        """
        if not self._hosts:
            return capacity.FillResult()
        hosts = sorted(self._hosts, key=lambda host: name_host(host) != first)
        sandbox = host_sandbox.HostSandbox(
            self, self._filters, self._spec, self.placement.summaries
        )
        return capacity.fill_hosts(
            _copy_hosts(hosts), name_host, sandbox.place, MAX_SERVERS
        )


def _copy_hosts(hosts: Iterable[Any]) -> Iterator[Any]:
    """Yield copies of hosts; let other greenlets run in between."""
    return map(host_sandbox.copy_host, iterate_with_pauses(hosts, every=1))


def _get_zone(host: Any) -> str:
    """Return a host's availability zone: an aggregate's, or the default."""
    for aggregate in host.aggregates:
        if 'availability_zone' in aggregate.metadata:
            return str(aggregate.metadata['availability_zone'])
    return str(CONF.default_availability_zone)
