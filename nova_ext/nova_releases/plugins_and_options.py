"""List Nova's filters and weighers, without Nova.

A test compares the tables with Nova's own code.
"""

from dataclasses import dataclass

ALL_FILTERS = 'nova.scheduler.filters.all_filters'
ALL_WEIGHERS = 'nova.scheduler.weights.all_weighers'

FILTERS_PACKAGE = 'nova.scheduler.filters'
WEIGHERS_PACKAGE = 'nova.scheduler.weights'


@dataclass(frozen=True)
class Filter:
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
        Filter('aggregate_image_properties_isolation'),
    'AggregateInstanceExtraSpecsFilter':
        Filter('aggregate_instance_extra_specs'),
    'AggregateIoOpsFilter': Filter('io_ops_filter'),
    'AggregateMultiTenancyIsolation':
        Filter('aggregate_multitenancy_isolation'),
    'AggregateNumInstancesFilter': Filter('num_instances_filter'),
    'AggregateTypeAffinityFilter': Filter('type_filter'),
    'AllHostsFilter': Filter('all_hosts_filter'),
    'ComputeCapabilitiesFilter': Filter('compute_capabilities_filter'),
    'ComputeFilter': Filter('compute_filter'),
    'DifferentHostFilter': Filter('affinity_filter', ('different_host',)),
    'ImagePropertiesFilter': Filter('image_props_filter'),
    'IoOpsFilter': Filter('io_ops_filter'),
    'IsolatedHostsFilter': Filter('isolated_hosts_filter'),
    'JsonFilter': Filter('json_filter', ('query',)),
    'MetricsFilter': Filter('metrics_filter'),
    'NUMATopologyFilter': Filter('numa_topology_filter', costly=True),
    'NumInstancesFilter': Filter('num_instances_filter'),
    'PciPassthroughFilter': Filter('pci_passthrough_filter', costly=True),
    'SameHostFilter': Filter('affinity_filter', ('same_host',)),
    'ServerGroupAffinityFilter': Filter('affinity_filter', ('group',)),
    'ServerGroupAntiAffinityFilter': Filter('affinity_filter', ('group',)),
    'SimpleCIDRAffinityFilter': Filter(
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
