"""Compare what is known of metadata's readers with Nova."""

import pathlib
import re

import testtools
from nova import objects
from nova.api.validation.extra_specs import null
from nova.conf import CONF
from nova.objects import image_meta
from nova.scheduler import host_manager, request_filter
from nova.virt import hardware

from nova_ext import filters
from nova_ext.nova_releases import metadata_readers, plugins_and_options
from nova_ext.nova_releases.metadata_readers import MetadataReaders


class AgainstNovaTest(testtools.TestCase):
    """Names that Nova has, too."""

    def test_filters(self):
        """Name filters that Nova has."""
        for name in (
            metadata_readers.NUMA, metadata_readers.PCI,
            metadata_readers.EXTRA_SPECS, metadata_readers.TENANCY,
            metadata_readers.CAPABILITIES, metadata_readers.IMAGE,
            *metadata_readers._AGGREGATES.values(),
        ):
            self.assertIn(name, plugins_and_options.FILTERS)

    def test_others(self):
        """Know each filter of nova-ext, and no other that is installed."""
        ours = {
            path.stem for path in
            pathlib.Path(filters.__file__).parent.glob('[a-z]*.py')
        }
        self.assertEqual(len(ours), len(metadata_readers._OURS))
        self.assertFalse(MetadataReaders(metadata_readers._OURS).others)
        self.assertTrue(MetadataReaders(['RackFilter']).others)

    def test_options(self):
        """Name options that Nova has."""
        for name in metadata_readers.OPTIONS:
            self.assertIn(name, CONF.scheduler)
        self.assertIn(
            metadata_readers.PCI_IN_PLACEMENT, CONF.filter_scheduler
        )
        self.assertEqual(
            request_filter.TENANT_METADATA_KEY, metadata_readers.TENANT_KEY
        )

    def test_host_states(self):
        """Know each attribute of a host state that may be compared."""
        state = host_manager.HostState('host', 'node', 'cell')
        plain = {
            name for name, value in vars(state).items()
            if not name.startswith('_') and not isinstance(value, dict | list)
        } - {'cell_uuid', 'metrics', 'numa_topology', 'pci_stats', 'updated'}
        self.assertEqual(plain, set(metadata_readers.REPORTED))

    def test_unscoped(self):
        """Know the extra specs without a scope that Nova itself reads."""
        self.assertEqual(
            {validator.name for validator in null.register()},
            set(metadata_readers._UNSCOPED),
        )

    def test_image_properties(self):
        """Name properties of images that Nova has, by old names or new."""
        known = image_meta.ImageMetaProps
        for name in metadata_readers._IMAGE:
            self.assertIn(
                known._legacy_property_map.get(name, name), known.fields
            )

    def test_topology(self):
        """Take for a topology what Nova makes one of."""
        objects.register_all()
        for key, value, asks in (
            ('hw:numa_nodes', '2', True), ('hw:mem_page_size', 'large', True),
            ('hw:cpu_policy', 'dedicated', True),
            ('hw:cpu_policy', 'shared', False), ('hw:cpu_cores', '2', False),
        ):
            flavor = objects.Flavor(
                vcpus=2, memory_mb=512, extra_specs={key: value}
            )
            image = image_meta.ImageMeta.from_dict({})
            topology = hardware.numa_get_constraints(flavor, image)
            self.assertEqual(asks, topology is not None, key)
            self.assertEqual(asks, bool(list(
                MetadataReaders(()).check_flavor({key: value})
            )), key)

    def test_sentences(self):
        """Begin each sentence with its key."""
        readers = MetadataReaders(['RackFilter'])
        specs = {
            'aggregate_instance_extra_specs:a': '1', 'b': '1',
            'capabilities:c': '1', 'hw:numa_nodes': '1',
            'pci_passthrough:alias': 'x:1', 'hw:maxphysaddr_bits': '46',
        }
        found = list(readers.check_flavor(specs))
        self.assertEqual(len(specs), len(found))
        for unread in found:
            self.assertTrue(unread.text.startswith(unread.key))
            self.assertTrue(re.search('none of Nova\'s filters', unread.text))
