"""The options of openstack server create, as the scheduler sees them."""

import argparse

import openstack
import testtools

from nova_ext.cmd import boot_request
from nova_ext.core.errors import NovaExtError
from tests.unit.cmd import fake_cloud

IMAGES = 'http://image.example'


class BootRequestTest(testtools.TestCase):
    """Flavor and image are the cloud's."""

    def setUp(self):
        """A cloud with two flavors of one name."""
        super().setUp()
        cloud = self.useFixture(fake_cloud.CloudFixture())
        flavor = {
            'ram': 512, 'vcpus': 2, 'disk': 3, 'swap': '', 'extra_specs':
            {'a:b': 'c'}, 'OS-FLV-EXT-DATA:ephemeral': 4,
        }
        cloud.get(f'{fake_cloud.COMPUTE}/flavors/detail', json={'flavors': [
            flavor | {'id': identity, 'name': name} for identity, name in
            (('1', 'small'), ('2', 'twice'), ('3', 'twice'), ('twice', 'x'))
        ]})
        cloud.get(f'{IMAGES}/v2/images', json={'images': [{
            'id': 'i', 'name': 'cirros', 'disk_format': 'raw', 'min_ram': 1,
            'min_disk': 2, 'hw_machine_type': 'q35', 'size': 5,
        }]})
        cloud.get(f'{IMAGES}/v2', json={'versions': [{
            'id': 'v2.9', 'status': 'CURRENT',
            'links': [{'rel': 'self', 'href': f'{IMAGES}/v2/'}],
        }]})
        self.cloud = openstack.connect(image_endpoint_override=f'{IMAGES}/v2')

    def read(self, *words):
        """The request that options make."""
        parser = argparse.ArgumentParser()
        boot_request.add(parser)
        return boot_request.read(parser.parse_args(words), self.cloud)

    def test_all_options(self):
        """What the scheduler does not see is taken, too."""
        made = self.read(
            '--flavor', 'small', '--image', 'cirros', '--nic', 'none',
            '--availability-zone', 'z:h', '--hint', 'a=1', '--hint', 'a=2',
            '--hint', 'b=c=d', '--max', '2', '--wait', 'name',
        )
        self.assertEqual(
            (2, 512, 3, 4, 0, 'small', '1', {'a:b': 'c'}), (
                made.flavor.vcpus, made.flavor.memory_mb,
                made.flavor.root_gb, made.flavor.ephemeral_gb,
                made.flavor.swap, made.flavor.name, made.flavor.flavorid,
                made.flavor.extra_specs,
            ),
        )
        self.assertEqual({
            'id': 'i', 'disk_format': 'raw', 'min_ram': 1, 'min_disk': 2,
            'properties': {'hw_machine_type': 'q35'},
        }, made.image)
        self.assertEqual({'a': ['1', '2'], 'b': ['c=d']}, made.hints)
        self.assertEqual(
            ('z:h', 2, 'demo', 'u'), (
                made.availability_zone, made.count, made.project_id,
                made.user_id,
            ),
        )

    def test_errors(self):
        """One line each; an id comes before a name."""
        for words, line in (
            (['--flavor', 'none'], 'there is no flavor none'),
            (['--flavor', '1', '--image', 'x'], 'there is no image x'),
            (['--flavor', '1', '--hint', 'x'], '--hint x: write NAME=VALUE'),
        ):
            error = self.assertRaises(NovaExtError, self.read, *words)
            self.assertEqual(line, str(error))
        made = self.read('--flavor', 'twice')
        self.assertEqual('x', made.flavor.name)
