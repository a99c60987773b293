"""Name the schedulers' configurations that situations need."""

from collections.abc import Mapping, Sequence
from pathlib import Path

Settings = Mapping[str, Sequence[str]]

#: Packages that labs can import, as if they were installed.
PLUGINS = Path(__file__).with_name('plugins')

OURS = 'nova_ext.scheduler.filters.all_filters'
NOVAS = (
    'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    'SpecifiedHostFilter',
)
#: Every other filter of Nova that lets pass what does not concern it.
HARMLESS = (
    'SameHostFilter', 'DifferentHostFilter', 'SimpleCIDRAffinityFilter',
    'JsonFilter', 'AggregateInstanceExtraSpecsFilter',
    'AggregateImagePropertiesIsolation', 'AggregateMultiTenancyIsolation',
    'AggregateTypeAffinityFilter', 'AggregateNumInstancesFilter',
    'AggregateIoOpsFilter', 'NumInstancesFilter', 'IoOpsFilter',
    'NUMATopologyFilter', 'PciPassthroughFilter', 'AllHostsFilter',
)

#: In every lab.
COMMON: Settings = {
    # Nothing changes behind a situation's back.
    'DEFAULT.update_resources_interval': ['-1'],
    'DEFAULT.sync_power_state_interval': ['-1'],
    'compute.shutdown_retry_interval': ['1'],
    # nova-compute fails for good where it knew a provider that is gone.
    'compute.resource_provider_association_refresh': ['0'],
    'DEFAULT.shelved_offload_time': ['0'],
    'pci.alias': [
        '{"name": "gpu", "vendor_id": "10de", "product_id": "1eb8"}'
    ],
    # A build that has just ended still counts for a moment.
    'filter_scheduler.io_ops_weight_multiplier': ['0'],
}

#: Beside that, in the lab of a mode.
OF_MODES: Mapping[str, Settings] = {
    'mirror': {
        'nova_ext.mirror': ['on'],
        'nova_ext.mirror_refresh_s': ['1'],
        # Nova decides none by chance.
        'nova_ext.mirror_verify_percent': ['0'],
    },
}


def _enable(*filters: str) -> Settings:
    return {'filter_scheduler.enabled_filters': [','.join(filters)]}


CONFIGURATIONS: Mapping[str, Settings] = {
    'usual': _enable(*NOVAS, *HARMLESS),
    'isolated': {
        **_enable(*NOVAS, 'IsolatedHostsFilter', 'MetricsFilter'),
        'filter_scheduler.isolated_hosts': ['c1,c2'],
        'filter_scheduler.isolated_images': [
            '00000000-0000-4000-8000-00000000a150'
        ],
        'metrics.weight_setting': ['cpu.percent=1.0'],
        'metrics.required': ['false'],
    },
    'busy': {
        **_enable(*NOVAS, 'NumInstancesFilter', 'IoOpsFilter'),
        'filter_scheduler.max_instances_per_host': ['1'],
        'filter_scheduler.max_io_ops_per_host': ['0'],
    },
    'prefilters': {
        **_enable(*NOVAS),
        'scheduler.limit_tenants_to_placement_aggregate': ['true'],
        'scheduler.enable_isolated_aggregate_filtering': ['true'],
        'scheduler.query_placement_for_image_type_support': ['true'],
        'scheduler.image_metadata_prefilter': ['true'],
    },
    'limit': {
        **_enable(*NOVAS), 'scheduler.max_placement_results': ['3'],
        # By default a mirror has no such limit.
        'nova_ext.mirror_sees_all_hosts': ['false'],
    },
    'bare': _enable(*NOVAS),
    'home': {
        **_enable(*NOVAS), 'DEFAULT.default_schedule_zone': ['west'],
    },
    'tenants': {
        **_enable(*NOVAS),
        'scheduler.limit_tenants_to_placement_aggregate': ['true'],
        'scheduler.placement_aggregate_required_for_tenants': ['true'],
    },
    'foreign': {
        **_enable(
            'RackFilter', *NOVAS, 'OddFilter', 'LateRackFilter',
            'BlazarFilter', 'RaisingFilter',
        ),
        'nova_ext.plugin_files': [str(PLUGINS / 'raising_plugin.py')],
        'filter_scheduler.available_filters': [
            'rack_plugins.all_filters', OURS, 'rack_plugins.LateRackFilter',
            'rack_plugins.OddFilter',
            'blazarnova.scheduler.filters.blazar_filter.BlazarFilter',
        ],
        'filter_scheduler.weight_classes': [
            'nova_ext.scheduler.weights.all_weighers,'
            'rack_plugins.RackWeigher'
        ],
    },
}
