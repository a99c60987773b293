"""Say how many more servers Nova's filters let onto a host that passed them.

Each rule is for one class of Nova's as it is, not for those derived from it.
It says what the filter would answer after one server after the other, each
built before the next one is placed. Tests compare the rules with the filters.
"""

from collections.abc import Callable, Sequence
from typing import Any

from nova.scheduler import filters as nova_filters
from nova.scheduler.filters import (
    affinity_filter,
    io_ops_filter,
    json_filter,
    metrics_filter,
    num_instances_filter,
    numa_topology_filter,
    pci_passthrough_filter,
)

#: Return how many more servers a filter lets onto a host state.
CountServers = Callable[[Any], int]

_Filter = type[nova_filters.BaseHostFilter]


def find_limits(
    filters: Sequence[Any], spec: Any
) -> dict[str, CountServers] | None:
    """Return the limits of filters, by name; None where one is not known.

    :param filters: those that are asked about each host, in their order,
        untraced.
    """
    limits = {}
    for filter_ in filters:
        if not filter_.run_filter_for_index(1):
            # Its verdict does not depend on what was placed.
            continue
        if type(filter_) in _INERT:
            if not _INERT[type(filter_)](spec):
                return None
        elif type(filter_) in _LIMITS:
            count = _LIMITS[type(filter_)](filter_, spec)
            if count is not None:
                limits[type(filter_).__name__] = count
        else:
            return None
    return limits


def _count_group_members(_filter: Any, spec: Any) -> CountServers | None:
    """Limit the members of a server group on a host."""
    group = spec.instance_group
    if group is None or group.policy != 'anti-affinity':
        return None
    most = (group.rules or {}).get('max_server_per_host', 1)
    members = set(group.members)
    return lambda host: int(most) - len(members.intersection(host.instances))


def _count_instances(filter_: Any, spec: Any) -> CountServers:
    """Limit the servers on a host, or on those of an aggregate."""
    return lambda host: (
        filter_._get_max_instances_per_host(host, spec) - host.num_instances
    )


#: Say whether a filter that let a host pass will go on to do so.
_INERT: dict[_Filter, Callable[[Any], bool]] = {
    affinity_filter.ServerGroupAffinityFilter: lambda spec: (
        spec.instance_group is None
        or 'affinity' not in spec.instance_group.policies
    ),
    # The build of a server ends before the next one is placed.
    io_ops_filter.AggregateIoOpsFilter: lambda spec: True,
    io_ops_filter.IoOpsFilter: lambda spec: True,
    json_filter.JsonFilter: lambda spec: not spec.get_scheduler_hint('query'),
    metrics_filter.MetricsFilter: lambda spec: True,
    numa_topology_filter.NUMATopologyFilter: lambda spec: (
        not spec.numa_topology
    ),
    pci_passthrough_filter.PciPassthroughFilter: lambda spec: (
        not (spec.pci_requests and spec.pci_requests.requests)
    ),
}

#: Return a filter's limit for a request; None: it sets none.
_LIMITS: dict[_Filter, Callable[[Any, Any], CountServers | None]] = {
    affinity_filter.ServerGroupAntiAffinityFilter: _count_group_members,
    num_instances_filter.AggregateNumInstancesFilter: _count_instances,
    num_instances_filter.NumInstancesFilter: _count_instances,
}
