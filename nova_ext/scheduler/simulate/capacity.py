"""How many more servers of a request fit."""

import copy
from collections.abc import Iterable, Iterator
from typing import Any

from nova_ext.core.decision import decision as d
from nova_ext.core.rpc import capacity
from nova_ext.scheduler.base.host_identity import label
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.base.pauses import paused
from nova_ext.scheduler.plugins import recording
from nova_ext.scheduler.simulate import host_sandbox
from nova_ext.scheduler.simulate.simulation import Simulation

#: Servers, after which counting ends: hosts need not run out of anything. A
#: server takes 0.04 ms or more.
AT_MOST = 200_000
#: Hosts of which chance makes one the first that are tried as such, where
#: it matters.
STARTS = 20


class Survey(Simulation):
    """Decides one request, and keeps the hosts that it could choose from."""

    def __init__(self, *about: Any, **how: Any) -> None:
        super().__init__(*about, **how)
        self.hosts: list[Any] = []
        self.spec: Any = None

    def _get_sorted_hosts(
        self, spec_obj: Any, host_states: Any, index: int
    ) -> Any:
        """As the scheduler does, and take copies before it goes on."""
        passed = super()._get_sorted_hosts(spec_obj, host_states, index)
        self.hosts = [host_sandbox.of(host) for host in passed]
        self.spec = copy.deepcopy(spec_obj)
        return passed


def find_out(
    survey: Survey, context: Any, spec: Any, servers: list[str]
) -> capacity.Capacity:
    """Place servers until nothing fits.

    :param survey: not yet used.
    :param spec: the request spec of one server.
    :param servers: its UUID.
    """
    decision = survey.decide(context, spec, servers)
    fillings = [filled(survey, '')]
    sampled = False
    if decision is not None and capacity.depends_on_order(fillings[0]):
        attempt = decision.attempts[0]
        draw = attempt.draw or d.Draw([], 0)
        for first in draw.hosts[:STARTS]:
            if sum(filling.total for filling in fillings) > AT_MOST:
                break
            fillings.append(filled(survey, first))
        sampled = len(fillings) - 1 < draw.count
    found = capacity.summed_up(
        fillings, AT_MOST,
        {label(host): [_zone(host)] for host in survey.hosts},
        {
            label(host): [each.name for each in host.aggregates]
            for host in survey.hosts
        },
    )
    found.decision, found.sampled = decision, sampled
    return found


def filled(survey: Survey, first: str) -> capacity.Filling:
    """Fill copies of all hosts.

    :param survey: used.
    :param first: the host to begin with; empty: the best one.
    """
    if not survey.hosts:
        return capacity.Filling()
    hosts = sorted(survey.hosts, key=lambda host: label(host) != first)
    filters = [] if _forced(survey.spec) else [
        recording.plain(each) for each in survey.host_manager.enabled_filters
    ]
    place = host_sandbox.Copied(
        survey, filters, survey.spec, survey.placement.summaries
    ).place
    return capacity.fill(_politely(hosts), label, place, AT_MOST)


def _politely(hosts: Iterable[Any]) -> Iterator[Any]:
    """Copies of hosts; in between, others get the processor."""
    return map(host_sandbox.of, paused(hosts, every=1))


def _forced(spec: Any) -> bool:
    """Whether Nova asks no filter, as the request names its host."""
    return bool(spec.force_hosts or spec.force_nodes)


def _zone(host: Any) -> str:
    """The availability zone of a host: an aggregate's, or the default."""
    for aggregate in host.aggregates:
        if 'availability_zone' in aggregate.metadata:
            return str(aggregate.metadata['availability_zone'])
    return str(CONF.default_availability_zone)
