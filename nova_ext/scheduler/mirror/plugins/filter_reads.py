"""Tell what Nova's filters read of a host, for a request.

Hosts that are equal in it get one verdict.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from nova_ext.engine.filtering import Mark
from nova_ext.scheduler.base import options

#: A filter that reads nothing of a host, for this request.
_NOTHING = ''
#: Columns of classes.
_IMAGE = 'image support'
_IO_OPS = 'num_io_ops'
_IO_OPS_AGGREGATES = 'num_io_ops and aggregates'
_INSTANCES = 'num_instances'
_INSTANCES_AGGREGATES = 'num_instances and aggregates'
AGGREGATES = 'aggregates'

#: Those that tell hosts apart that are as empty as each other.
SHAPES = (_IMAGE, AGGREGATES)

#: Return the column of classes that holds all that a filter reads of a host
#: for a request, or _NOTHING; or what marks the hosts from which it reads more
#: than from others; None where that is not known.
Reads = Callable[[Any], str | Mark | None]


def _freeze_aggregates(state: Any) -> Hashable:
    return tuple(sorted(
        (aggregate.id, tuple(sorted(aggregate.metadata.items())))
        for aggregate in state.aggregates
    ))


CLASSES: Mapping[str, Callable[[Any], Hashable]] = {
    _IMAGE: lambda state: (
        repr(state.supported_instances), state.hypervisor_version,
        repr(state.cpu_info),
    ),
    _IO_OPS: lambda state: state.num_io_ops,
    _IO_OPS_AGGREGATES: lambda state: (
        state.num_io_ops, _freeze_aggregates(state)
    ),
    _INSTANCES: lambda state: state.num_instances,
    _INSTANCES_AGGREGATES: lambda state: (
        state.num_instances, _freeze_aggregates(state)
    ),
    AGGREGATES: _freeze_aggregates,
}


def _read_capabilities(spec: Any) -> str | None:
    """Return nothing where no extra spec is about a host's capabilities.

    A key without a scope may name any attribute of a host state.
    """
    keys = spec.flavor.extra_specs if 'extra_specs' in spec.flavor else {}
    scopes = {key.partition(':')[0] if ':' in key else None for key in keys}
    if 'hw:maxphysaddr_bits' in keys or scopes & {None, 'capabilities'}:
        return None
    return _NOTHING


#: Of an image without these, nothing is compared with what hosts support.
_SUPPORT = ('hw_architecture', 'img_hv_type', 'hw_vm_mode')


def _read_image(spec: Any) -> str:
    group = options.CONF.filter_scheduler
    if group.image_properties_default_architecture is not None:
        return _IMAGE
    properties = _get_properties(spec)
    wanted = any(properties.get(name) is not None for name in _SUPPORT)
    return _IMAGE if wanted else _NOTHING


_CPU_POLICIES = ('cpu_policy', 'cpu_thread_policy')


def _read_topology(spec: Any) -> str | None:
    keys = spec.flavor.extra_specs if 'extra_specs' in spec.flavor else {}
    return None if spec.numa_topology or any(
        f'hw:{policy}' in keys for policy in _CPU_POLICIES
    ) or _wants_cpu_policy(spec) else _NOTHING


def _wants_cpu_policy(spec: Any) -> bool:
    """Say whether the image asks for a policy of processors."""
    properties = _get_properties(spec)
    return any(properties.get(f'hw_{policy}') for policy in _CPU_POLICIES)


def _get_properties(spec: Any) -> Any:
    """Return the properties of a request's image, by name."""
    if 'image' not in spec or not spec.image or 'properties' not in spec.image:
        return {}
    return spec.image.properties


def _read_pci(spec: Any) -> str | None:
    requested = spec.pci_requests and spec.pci_requests.requests
    return None if requested else _NOTHING


def _read_affinity(spec: Any) -> str | Mark:
    group = spec.instance_group
    if not group or 'affinity' not in group.policies:
        return _NOTHING
    hosts = frozenset(group.hosts)
    return lambda state: state.host in hosts


def _read_anti_affinity(spec: Any) -> str | Mark:
    group = spec.instance_group
    if not group or group.policy != 'anti-affinity':
        return _NOTHING
    return mark_members(spec)


def mark_members(spec: Any) -> Mark:
    """Mark the hosts of the servers of a request's group, and of its own."""
    return _mark_servers((*spec.instance_group.members, spec.instance_uuid))


def _read_hint(name: str) -> Reads:
    return lambda spec: None if spec.get_scheduler_hint(name) else _NOTHING


def _read_servers_hint(name: str) -> Reads:
    def read(spec: Any) -> str | Mark:
        servers = spec.get_scheduler_hint(name)
        if not servers:
            return _NOTHING
        # nova.scheduler.filters.utils.instance_uuids_overlap
        return _mark_servers(
            [servers] if isinstance(servers, str) else servers
        )

    return read


def _mark_servers(uuids: Iterable[str]) -> Mark:
    wanted = frozenset(uuids)
    return lambda state: not wanted.isdisjoint(state.instances.keys())


def _always(column: str) -> Reads:
    return lambda spec: column


FILTERS: Mapping[str, Reads] = {
    f'nova.scheduler.filters.{name}': reads for name, reads in {
        'aggregate_image_properties_isolation.'
        'AggregateImagePropertiesIsolation': _always(AGGREGATES),
        'aggregate_instance_extra_specs.AggregateInstanceExtraSpecsFilter':
            _always(AGGREGATES),
        'aggregate_multitenancy_isolation.AggregateMultiTenancyIsolation':
            _always(AGGREGATES),
        'all_hosts_filter.AllHostsFilter': _always(_NOTHING),
        'affinity_filter.DifferentHostFilter':
            _read_servers_hint('different_host'),
        'affinity_filter.SameHostFilter': _read_servers_hint('same_host'),
        'affinity_filter.ServerGroupAffinityFilter': _read_affinity,
        'affinity_filter.ServerGroupAntiAffinityFilter':
            _read_anti_affinity,
        'affinity_filter.SimpleCIDRAffinityFilter':
            _read_hint('build_near_host_ip'),
        'compute_capabilities_filter.ComputeCapabilitiesFilter':
            _read_capabilities,
        'image_props_filter.ImagePropertiesFilter': _read_image,
        'io_ops_filter.AggregateIoOpsFilter': _always(_IO_OPS_AGGREGATES),
        'io_ops_filter.IoOpsFilter': _always(_IO_OPS),
        'json_filter.JsonFilter': _read_hint('query'),
        'num_instances_filter.AggregateNumInstancesFilter':
            _always(_INSTANCES_AGGREGATES),
        'num_instances_filter.NumInstancesFilter': _always(_INSTANCES),
        'numa_topology_filter.NUMATopologyFilter': _read_topology,
        'pci_passthrough_filter.PciPassthroughFilter': _read_pci,
        'type_filter.AggregateTypeAffinityFilter': _always(AGGREGATES),
    }.items()
}
