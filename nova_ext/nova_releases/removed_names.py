"""List the names that Nova removed and old guides still use.

The release is the first one whose tree lacks the name, by Nova's history.
"""

from dataclasses import dataclass

from nova_ext.config_files.configuration import Name


@dataclass(frozen=True)
class Removed:
    """Describe a name that Nova once had.

    :param release: the first release without it.
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
    'InstanceTypeFilter': Removed('Essex (2012.1)', 'remove it'),
    'AffinityFilter': Removed(
        'Kilo (2015.1)', 'write SameHostFilter,DifferentHostFilter'
    ),
    'GroupAffinityFilter': Removed(
        'Kilo (2015.1)', 'write ServerGroupAffinityFilter'
    ),
    'GroupAntiAffinityFilter': Removed(
        'Kilo (2015.1)', 'write ServerGroupAntiAffinityFilter'
    ),
    'TrustedFilter': Removed(
        'Queens (17.0)', 'remove it, and require a trait of trusted hosts in '
        'flavors or images, trait:CUSTOM_TRUSTED=required'
    ),
    'TypeAffinityFilter': Removed(
        'Queens (17.0)', 'remove it, and enable AggregateTypeAffinityFilter '
        'or require a trait in the flavor'
    ),
    'ExactCoreFilter': Removed('Rocky (18.0)', _EXACT),
    'ExactDiskFilter': Removed('Rocky (18.0)', _EXACT),
    'ExactRamFilter': Removed('Rocky (18.0)', _EXACT),
    'CoreFilter': Removed('Train (20.0)', _VCPU),
    'DiskFilter': Removed('Train (20.0)', _DISK),
    'RamFilter': Removed('Train (20.0)', _MEMORY),
    'AggregateCoreFilter': Removed(
        'Victoria (22.0)', _RATIO.format('cpu_allocation_ratio')
    ),
    'AggregateDiskFilter': Removed(
        'Victoria (22.0)', _RATIO.format('disk_allocation_ratio')
    ),
    'AggregateRamFilter': Removed(
        'Victoria (22.0)', _RATIO.format('ram_allocation_ratio')
    ),
    'RetryFilter': Removed(
        'Victoria (22.0)', 'remove it: since Queens a failed build is retried '
        'on an alternate host that was chosen with the first'
    ),
    'AvailabilityZoneFilter': Removed(
        '2023.2 (28.0)', 'remove it: Nova asks placement for the zone\'s '
        'hosts before any filter runs'
    ),
}

#: Paths in available_filters and weight_classes of old guides.
PATHS = {
    'nova.scheduler.filters.standard_filters': Removed(
        'Havana (2013.2)', 'write nova.scheduler.filters.all_filters'
    ),
    'nova.scheduler.weights.least_cost.compute_fill_first_cost_fn': Removed(
        'Havana (2013.2)', 'write nova.scheduler.weights.all_weighers, and '
        'ram_weight_multiplier = -1.0 to fill hosts up'
    ),
}

_DRIVER = (
    'remove it: Nova has one scheduler. A driver of your own can be a driver '
    'of nova-ext, [nova_ext] scheduler_driver'
)
_DRIVER_WALLABY = Removed('Wallaby (23.0)', _DRIVER)
_ROCKY = Removed('Rocky (18.0)', 'remove it')


def _moved(
    group: str, option: str, release: str = 'Xena (24.0)'
) -> Removed:
    return Removed(release, f'write it as [{group}] {option}')


OPTIONS: dict[Name, Removed] = {
    ('DEFAULT', 'scheduler_default_filters'):
        _moved('filter_scheduler', 'enabled_filters'),
    ('DEFAULT', 'scheduler_available_filters'):
        _moved('filter_scheduler', 'available_filters'),
    ('DEFAULT', 'scheduler_weight_classes'):
        _moved('filter_scheduler', 'weight_classes'),
    ('DEFAULT', 'scheduler_host_subset_size'):
        _moved('filter_scheduler', 'host_subset_size'),
    ('DEFAULT', 'scheduler_max_attempts'):
        _moved('scheduler', 'max_attempts'),
    ('DEFAULT', 'scheduler_tracks_instance_changes'):
        _moved('filter_scheduler', 'track_instance_changes'),
    ('DEFAULT', 'max_io_ops_per_host'):
        _moved('filter_scheduler', 'max_io_ops_per_host'),
    ('DEFAULT', 'max_instances_per_host'):
        _moved('filter_scheduler', 'max_instances_per_host'),
    ('DEFAULT', 'least_cost_functions'): Removed(
        'Havana (2013.2)', 'remove it: the weighers of [filter_scheduler] '
        'weight_classes rank the hosts'
    ),
    ('DEFAULT', 'scheduler_driver'): _DRIVER_WALLABY,
    ('DEFAULT', 'compute_scheduler_driver'):
        Removed('Havana (2013.2)', _DRIVER),
    ('scheduler', 'driver'): _DRIVER_WALLABY,
    ('scheduler', 'scheduler_driver'): _DRIVER_WALLABY,
    ('scheduler', 'periodic_task_interval'):
        Removed('Wallaby (23.0)', 'remove it'),
    ('DEFAULT', 'scheduler_driver_task_period'): _ROCKY,
    ('DEFAULT', 'scheduler_host_manager'): _ROCKY,
    ('scheduler', 'host_manager'): _ROCKY,
    ('DEFAULT', 'scheduler_use_baremetal_filters'): _ROCKY,
    ('filter_scheduler', 'use_baremetal_filters'): _ROCKY,
    ('filter_scheduler', 'baremetal_enabled_filters'): _ROCKY,
    ('DEFAULT', 'scheduler_json_config_location'):
        Removed('Newton (14.0)', 'remove it'),
    ('scheduler', 'query_placement_for_availability_zone'):
        Removed('2023.2 (28.0)', 'remove it: Nova always does that'),
}


def describe(removed: Removed) -> str:
    """Return why a name was removed or what to do besides, as a clause."""
    rest = removed.instead.removeprefix('remove it')
    if rest == removed.instead:
        return ''
    return rest.replace(', and ', '; ', 1) if rest[:1] == ',' else rest


def find_option(group: str, name: str) -> Removed | None:
    """Return what became of an option; also of one in the wrong group.

    Some guides moved the old names into the new groups.
    """
    removed = OPTIONS.get((group, name))
    if removed is None and name.startswith('scheduler_') and (
        group in ('scheduler', 'filter_scheduler')
    ):
        removed = OPTIONS.get(('DEFAULT', name))
    return removed


#: Variables that OpenStack-Ansible's os_nova removed with them.
ANSIBLE_VARIABLES = (
    'nova_scheduler_available_filters', 'nova_scheduler_weight_classes',
    'nova_scheduler_driver', 'nova_scheduler_driver_task_period',
    'nova_max_instances_per_host', 'nova_ram_weight_multiplier',
)

#: The variables of os_nova that choose filters and options.
ANSIBLE_SETTINGS = (
    'nova_nova_conf_overrides', 'nova_scheduler_default_filters',
    'nova_scheduler_extra_filters',
)

#: Other variables of os_nova, with names like theirs.
ANSIBLE_OTHERS = (
    'nova_rootwrap_conf_overrides', 'nova_policy_overrides',
    'nova_scheduler_init_overrides', 'nova_scheduler_host_subset_size',
    'nova_scheduler_max_attempts', 'nova_scheduler_workers',
    'nova_api_paste_ini_overrides', 'nova_vendor_data_overrides',
)
