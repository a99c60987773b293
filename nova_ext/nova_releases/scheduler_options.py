"""List the options of Nova's scheduler, without Nova.

A test compares the tables with Nova's own code.
"""

from oslo_config import types

from nova_ext.config_files.configuration import Name

_LIST = types.List()
_TEXT = types.String()
_FLAG = types.Boolean()
_NUMBER = types.Float()
_NOT_NEGATIVE = types.Float(min=0)

#: The scheduler's own options, each with the type of its value.
OPTIONS = {
    'scheduler': {
        'max_attempts': types.Integer(min=1),
        'discover_hosts_in_cells_interval': types.Integer(min=-1),
        'max_placement_results': types.Integer(min=1),
        'workers': types.Integer(min=0),
        'query_placement_for_routed_network_aggregates': _FLAG,
        'limit_tenants_to_placement_aggregate': _FLAG,
        'placement_aggregate_required_for_tenants': _FLAG,
        'query_placement_for_image_type_support': _FLAG,
        'enable_isolated_aggregate_filtering': _FLAG,
        'image_metadata_prefilter': _FLAG,
    },
    'filter_scheduler': {
        'host_subset_size': types.Integer(min=1),
        'max_io_ops_per_host': types.Integer(min=0),
        'max_instances_per_host': types.Integer(min=1),
        'track_instance_changes': _FLAG,
        'available_filters': _TEXT,
        'enabled_filters': _LIST,
        'weight_classes': _LIST,
        'ram_weight_multiplier': _NUMBER,
        'cpu_weight_multiplier': _NUMBER,
        'disk_weight_multiplier': _NUMBER,
        'hypervisor_version_weight_multiplier': _NUMBER,
        'num_instances_weight_multiplier': _NUMBER,
        'io_ops_weight_multiplier': _NUMBER,
        'image_props_weight_multiplier': _NUMBER,
        'image_props_weight_setting': _LIST,
        'pci_weight_multiplier': _NOT_NEGATIVE,
        'soft_affinity_weight_multiplier': _NOT_NEGATIVE,
        'soft_anti_affinity_weight_multiplier': _NOT_NEGATIVE,
        'build_failure_weight_multiplier': _NUMBER,
        'cross_cell_move_weight_multiplier': _NUMBER,
        'shuffle_best_same_weighed_hosts': _FLAG,
        'image_properties_default_architecture': _TEXT,
        'isolated_images': _LIST,
        'isolated_hosts': _LIST,
        'restrict_isolated_hosts_to_isolated_images': _FLAG,
        'aggregate_image_properties_isolation_namespace': _TEXT,
        'aggregate_image_properties_isolation_separator': _TEXT,
        'pci_in_placement': _FLAG,
    },
    'metrics': {
        'weight_multiplier': _NUMBER,
        'weight_setting': _LIST,
        'required': _FLAG,
        'weight_of_unavailable': _NUMBER,
    },
}

#: Options that may be given several times.
MULTI: frozenset[Name] = frozenset({('filter_scheduler', 'available_filters')})

#: Filters that read an option; without all of them it has no effect.
FILTERS_OF_OPTIONS = {
    'isolated_images': ('IsolatedHostsFilter',),
    'isolated_hosts': ('IsolatedHostsFilter',),
    'restrict_isolated_hosts_to_isolated_images': ('IsolatedHostsFilter',),
    'max_io_ops_per_host': ('IoOpsFilter', 'AggregateIoOpsFilter'),
    'max_instances_per_host': (
        'NumInstancesFilter', 'AggregateNumInstancesFilter',
    ),
    'aggregate_image_properties_isolation_namespace': (
        'AggregateImagePropertiesIsolation',
    ),
    'aggregate_image_properties_isolation_separator': (
        'AggregateImagePropertiesIsolation',
    ),
}

#: The weigher that reads an option; without it the option has no effect.
WEIGHERS_OF_OPTIONS = {
    'ram_weight_multiplier': 'RAMWeigher',
    'cpu_weight_multiplier': 'CPUWeigher',
    'disk_weight_multiplier': 'DiskWeigher',
    'hypervisor_version_weight_multiplier': 'HypervisorVersionWeigher',
    'num_instances_weight_multiplier': 'NumInstancesWeigher',
    'io_ops_weight_multiplier': 'IoOpsWeigher',
    'image_props_weight_multiplier': 'ImagePropertiesWeigher',
    'pci_weight_multiplier': 'PCIWeigher',
    'soft_affinity_weight_multiplier': 'ServerGroupSoftAffinityWeigher',
    'soft_anti_affinity_weight_multiplier':
        'ServerGroupSoftAntiAffinityWeigher',
    'build_failure_weight_multiplier': 'BuildFailureWeigher',
    'cross_cell_move_weight_multiplier': 'CrossCellWeigher',
}
