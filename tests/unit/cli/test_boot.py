"""Build requests from the options of server create."""

import argparse
import json

import testtools

from nova_ext.cli import boot, server_create
from nova_ext.core.base.errors import NovaExtError
from tests.unit.osc.base import IMAGE, Answer, Cloud, Reticent


class BootTestCase(testtools.TestCase):
    """Build requests from a command line."""

    def setUp(self):
        """Have a cloud of one flavor and one image."""
        super().setUp()
        self.cloud = Cloud()

    def request(self, *words):
        """Return the request of a command line, and the notes."""
        parser = argparse.ArgumentParser()
        server_create.add_options(parser)
        return boot.build_request(
            self.cloud, parser.parse_args(('--flavor', 'big', *words))
        )

    def refusal(self, *words):
        """Return the line that refuses a command line."""
        return str(self.assertRaises(NovaExtError, self.request, *words))


class Snapshots(Cloud):
    """Represent a cloud whose image has block devices.

    :param disks: what its property holds.
    """

    def __init__(self, disks):
        self.disks = disks

    def get(self, path, **kwargs):
        """Show the image with the property."""
        if not path.startswith('/images'):
            return super().get(path, **kwargs)
        return Answer(text=json.dumps({
            **IMAGE, 'bdm_v2': 'True', 'block_device_mapping': self.disks
        }))


class RootDiskTest(BootTestCase):
    """Find the root disk."""

    def test_options(self):
        """Tell a volume from a local disk, and find its image."""
        made = {'hw_cpu_policy': 'shared'}
        image = 'uuid=i-1,source_type=image,boot_index=0'
        for words, is_volume, properties in (
            ((), False, None), (('--image', 'i'), False, made),
            (('--image-property', 'hw_cpu_policy=shared'), False, made),
            (('--image', 'i', '--boot-from-volume', '9'), True, made),
            (('--volume', 'v'), True, None),
            (('--snapshot', 's'), True, None),
            (('--block-device', image), True, made),
            (('--block-device', f'{image},destination_type=volume'), True,
             made),
            (('--block-device', f'{image},destination_type=local'), False,
             made),
            (('--block-device', 'uuid=v,source_type=volume,boot_index=0'),
             True, None),
            (('--block-device', 'source_type=blank,boot_index=0'), False,
             None),
            (('--block-device', 'uuid=v,source_type=volume', '--block-device',
              'uuid=v,source_type=volume,boot_index=1'), False, None),
            (('--image', 'i', '--block-device',
              'uuid=v,source_type=volume,boot_index=1'), False, made),
            (('--image', 'i', '--block-device',
              'uuid=v,source_type=volume,boot_index=0'), False, made),
            (('--image-property', 'hw_cpu_policy=shared', '--block-device',
              'uuid=v,source_type=volume,boot_index=0'), False, made),
        ):
            asked, _ = self.request(*words)
            self.assertEqual(
                (is_volume, properties),
                (asked.get('boot_from_volume', False),
                 asked.get('image', {}).get('properties')), words,
            )

    def test_made_of_a_volume(self):
        """Boot from the volume that an image has as root disk."""
        disk = {'boot_index': 0, 'source_type': 'snapshot',
                'destination_type': 'volume', 'snapshot_id': 's'}
        for disks, is_volume in (
            (json.dumps([{**disk, 'boot_index': 1}, disk]), True),
            (json.dumps([{**disk, 'boot_index': 1}]), False),
            (json.dumps([{**disk, 'destination_type': 'local'}]), False),
            ('[', False), ('{}', False), ('[1]', False),
        ):
            self.cloud = Snapshots(disks)
            asked, _ = self.request('--image', 'i')
            self.assertEqual(
                is_volume, asked.get('boot_from_volume', False), disks
            )
            self.assertEqual(
                {'hw_cpu_policy': 'shared', 'bdm_v2': 'True'},
                asked['image']['properties'],
            )

    def test_refused(self):
        """Refuse in the words of server create."""
        self.assertEqual(
            'The boot_index key of --block-device should be an integer',
            self.refusal('--block-device', 'uuid=v,boot_index=x'),
        )


class VolumeTest(BootTestCase):
    """Name volumes in a cloud without Cinder; see test_root_disk."""

    def test_not_looked_up(self):
        """Note the name that was not looked up."""
        disk = 'uuid=v-1,boot_index=0,source_type='
        for words, said in (
            (('--volume', 'v'), 'volume v'),
            (('--snapshot', 's'), 'snapshot s'),
            (('--block-device', f'{disk}volume'), 'volume v-1'),
            (('--block-device', f'{disk}snapshot'), 'snapshot v-1'),
        ):
            _, notes = self.request(*words)
            self.assertEqual([
                f'{said} was not looked up, as the cloud has no block '
                f'storage: what its image requests was left out'
            ], notes)

    def test_none_is_booted_from(self):
        """Pass over a volume that is not the root disk."""
        for words in (
            ('--block-device', 'uuid=v,boot_index=1,source_type=volume'),
            ('--image', 'i', '--block-device',
             'uuid=v,boot_index=0,source_type=volume'),
            ('--image', 'i', '--boot-from-volume', '9'), (),
        ):
            _, notes = self.request(*words)
            self.assertEqual([], notes, words)


class FlavorTest(BootTestCase):
    """Read a flavor."""

    def test_extra_specs(self):
        """Note where the cloud does not show them."""
        asked, notes = self.request()
        self.assertEqual({'trait:FAST': 'required'}, (
            asked['flavor']['extra_specs']
        ))
        self.assertEqual([], notes)
        self.cloud = Reticent()
        asked, (note,) = self.request()
        self.assertEqual({}, asked['flavor']['extra_specs'])
        self.assertIn('extra specs of flavor big could not be read', note)


class NetworkTest(BootTestCase):
    """Name networks."""

    def test_not_looked_at(self):
        """Note that ports were not looked up."""
        for words, said in (
            ((), 0), (('--nic', 'none'), 0), (('--nic', 'auto'), 0),
            (('--network', 'none'), 0), (('--no-network',), 0),
            (('--port', 'p'), 1), (('--network', 'n'), 1),
            (('--nic', 'net-id=n', '--nic', 'port-id=p'), 1),
        ):
            _, notes = self.request(*words)
            self.assertEqual(said, len(notes), words)


class NumberTest(BootTestCase):
    """Check the number of servers."""

    def test_refused(self):
        """Refuse in the words of server create."""
        most = 'min instances should be <= max instances'
        for words, said in (
            (('--min', '5'), most), (('--max', '0'), most),
            (('--min', '5', '--max', '4'), most),
            (('--min', '0'), 'min instances should be > 0'),
        ):
            self.assertEqual(said, self.refusal(*words))
        self.request('--min', '5', '--max', '5')
