"""Know which filter or option reads metadata of flavors, images, aggregates.

What nothing reads has no effect: a server boots as if it were not there.
"""

import enum
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata as packages

from nova_ext.nova_releases import plugins_and_options

NUMA, PCI = 'NUMATopologyFilter', 'PciPassthroughFilter'
EXTRA_SPECS = 'AggregateInstanceExtraSpecsFilter'
TENANCY = 'AggregateMultiTenancyIsolation'
CAPABILITIES = 'ComputeCapabilitiesFilter'
IMAGE = 'ImagePropertiesFilter'

#: Options of [scheduler], and of [filter_scheduler], that read metadata.
ISOLATED_TRAITS = 'enable_isolated_aggregate_filtering'
TENANTS = 'limit_tenants_to_placement_aggregate'
TENANTS_REQUIRED = 'placement_aggregate_required_for_tenants'
ARCHITECTURE = 'image_metadata_prefilter'
PCI_IN_PLACEMENT = 'pci_in_placement'
OPTIONS = (ISOLATED_TRAITS, TENANTS, TENANTS_REQUIRED, ARCHITECTURE)

#: Begins the key of an aggregate that is for some projects.
TENANT_KEY = 'filter_tenant_id'

#: Extra specs without a scope that others than filters read.
_UNSCOPED = ('hide_hypervisor_id', 'group_policy')
#: Attributes of a host state that an extra spec may name.
REPORTED = (
    'cpu_allocation_ratio', 'cpu_info', 'disk_allocation_ratio',
    'disk_mb_used', 'failed_builds', 'free_disk_mb', 'free_ram_mb', 'host',
    'host_ip', 'hypervisor_hostname', 'hypervisor_type', 'hypervisor_version',
    'nodename', 'num_instances', 'num_io_ops', 'ram_allocation_ratio',
    'supported_instances', 'total_usable_disk_gb', 'total_usable_ram_mb',
    'uuid', 'vcpus_total', 'vcpus_used',
)
#: What asks for a NUMA topology, as a flavor and as an image have it. The
#: CPU policy does so unless it is shared.
_TOPOLOGY = re.compile(r'hw[:_](cpu_policy|numa_nodes|mem_page_size)')
_RATIO = re.compile('(cpu|ram|disk)_allocation_ratio')
#: Properties of images by their names in Glance, old ones included.
_IMAGE = (
    'hw_architecture', 'architecture', 'img_hv_type', 'hypervisor_type',
    'hw_vm_mode', 'vm_mode', 'img_hv_requested_version',
    'hypervisor_version_requires', 'hw_maxphysaddr_bits',
)
_AGGREGATES = {
    'instance_type': 'AggregateTypeAffinityFilter',
    'max_io_ops_per_host': 'AggregateIoOpsFilter',
    'max_instances_per_host': 'AggregateNumInstancesFilter',
}
#: Filters of nova-ext; what they read is none of this.
_OURS = frozenset(
    point.name for point in packages.entry_points(group='nova_ext.filters')
    if point.value.startswith('nova_ext.filters.')
)


class UnreadKind(enum.Enum):
    """Name what comes of a key that no filter reads."""

    #: Nothing: it is as if it were not there.
    UNREAD = enum.auto()
    #: nova-compute reads it, and may refuse the server.
    UNCHECKED = enum.auto()
    #: Hosts that it is meant to reserve are open to all.
    NO_ISOLATION = enum.auto()


@dataclass(frozen=True)
class Unread:
    """Represent a key that no enabled filter reads.

    :param text: a sentence, which begins with the key or names it.
    """

    key: str
    kind: UnreadKind
    text: str


@dataclass(frozen=True)
class MetadataReaders:
    """Hold what may read metadata.

    :param filters: names of the enabled filters.
    :param options: names of OPTIONS and PCI_IN_PLACEMENT that are on.
    """

    filters: Collection[str]
    options: Collection[str] = ()

    @property
    def others(self) -> bool:
        """Say whether a filter of another package may read anything."""
        return any(
            name not in plugins_and_options.FILTERS and name not in _OURS
            for name in self.filters
        )

    @property
    def reads_images(self) -> bool:
        """Say whether all properties of images are read."""
        return {IMAGE, NUMA} <= set(self.filters)

    def check_flavor(
        self, specs: Mapping[str, str], reported: Collection[str] = ()
    ) -> Iterator[Unread]:
        """Generate the extra specs that nothing reads.

        :param reported: keys that host states have.
        """
        for key, value in specs.items():
            scope, colon, _ = key.partition(':')
            if scope == 'aggregate_instance_extra_specs':
                yield from self._need(key, EXTRA_SPECS)
            elif scope == 'capabilities' or key == 'hw:maxphysaddr_bits':
                yield from self._need(key, CAPABILITIES)
            elif key == 'pci_passthrough:alias':
                if PCI_IN_PLACEMENT not in self.options:
                    yield from self._need_check(key, PCI)
            elif _TOPOLOGY.fullmatch(key):
                yield from self._check_topology(key, value)
            elif not colon and key not in _UNSCOPED:
                yield from self._check_unscoped(key, reported)

    def check_image(self, properties: Mapping[str, str]) -> Iterator[Unread]:
        """Generate the properties that nothing reads."""
        for key, value in properties.items():
            if key in _IMAGE and not (
                key == 'hw_architecture' and ARCHITECTURE in self.options
            ):
                yield from self._need(key, IMAGE)
            elif _TOPOLOGY.fullmatch(key):
                yield from self._check_topology(key, value)

    def check_aggregate(self, metadata: Mapping[str, str]) -> Iterator[Unread]:
        """Generate the metadata that nothing reads."""
        for key, value in metadata.items():
            if key.startswith(TENANT_KEY):
                yield from self._check_tenancy(key)
            elif key.startswith('trait:'):
                if value == 'required' and ISOLATED_TRAITS not in self.options:
                    yield self._describe(
                        key, f'[scheduler] {ISOLATED_TRAITS} is off',
                        UnreadKind.NO_ISOLATION,
                    )
            elif key in _AGGREGATES:
                yield from self._need(key, _AGGREGATES[key])
            elif _RATIO.fullmatch(key):
                yield self._describe(
                    key, 'since Victoria (22.0) the ratio of the hosts counts'
                )
            elif key.startswith(('hw_', 'img_', 'os_')) and (
                EXTRA_SPECS not in self.filters
            ):
                # A flavor may name it, too.
                yield from self._need(key, 'AggregateImagePropertiesIsolation')

    def _check_topology(self, key: str, value: str) -> Iterator[Unread]:
        if value != 'shared':
            yield from self._need_check(key, NUMA)

    def _check_unscoped(
        self, key: str, reported: Collection[str]
    ) -> Iterator[Unread]:
        if EXTRA_SPECS in self.filters:
            return
        if CAPABILITIES not in self.filters:
            why = f'neither {EXTRA_SPECS} nor {CAPABILITIES} is enabled'
        elif key in reported:
            return
        else:
            why = (
                f'{EXTRA_SPECS} is not enabled, and {CAPABILITIES} ignores '
                f'what no host reports'
            )
        yield self._describe(key, why)

    def _check_tenancy(self, key: str) -> Iterator[Unread]:
        if TENANCY in self.filters:
            return
        if TENANTS not in self.options:
            yield self._describe(
                key, f'{TENANCY} is not enabled, so any project may use the '
                f'hosts', UnreadKind.NO_ISOLATION,
            )
        elif TENANTS_REQUIRED not in self.options:
            yield Unread(
                key, UnreadKind.NO_ISOLATION,
                f'{key} keeps its project on these hosts, and no other '
                f'project off them: {TENANCY} is not enabled, and '
                f'[scheduler] {TENANTS_REQUIRED} is off',
            )

    def _need(self, key: str, name: str) -> Iterator[Unread]:
        if name not in self.filters:
            yield self._describe(key, f'{name} is not enabled')

    def _need_check(self, key: str, name: str) -> Iterator[Unread]:
        if name not in self.filters:
            who = (
                'none of Nova\'s filters looks' if self.others
                else 'the scheduler does not look'
            )
            yield Unread(
                key, UnreadKind.UNCHECKED, f'{key}: {who} whether it fits, '
                f'nova-compute may refuse it: {name} is not enabled',
            )

    def _describe(
        self, key: str, why: str, kind: UnreadKind = UnreadKind.UNREAD
    ) -> Unread:
        """Say no more than is known where a filter of others may read it."""
        return Unread(key, kind, (
            f'{key} is read by none of Nova\'s filters: {why}' if self.others
            else f'{key} has no effect: {why}'
        ))
