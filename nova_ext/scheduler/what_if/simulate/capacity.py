"""Count how many more servers of a request fit."""

import copy
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from nova import filters

from nova_ext.core.decision.decision import FAILED, Attempt, Decision
from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.core.plugin.answers import MAX_LETTERS
from nova_ext.core.rpc import capacity
from nova_ext.core.rpc.boot_request import Changes
from nova_ext.engine import fill
from nova_ext.engine.free_resources import read_demand, read_free
from nova_ext.engine.providers import Amounts
from nova_ext.scheduler.base.host_states import (
    HOSTS_PER_PAUSE,
    iterate_with_pauses,
    name_host,
)
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.base.printable_error import build_exc_info
from nova_ext.scheduler.claims.mirrored_client import get_deciding_request
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.plugins.adapters import FilterAdapter
from nova_ext.scheduler.what_if.simulate import (
    empty_cloud,
    further_servers,
    host_sandbox,
)
from nova_ext.scheduler.what_if.simulate.simulation import Simulation

#: Servers after which counting ends: hosts need not run out of anything. By
#: Nova's filters a server takes 0.04 ms or more.
MAX_SERVERS = 200_000
#: Seconds after which no more servers are asked for, the wait for a turn
#: included: callers wait no longer.
MOST_S = 55.0
#: Hosts that tied for first place with which filling is begun, where it
#: matters: where Nova draws, and where its order decides.
MAX_FIRST_HOSTS, MAX_EQUAL_HOSTS = 20, 8

T = TypeVar('T')

#: How many more servers each filter lets onto a host, by the filter's name.
Limits = dict[str, further_servers.CountServers]
#: Fill hosts, beginning with the one that is named; empty: the best one.
Fill = Callable[[str], capacity.FillResult]

LOG = logging.getLogger(__name__)

#: Methods that ask a filter about one host at a time.
_ONE_BY_ONE = (filters.BaseFilter.filter_all, FilterAdapter.filter_all)


class CapacitySimulation:
    """Simulate one request, then fill the hosts that passed.

    The engine fills them. Where it does not know what one of the filters
    says of further servers, the filters are asked for each server.

    :param live: decides real boots.
    :param ends: when no more servers are asked for, of the monotonic clock.
    :param is_empty: as if there were no servers.
    """

    def __init__(
        self, live: NovaDecider, changes: Changes, *, ends: float,
        is_empty: bool = False,
    ) -> None:
        empty: dict[str, Any] = {
            'placement': empty_cloud.EmptyCloud(ends),
            'change_host': empty_cloud.empty_host,
        }
        self._is_empty = is_empty
        self._simulation = Simulation(
            live, changes, MAX_FIRST_HOSTS, unlimited=True, watch=self,
            # A mirror that is some seconds old tells of room that is gone.
            from_mirror=not is_empty and bool(live.source.catch_up()),
            **(empty if is_empty else {}),
        )
        self._limits: Limits | None = None
        self._fill: Fill = lambda first: capacity.FillResult()
        self._filters: list[Any] = []
        self._zones: dict[str, list[str]] = {}
        self._aggregates: dict[str, list[str]] = {}
        self._ends = ends

    def before_ranking(self, spec: Any) -> None:
        """Find out which filters limit the servers on a host.

        :raises FallbackError: where the mirror can't count.
        """
        if self._is_empty:
            empty_cloud.check_request(spec)
        # Nova runs no filter where the request names its host.
        forced = spec.force_hosts or spec.force_nodes
        self._filters = [] if forced else [
            traced.copy_untraced(filter_) for filter_
            in self._simulation.decider.host_manager.enabled_filters
        ]
        self._limits = further_servers.find_limits(self._filters, spec)
        deciding = get_deciding_request()
        if deciding is not None and self._limits is None:
            raise FallbackError(Fallback.FILTER_PER_SERVER)
        if deciding is not None and deciding.is_partial:
            raise FallbackError(Fallback.TOO_OLD)

    def after_ranking(self, spec: Any, hosts: Any) -> None:
        """Keep what filling needs of the hosts that passed."""
        limits, deciding = self._limits, get_deciding_request()
        if limits and spec.instance_group and _have_several_nodes(hosts):
            # The members of a group are limited by host, rows are nodes.
            limits = None
        if limits is None:
            copies = [*host_sandbox.copy_hosts(hosts)]
            self._fill = partial(
                self._fill_copies, copies, copy.deepcopy(spec)
            )
        rows = []
        for host in hosts if deciding is None else (
            # Nova's states, which others may change, are read without a pause.
            self._pace(hosts, HOSTS_PER_PAUSE)
        ):
            name = name_host(host)
            self._zones[name] = [_get_zone(host)]
            self._aggregates[name] = [each.name for each in host.aggregates]
            # A boot may have taken its room meanwhile.
            if limits is not None and host.allocation_candidates:
                rows.append(make_row(host, limits))
        if limits is not None:
            self._fill = partial(
                self._fill_rows, rows,
                read_free(self._simulation.placement.summaries)
                if deciding is None else deciding.get_free(),
            )

    def count(
        self, context: Any, spec: Any, servers: list[str]
    ) -> capacity.Capacity:
        """Place servers until nothing fits; call it once.

        :param spec: the request spec of one server.
        :param servers: its UUID.
        """
        try:
            decision = self._simulation.decide(context, spec, servers)
            result = self._count(decision)
        except Exception as error:
            decision = self._simulation.finish()
            if decision is None:
                raise
            LOG.warning(
                'A capacity is not known', exc_info=build_exc_info(error)
            )
            if decision.outcome != FAILED:
                decision.outcome = FAILED
                decision.message = str(error)[:MAX_LETTERS]
            result = capacity.Capacity(capacity.ServerRange(0, 0))
        result.decision = decision
        result.unknown = decision is None or decision.outcome == FAILED or (
            decision.placement is not None and not decision.placement.answered
        )
        return result

    def _count(self, decision: Decision | None) -> capacity.Capacity:
        """Fill the hosts that passed, in each order that may matter."""
        fillings = [self._fill('')]
        sampled = False
        if decision is not None and capacity.depends_on_order(fillings[0]):
            hosts, count = _list_first(decision.attempts[0])
            for first in hosts:
                if sum(filling.total for filling in fillings) > MAX_SERVERS:
                    break
                filling = self._fill(first)
                if filling.is_cut:
                    break
                fillings.append(filling)
            sampled = len(fillings) - 1 < count
        result = capacity.summarize(
            fillings, MAX_SERVERS, self._zones, self._aggregates
        )
        result.comparing = self._list_comparing(decision)
        result.sampled = sampled or bool(result.comparing)
        result.bounded |= fillings[0].is_cut
        return result

    def _list_comparing(self, decision: Decision | None) -> list[str]:
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

    def _fill_rows(
        self, rows: Sequence[fill.Host], free: Amounts, first: str
    ) -> capacity.FillResult:
        """Fill rows by the engine."""
        hosts = sorted(rows, key=lambda row: row.name != first)
        return fill.fill(
            self._pace(hosts, HOSTS_PER_PAUSE), free, MAX_SERVERS,
        )

    def _fill_copies(
        self, passed: Sequence[Any], spec: Any, first: str
    ) -> capacity.FillResult:
        """Fill copies of host states by Nova's filters.

        :param passed: copies, which stay as they are.
        """
        hosts = sorted(passed, key=lambda host: name_host(host) != first)
        sandbox = host_sandbox.HostSandbox(
            self._filters, spec, self._simulation.placement.summaries
        )

        def place(host: Any) -> str:
            self._simulation.give_way()
            return sandbox.place(host)

        return capacity.fill_hosts(
            host_sandbox.copy_hosts(self._pace(hosts, every=1)),
            name_host, place, MAX_SERVERS,
            lambda: time.monotonic() > self._ends,
        )

    def _pace(self, hosts: Iterable[T], every: int) -> Iterator[T]:
        """Yield hosts; let boots go first in between."""
        for host in iterate_with_pauses(hosts, every):
            self._simulation.give_way()
            yield host


def make_row(
    host: Any, limits: Limits
) -> fill.Host:
    """Return the engine's row of a host state.

    :param limits: by the filter's name, as of
        :func:`further_servers.find_limits`.
    """
    return fill.Host(
        name_host(host),
        [
            read_demand(candidate)
            for candidate in host.allocation_candidates
        ],
        {name: count(host) for name, count in limits.items()},
    )


def _list_first(attempt: Attempt) -> tuple[list[str], int]:
    """Return hosts that may come first, and how many there are.

    Nova draws one, or takes the first of those of equal weight, whose order
    is another one in each process.
    """
    if attempt.draw is not None:
        return attempt.draw.hosts[:MAX_FIRST_HOSTS], attempt.draw.count
    if attempt.equal > 1:
        most = min(attempt.equal, MAX_EQUAL_HOSTS)
        return attempt.ranked[:most], attempt.equal
    return [], 0


def _have_several_nodes(hosts: Sequence[Any]) -> bool:
    return len({host.host for host in hosts}) < len(hosts)


def _get_zone(host: Any) -> str:
    """Return a host's availability zone: an aggregate's, or the default."""
    for aggregate in host.aggregates:
        if 'availability_zone' in aggregate.metadata:
            return str(aggregate.metadata['availability_zone'])
    return str(CONF.default_availability_zone)
