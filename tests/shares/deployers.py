"""Tell what deployers configure a scheduler with.

As their repositories stood in summer 2026. Filters and options that Nova has
dropped since are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.functional.base import STOCK_FILTERS

_NOVAS = (
    'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
)


@dataclass(frozen=True)
class Deployer:
    """Hold a deployer's configuration.

    :param name: the deployer's.
    :param enabled_filters: in their order.
    :param filter_options: others of ``[filter_scheduler]``.
    :param scheduler_options: of ``[scheduler]``.
    :param other_options: of other sections, by section.
    :param aggregates: metadata and hosts of aggregates that the filters or
        prefilters look at, by name.
    """

    name: str
    enabled_filters: Sequence[str]
    filter_options: Mapping[str, Any] = field(default_factory=dict)
    scheduler_options: Mapping[str, Any] = field(default_factory=dict)
    other_options: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict
    )
    aggregates: Mapping[str, tuple[Mapping[str, str], Sequence[str]]] = field(
        default_factory=dict
    )


_BLAZAR = {
    'available_filters': [
        STOCK_FILTERS, 'blazarnova.scheduler.filters.blazar_filter.'
        'BlazarFilter',
    ],
}
#: Hosts that may be reserved, and that nobody has reserved.
_FREE_POOL = {'freepool': ({}, ('cmp-4',))}

DEPLOYERS = (
    Deployer('Nova\'s default', _NOVAS),
    Deployer(
        'openstack-ansible',
        (
            'ComputeFilter', 'AggregateNumInstancesFilter',
            'AggregateIoOpsFilter', *_NOVAS[1:], 'NUMATopologyFilter',
        ),
        {
            'host_subset_size': 2, 'max_io_ops_per_host': 10,
            'ram_weight_multiplier': 5.0,
        },
        {'max_attempts': 5},
        aggregates={'large': ({'max_instances_per_host': '80'}, ('cmp-3',))},
    ),
    Deployer(
        'RHOSO (nova-operator)',
        (
            'AggregateInstanceExtraSpecsFilter', *_NOVAS, 'SameHostFilter',
            'DifferentHostFilter', 'PciPassthroughFilter',
            'NUMATopologyFilter',
        ),
        {'shuffle_best_same_weighed_hosts': True},
        {
            'max_attempts': 10,
            'limit_tenants_to_placement_aggregate': True,
            'placement_aggregate_required_for_tenants': False,
            'query_placement_for_routed_network_aggregates': True,
            'query_placement_for_image_type_support': True,
            'enable_isolated_aggregate_filtering': True,
            'image_metadata_prefilter': True,
        },
        {'workarounds': {'disable_fallback_pcpu_query': True}},
        {
            'tenant': (
                {'filter_tenant_id': 'PROJECT'}, ('cmp-1', 'cmp-2', 'cmp-3'),
            ),
            'licensed': ({'trait:CUSTOM_LICENSED': 'required'}, ('cmp-4',)),
        },
    ),
    Deployer(
        'Atmosphere',
        (
            'ComputeFilter', 'AggregateTypeAffinityFilter',
            'ComputeCapabilitiesFilter', 'PciPassthroughFilter', *_NOVAS[2:],
            'FailureDomainFilter',
        ),
        {
            'available_filters': [
                STOCK_FILTERS,
                'tests.shares.failure_domain.FailureDomainFilter',
            ],
            'image_properties_default_architecture': 'x86_64',
            'max_instances_per_host': 200,
        },
        aggregates={'others': ({'instance_type': 'm1.other'}, ('cmp-4',))},
    ),
    Deployer(
        'kolla-ansible with Blazar', (*_NOVAS, 'BlazarFilter'), _BLAZAR,
        {'max_attempts': 10}, aggregates=_FREE_POOL,
    ),
    Deployer(
        'kolla-ansible with Blazar and cells', (*_NOVAS, 'BlazarFilter'),
        {**_BLAZAR, 'track_instance_changes': False},
        {'max_attempts': 10}, aggregates=_FREE_POOL,
    ),
)
