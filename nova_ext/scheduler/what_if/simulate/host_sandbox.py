"""Place servers in copies of hosts and of a request.

Each server changes a host state, placement's free amounts and the request's
server group, as Nova changes them for a request for several servers.
"""

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from nova.scheduler import host_manager, manager
from oslo_utils import uuidutils

from nova_ext.core.base.errors import PluginError
from nova_ext.engine.free_resources import (
    SEPARATOR,
    FreeResources,
    read_demand,
    read_free,
)
from nova_ext.engine.providers import Amounts


class HostSandbox:
    """Place servers in copies, one after the other.

    For each server, what the ones before it can change is done again:
    placement's candidates, filters, claim.

    :param filters: the filters to run; none is traced.
    :param spec: the request spec, after its prefilters.
    :param summaries: placement's provider summaries.
    :ivar claimed: what the last server took of resource providers.
    """

    def __init__(
        self, filters: Sequence[Any], spec: Any, summaries: dict[str, Any]
    ) -> None:
        self._filters = [
            # The verdict of others does not depend on what was placed.
            filter_ for filter_ in filters if filter_.run_filter_for_index(1)
        ]
        self._spec = copy.deepcopy(spec)
        self._topology = self._spec.numa_topology
        self._placement = FreeResources(read_free(summaries))
        self._is_placed = True
        self.claimed: Amounts = {}

    def hold(self, demand: Amounts) -> None:
        """Take away what others hold, as far as candidates need it."""
        self._placement.deplete(demand)

    def place(self, host: Any) -> str:
        """Place one more server, as a request of its own.

        :param host: one of :func:`copy_hosts`, which is changed.
        :returns: what keeps the server out: resource classes, or a filter's
            name; empty where it was placed.
        :raises PluginError: for a filter that raises.
        """
        candidates = host.all_candidates
        host.allocation_candidates = fitting = [
            candidate for candidate in candidates
            if not self._find_lacking(candidate)
        ]
        if not fitting:
            return SEPARATOR.join(self._find_lacking(candidates[0]))
        self._begin_server()
        for filter_ in self._filters:
            name = type(filter_).__name__
            try:
                passed = list(filter_.filter_all([host], self._spec))
            except Exception as error:
                # An adapter raises what says so, of what the plugin raised.
                raise PluginError(
                    'filter', name, error.__cause__ or error
                ) from error
            if not passed:
                return name
        # A filter may have taken out candidates, but not the last one.
        self._claim(host, host.allocation_candidates[0])
        return ''

    def _find_lacking(self, candidate: Any) -> list[str]:
        """Return the resource classes with too little free, sorted."""
        return self._placement.find_lacking(
            read_demand(candidate)
        )

    def _begin_server(self) -> None:
        """Undo what was fitted to the last server's host; name a new one."""
        spec, group = self._spec, self._spec.instance_group
        spec.numa_topology = self._topology
        if group is not None:
            spec.instance_uuid = uuidutils.generate_uuid()
            # A server that found no room on the last host is none.
            members = group.members if self._is_placed else group.members[:-1]
            group.members = [*members, spec.instance_uuid]
            self._is_placed = False

    def _claim(self, host: Any, candidate: Any) -> None:
        spec, building = self._spec, host.num_io_ops
        self.claimed = read_demand(candidate)
        self._placement.claim(self.claimed)
        self._is_placed = True
        for group in spec.requested_resources:
            group.provider_uuids = candidate['mappings'][group.requester_id]
        manager.SchedulerManager._consume_selected_host(
            host, spec, instance_uuid=spec.instance_uuid
        )
        # The build of a server ends before the next one is placed.
        host.num_io_ops = building


class SandboxHost(host_manager.HostState):
    """Represent a host state that no other thread sees.

    :ivar all_candidates: those that have no room left, too.
    """

    all_candidates: list[Any]

    def consume_from_request(self, spec_obj: Any) -> None:
        """Consume without Nova's lock, which takes most of the time."""
        self._locked_consume_from_request(spec_obj)


def copy_hosts(hosts: Iterable[Any]) -> Iterator[Any]:
    """Yield copies of host states that can be filled.

    Nodes of one host share its servers, as Nova's states do.

    :param hosts: with their allocation candidates.
    """
    servers: dict[str, dict[str, Any]] = {}
    for host in hosts:
        copied = copy.copy(host)
        copied.__class__ = SandboxHost
        copied.all_candidates = list(host.allocation_candidates)
        copied.instances = servers.setdefault(host.host, dict(host.instances))
        copied.limits = dict(host.limits)
        if host.pci_stats is not None and host.pci_stats.pools:
            copied.pci_stats = copy.deepcopy(host.pci_stats)
        yield copied
