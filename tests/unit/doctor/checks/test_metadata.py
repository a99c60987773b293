"""Test the check of the metadata of flavors, images and aggregates."""

import pathlib

import fixtures

from nova_ext.doctor import configuration
from nova_ext.doctor.checks import metadata
from tests.unit.doctor import fake_cloud

#: All filters that read metadata.
ALL = (
    'ComputeFilter, ComputeCapabilitiesFilter, ImagePropertiesFilter, '
    'AggregateInstanceExtraSpecsFilter, AggregateMultiTenancyIsolation, '
    'AggregateTypeAffinityFilter, AggregateIoOpsFilter, '
    'AggregateNumInstancesFilter, AggregateImagePropertiesIsolation, '
    'NUMATopologyFilter, PciPassthroughFilter'
)
TRAITS = '[scheduler]\nenable_isolated_aggregate_filtering = true\n'


class MetadataTest(fake_cloud.CheckTestCase):
    """Compare keys with the configured filters."""

    module = metadata

    def examine(self, filters, more=''):
        """Run the check with some filters enabled."""
        folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        path = folder / 'nova.conf'
        path.write_text(
            f'[filter_scheduler]\nenabled_filters = {filters}\n{more}'
        )
        return self.look(configuration.Configuration([path]))

    def add_flavor(self, name, **specs):
        """Create a flavor, with : for two underscores in its specs."""
        self.cloud.flavors.append({
            'id': name, 'name': name, 'extra_specs': {
                key.replace('__', ':'): value for key, value in specs.items()
            },
        })

    def add_aggregate(self, name, **items):
        """Create an aggregate, with : for two underscores in its keys."""
        self.cloud.aggregates.append({
            'uuid': f'uuid-{name}', 'name': name, 'hosts': [], 'metadata': {
                key.replace('__', ':'): value for key, value in items.items()
            },
        })

    def fill(self):
        """Create one object with each kind of key."""
        self.add_flavor(
            'm1.ssd', aggregate_instance_extra_specs__ssd='true', disk='ssd',
        )
        self.add_flavor(
            'm1.nfv', hw__cpu_policy='dedicated', hw__mem_page_size='large',
            pci_passthrough__alias='gpu:1',
        )
        self.add_aggregate(
            'racks', instance_type='m1.ssd', max_io_ops_per_host='3',
            max_instances_per_host='9', os_distro='debian',
        )
        self.add_aggregate(
            'secret', filter_tenant_id_1='p1', trait__CUSTOM_A='required',
        )
        self.cloud.images.append({
            'id': '1', 'name': 'nfv', 'hw_numa_nodes': '2',
            'hypervisor_type': 'qemu',
        })

    def test_all_read(self):
        """Find nothing where each key has its reader, and read no image."""
        self.fill()
        self.assert_found(self.examine(ALL, TRAITS))
        self.assertEqual([], self.unchecked)
        self.assertNotIn('image', [one[0] for one in self.cloud.asked])

    def test_harmless(self):
        """Find nothing in keys that others than filters read."""
        self.add_flavor(
            'm1.plain', hw__cpu_policy='shared', quota__vif_outbound='9',
            trait__CUSTOM_A='required', resources__VGPU='1',
            group_policy='none', hypervisor_type='QEMU', stats__load='< 8',
        )
        self.add_aggregate(
            'az', availability_zone='a', cpu_weight_multiplier='2', rack='7',
            trait__CUSTOM_A='forbidden',
        )
        self.cloud.images.append({'id': '1', 'name': 'i', 'hw_disk_bus': 'x'})
        self.assert_found(self.examine(
            'ComputeFilter,ComputeCapabilitiesFilter'
        ))

    def test_unread(self):
        """Name each key, what it belongs to, and its filter."""
        self.fill()
        self.add_aggregate('old', cpu_allocation_ratio='4.0')
        found = self.examine('ComputeFilter')
        self.assert_found(
            found, isolation_missing='filter_tenant_id_1 has no effect',
            metadata_unread='8 keys without effect',
            fit_unchecked='4 keys that the scheduler',
        )
        where = found['metadata-unread'].where
        for text in (
            'aggregate_instance_extra_specs:ssd has no effect: '
            'AggregateInstanceExtraSpecsFilter is not enabled (flavor m1.ssd)',
            'disk has no effect: neither AggregateInstanceExtraSpecsFilter '
            'nor ComputeCapabilitiesFilter is enabled',
            'AggregateTypeAffinityFilter is not enabled (aggregate racks)',
            'max_io_ops_per_host has no effect: AggregateIoOpsFilter',
            'max_instances_per_host has no effect: '
            'AggregateNumInstancesFilter',
            'os_distro has no effect: AggregateImagePropertiesIsolation',
            'cpu_allocation_ratio has no effect: since Victoria',
            'hypervisor_type has no effect: ImagePropertiesFilter is not '
            'enabled (image nfv (1))',
        ):
            self.assertIn(text, where)
        self.assertIn(
            'trait:CUSTOM_A has no effect: [scheduler] '
            'enable_isolated_aggregate_filtering is off',
            found['isolation-missing'].where,
        )
        where = found['fit-unchecked'].where
        self.assertIn('hw:cpu_policy: the scheduler does not look', where)
        self.assertIn('PciPassthroughFilter is not enabled', where)

    def test_tenants(self):
        """Say what the options of placement's aggregates leave open."""
        self.add_aggregate('secret', filter_tenant_id='p1')
        limit = '[scheduler]\nlimit_tenants_to_placement_aggregate = true\n'
        found = self.examine('ComputeFilter', limit)
        self.assert_found(
            found, isolation_missing='no other project off them'
        )
        self.assert_found(self.examine(
            'ComputeFilter',
            f'{limit}placement_aggregate_required_for_tenants = true\n',
        ))

    def test_filter_of_another_package(self):
        """Say of Nova's filters alone that they do not read a key."""
        self.add_flavor('m1.ssd', aggregate_instance_extra_specs__ssd='true')
        self.add_flavor('m1.nfv', hw__numa_nodes='2')
        found = self.examine('ComputeFilter,RackFilter')
        self.assert_found(
            found, metadata_unread='ssd is read by none of Nova\'s filters',
            fit_unchecked='none of Nova\'s filters looks whether it fits',
        )

    def test_pci_in_placement(self):
        """Placement looks whether an alias fits, if it is asked to."""
        self.add_flavor('m1.gpu', pci_passthrough__alias='gpu:1')
        self.assert_found(
            self.examine('ComputeFilter', 'pci_in_placement = true\n')
        )

    def test_default_filters(self):
        """Take Nova's default without a file, and say so."""
        self.add_flavor('m1.ssd', ssd='true')
        self.assert_found(
            self.look(), metadata_unread='ComputeCapabilitiesFilter ignores '
            'what no host reports',
        )
        self.assertIn('Nova\'s default', self.unchecked[0].what)

    def test_many_images(self):
        """Read all pages, and name a few of many."""
        self.cloud.page = 3
        self.cloud.images += [
            {'id': str(number), 'name': 'i', 'hw_numa_nodes': '2'}
            for number in range(8)
        ]
        found = self.examine('ComputeFilter,ImagePropertiesFilter')
        self.assert_found(found, fit_unchecked='and 3 more')

    def test_no_glance(self):
        """Check the rest without it."""
        self.add_flavor('m1.ssd', aggregate_instance_extra_specs__ssd='true')
        self.cloud.images = None
        self.assert_found(
            self.examine('ComputeFilter'), metadata_unread='1 key without'
        )
        self.assertEqual(
            ['the properties of images'], [one.what for one in self.unchecked]
        )
