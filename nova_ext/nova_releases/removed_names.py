"""What old guides write and Nova has no more, with the release it went in.

Found in Nova's own history: the first release whose tree lacks it.
"""

from dataclasses import dataclass

from nova_ext.config_files.configuration import Name


@dataclass(frozen=True)
class Gone:
    """Something that Nova once had.

    :param release: the first without it.
    :param instead: what to do, as a clause.
    """

    release: str
    instead: str


_PLACEMENT = 'remove it: placement checks {} before any filter runs'
_EXACT = (
    'remove it: bare metal is scheduled by the custom resource class of each '
    'node'
)
_VCPU = _PLACEMENT.format('VCPU')
_MEMORY = _PLACEMENT.format('MEMORY_MB')
_DISK = _PLACEMENT.format('DISK_GB')
_RATIO = (
    'remove it, and set the {0} of the hosts instead ([DEFAULT] {0} of '
    'nova-compute, or placement\'s inventories)'
)

FILTERS = {
    'InstanceTypeFilter': Gone('Essex (2012.1)', 'remove it'),
    'AffinityFilter': Gone(
        'Kilo (2015.1)', 'enable SameHostFilter or DifferentHostFilter'
    ),
    'GroupAffinityFilter': Gone(
        'Kilo (2015.1)', 'enable ServerGroupAffinityFilter'
    ),
    'GroupAntiAffinityFilter': Gone(
        'Kilo (2015.1)', 'enable ServerGroupAntiAffinityFilter'
    ),
    'TrustedFilter': Gone(
        'Queens (17.0)', 'remove it, and require a trait of trusted hosts in '
        'flavors or images, trait:CUSTOM_TRUSTED=required'
    ),
    'TypeAffinityFilter': Gone(
        'Queens (17.0)', 'enable AggregateTypeAffinityFilter, or require a '
        'trait in the flavor'
    ),
    'ExactCoreFilter': Gone('Rocky (18.0)', _EXACT),
    'ExactDiskFilter': Gone('Rocky (18.0)', _EXACT),
    'ExactRamFilter': Gone('Rocky (18.0)', _EXACT),
    'CoreFilter': Gone('Train (20.0)', _VCPU),
    'DiskFilter': Gone('Train (20.0)', _DISK),
    'RamFilter': Gone('Train (20.0)', _MEMORY),
    'AggregateCoreFilter': Gone(
        'Victoria (22.0)', _RATIO.format('cpu_allocation_ratio')
    ),
    'AggregateDiskFilter': Gone(
        'Victoria (22.0)', _RATIO.format('disk_allocation_ratio')
    ),
    'AggregateRamFilter': Gone(
        'Victoria (22.0)', _RATIO.format('ram_allocation_ratio')
    ),
    'RetryFilter': Gone(
        'Victoria (22.0)', 'remove it: since Queens a failed build goes to '
        'an alternate host that was chosen with the first'
    ),
    'AvailabilityZoneFilter': Gone(
        '2023.2 (28.0)', 'remove it: Nova asks placement for the zone\'s '
        'hosts before any filter runs'
    ),
}

#: What available_filters and weight_classes of old guides name.
PATHS = {
    'nova.scheduler.filters.standard_filters': Gone(
        'Havana (2013.2)', 'write nova.scheduler.filters.all_filters'
    ),
    'nova.scheduler.weights.least_cost.compute_fill_first_cost_fn': Gone(
        'Havana (2013.2)', 'write nova.scheduler.weights.all_weighers, and '
        'ram_weight_multiplier = -1.0 to fill hosts up'
    ),
}

_DRIVER = (
    'remove it: Nova has one scheduler. A driver of your own can be a driver '
    'of nova-ext, [nova_ext] scheduler_driver'
)


def _moved(group: str, option: str) -> str:
    return f'write it as [{group}] {option}'


OPTIONS: dict[Name, Gone] = {
    ('DEFAULT', 'scheduler_default_filters'): Gone(
        'Xena (24.0)', _moved('filter_scheduler', 'enabled_filters')
    ),
    ('DEFAULT', 'scheduler_available_filters'): Gone(
        'Xena (24.0)', _moved('filter_scheduler', 'available_filters')
    ),
    ('DEFAULT', 'scheduler_weight_classes'): Gone(
        'Xena (24.0)', _moved('filter_scheduler', 'weight_classes')
    ),
    ('DEFAULT', 'scheduler_host_subset_size'): Gone(
        'Xena (24.0)', _moved('filter_scheduler', 'host_subset_size')
    ),
    ('DEFAULT', 'scheduler_max_attempts'): Gone(
        'Xena (24.0)', _moved('scheduler', 'max_attempts')
    ),
    ('DEFAULT', 'scheduler_tracks_instance_changes'): Gone(
        'Xena (24.0)', _moved('filter_scheduler', 'track_instance_changes')
    ),
    ('DEFAULT', 'max_io_ops_per_host'): Gone(
        'Xena (24.0)', _moved('filter_scheduler', 'max_io_ops_per_host')
    ),
    ('DEFAULT', 'max_instances_per_host'): Gone(
        'Xena (24.0)', _moved('filter_scheduler', 'max_instances_per_host')
    ),
    ('DEFAULT', 'scheduler_driver'): Gone('Wallaby (23.0)', _DRIVER),
    ('DEFAULT', 'compute_scheduler_driver'): Gone('Havana (2013.2)', _DRIVER),
    ('scheduler', 'driver'): Gone('Wallaby (23.0)', _DRIVER),
    ('scheduler', 'scheduler_driver'): Gone('Wallaby (23.0)', _DRIVER),
    ('scheduler', 'periodic_task_interval'): Gone(
        'Wallaby (23.0)', 'remove it'
    ),
    ('DEFAULT', 'scheduler_driver_task_period'): Gone(
        'Rocky (18.0)', 'remove it'
    ),
    ('DEFAULT', 'scheduler_host_manager'): Gone('Rocky (18.0)', 'remove it'),
    ('scheduler', 'host_manager'): Gone('Rocky (18.0)', 'remove it'),
    ('DEFAULT', 'scheduler_use_baremetal_filters'): Gone(
        'Rocky (18.0)', 'remove it'
    ),
    ('filter_scheduler', 'use_baremetal_filters'): Gone(
        'Rocky (18.0)', 'remove it'
    ),
    ('filter_scheduler', 'baremetal_enabled_filters'): Gone(
        'Rocky (18.0)', 'remove it'
    ),
    ('DEFAULT', 'scheduler_json_config_location'): Gone(
        'Newton (14.0)', 'remove it'
    ),
    ('DEFAULT', 'least_cost_functions'): Gone(
        'Havana (2013.2)', _moved('filter_scheduler', 'weight_classes')
    ),
    ('scheduler', 'query_placement_for_availability_zone'): Gone(
        '2023.2 (28.0)', 'remove it: it is always so'
    ),
}

def option(group: str, name: str) -> Gone | None:
    """What became of an option; also of one in the wrong group.

    Some guides moved the old names into the new groups.
    """
    found = OPTIONS.get((group, name))
    if found is None and name.startswith('scheduler_') and (
        group in ('scheduler', 'filter_scheduler')
    ):
        found = OPTIONS.get(('DEFAULT', name))
    return found


#: Modules that plugins of their time import.
MODULES = {
    'nova.openstack.common': Gone(
        'Newton (14.0)', 'import the oslo library, from oslo_log import log'
    ),
    'nova.scheduler.driver': Gone(
        'Wallaby (23.0)', 'derive a driver of nova-ext from '
        'nova_ext.core.extension.ComputeDriver'
    ),
}

#: Variables of OpenStack-Ansible's os_nova that went with them.
ANSIBLE_VARIABLES = (
    'nova_scheduler_available_filters', 'nova_scheduler_weight_classes',
    'nova_scheduler_driver', 'nova_scheduler_driver_task_period',
    'nova_max_instances_per_host', 'nova_ram_weight_multiplier',
)
