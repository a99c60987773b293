"""Copies of hosts and of a request, in which servers can be placed.

What is placed changes a host state, placement's free amounts and the
request's server group, as Nova changes them for a request for several
servers.
"""

import copy
from collections.abc import Sequence
from typing import Any

from nova.scheduler import host_manager
from oslo_utils import uuidutils

from nova_ext.core.rpc.placement_sandbox import Ledger

#: Joins resource classes that ran out together.
AND = ' and '


class Copied:
    """Places servers in copies of what it is given.

    Of each server's way through the scheduler, what the ones before it can
    change is done again: placement's candidates, filters, claim.

    :param manager: consumes what is placed, as Nova does.
    :param filters: the filters to ask; none record.
    :param spec: the request spec, prefilters through.
    :param summaries: placement's provider summaries.
    """

    def __init__(
        self, manager: Any, filters: Sequence[Any], spec: Any,
        summaries: dict[str, Any],
    ) -> None:
        self._manager = manager
        self._filters = [
            # Others say that placing a server can't change their mind.
            each for each in filters if each.run_filter_for_index(1)
        ]
        self._spec = copy.deepcopy(spec)
        self._topology = self._spec.numa_topology
        self._ledger = Ledger(summaries)

    def place(self, host: Any) -> str:
        """Place one more server, as a request of its own.

        :param host: a host state, which is changed; see :func:`of`.
        :returns: what stands in the way: resource classes, or a filter's
            name; empty where it was placed.
        """
        candidates = host.offered
        host.allocation_candidates = fitting = [
            candidate for candidate in candidates
            if not self._ledger.lacking(candidate['allocations'])
        ]
        if not fitting:
            return AND.join(
                self._ledger.lacking(candidates[0]['allocations'])
            )
        self._begin()
        for each in self._filters:
            if not list(each.filter_all([host], self._spec)):
                return type(each).__name__
        # A filter may have taken out candidates, but not the last one.
        self._take(host, host.allocation_candidates[0])
        return ''

    def _begin(self) -> None:
        """A new server; what was fitted to a host for the last is undone."""
        spec, group = self._spec, self._spec.instance_group
        spec.numa_topology = self._topology
        if group is not None:
            spec.instance_uuid = uuidutils.generate_uuid()
            group.members = [*group.members, spec.instance_uuid]

    def _take(self, host: Any, candidate: Any) -> None:
        spec, building = self._spec, host.num_io_ops
        self._ledger.claim(candidate['allocations'])
        for group in spec.requested_resources:
            group.provider_uuids = candidate['mappings'][group.requester_id]
        self._manager._consume_selected_host(
            host, spec, instance_uuid=spec.instance_uuid
        )
        # Its build comes to an end.
        host.num_io_ops = building


class CopiedHost(host_manager.HostState):
    """A host state that nobody else sees, so that nobody waits for it.

    :ivar offered: all its allocation candidates.
    """

    offered: list[Any]

    def consume_from_request(self, spec_obj: Any) -> None:
        """Consume without Nova's lock, which takes most of the time."""
        self._locked_consume_from_request(spec_obj)


def of(host: Any) -> Any:
    """A copy of a host state that can be filled.

    :param host: with the allocation candidates that it was offered.
    """
    made = copy.copy(host)
    made.__class__ = CopiedHost
    made.offered = list(host.allocation_candidates)
    made.instances = dict(host.instances)
    made.limits = dict(host.limits)
    if host.pci_stats is not None and host.pci_stats.pools:
        made.pci_stats = copy.deepcopy(host.pci_stats)
    return made
