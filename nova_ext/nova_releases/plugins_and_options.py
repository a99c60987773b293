"""List Nova's filters and weighers, without Nova.

A test compares the tables with Nova's own code.
"""

from dataclasses import dataclass

ALL_FILTERS = 'nova.scheduler.filters.all_filters'
ALL_WEIGHERS = 'nova.scheduler.weights.all_weighers'

FILTERS_PACKAGE = 'nova.scheduler.filters'
WEIGHERS_PACKAGE = 'nova.scheduler.weights'


@dataclass(frozen=True)
class NovaFilter:
    """Describe a filter of Nova's.

    :param module: below ``nova.scheduler.filters``.
    :param hints: scheduler hints that it reads.
    :param costly: whether it takes far longer for a host than other
        filters, so that it should see few hosts.
    """

    module: str
    hints: tuple[str, ...] = ()
    costly: bool = False


FILTERS = {
    'AggregateImagePropertiesIsolation':
        NovaFilter('aggregate_image_properties_isolation'),
    'AggregateInstanceExtraSpecsFilter':
        NovaFilter('aggregate_instance_extra_specs'),
    'AggregateIoOpsFilter': NovaFilter('io_ops_filter'),
    'AggregateMultiTenancyIsolation':
        NovaFilter('aggregate_multitenancy_isolation'),
    'AggregateNumInstancesFilter': NovaFilter('num_instances_filter'),
    'AggregateTypeAffinityFilter': NovaFilter('type_filter'),
    'AllHostsFilter': NovaFilter('all_hosts_filter'),
    'ComputeCapabilitiesFilter': NovaFilter('compute_capabilities_filter'),
    'ComputeFilter': NovaFilter('compute_filter'),
    'DifferentHostFilter': NovaFilter('affinity_filter', ('different_host',)),
    'ImagePropertiesFilter': NovaFilter('image_props_filter'),
    'IoOpsFilter': NovaFilter('io_ops_filter'),
    'IsolatedHostsFilter': NovaFilter('isolated_hosts_filter'),
    'JsonFilter': NovaFilter('json_filter', ('query',)),
    'MetricsFilter': NovaFilter('metrics_filter'),
    'NUMATopologyFilter': NovaFilter('numa_topology_filter', costly=True),
    'NumInstancesFilter': NovaFilter('num_instances_filter'),
    'PciPassthroughFilter': NovaFilter('pci_passthrough_filter', costly=True),
    'SameHostFilter': NovaFilter('affinity_filter', ('same_host',)),
    'ServerGroupAffinityFilter': NovaFilter('affinity_filter', ('group',)),
    'ServerGroupAntiAffinityFilter': NovaFilter('affinity_filter', ('group',)),
    'SimpleCIDRAffinityFilter': NovaFilter(
        'affinity_filter', ('build_near_host_ip', 'cidr')
    ),
}

DEFAULT_FILTERS = (
    'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
)

#: Weighers by name: the module below ``nova.scheduler.weights``.
WEIGHERS = {
    'BuildFailureWeigher': 'compute',
    'CPUWeigher': 'cpu',
    'CrossCellWeigher': 'cross_cell',
    'DiskWeigher': 'disk',
    'HypervisorVersionWeigher': 'hypervisor_version',
    'ImagePropertiesWeigher': 'image_props',
    'IoOpsWeigher': 'io_ops',
    'MetricsWeigher': 'metrics',
    'NumInstancesWeigher': 'num_instances',
    'PCIWeigher': 'pci',
    'RAMWeigher': 'ram',
    'ServerGroupSoftAffinityWeigher': 'affinity',
    'ServerGroupSoftAntiAffinityWeigher': 'affinity',
}

#: Scheduler hints that Nova's weighers read.
WEIGHER_HINTS = {
    'ServerGroupSoftAffinityWeigher': ('group',),
    'ServerGroupSoftAntiAffinityWeigher': ('group',),
}
