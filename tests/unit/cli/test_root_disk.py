"""Read volumes of a mocked Cinder through openstacksdk.

Cinder stands mocked: a lab has none.
"""

import argparse
import json

import openstack
import testtools
from openstack import exceptions

from nova_ext.cli import boot, root_disk, server_create
from tests.unit.cmd.fake_cloud import CloudFixture
from tests.unit.osc.base import Cloud

ROOT = 'http://volumes.example/v3'
VOLUME = {
    'id': 'v-1', 'name': 'root', 'size': 3, 'volume_image_metadata': {
        'image_id': 'i-1', 'image_name': 'cirros', 'size': '512',
        'checksum': 'c', 'container_format': 'bare', 'disk_format': 'raw',
        'min_ram': '64', 'min_disk': '1', 'hw_cpu_policy': 'dedicated',
        'signature_verified': 'False',
    },
}
SNAPSHOT = {'id': 's-1', 'name': 'nightly', 'volume_id': 'v-1'}


class VolumeImageTest(testtools.TestCase):
    """Read the image of a volume, and of a snapshot of it."""

    def setUp(self):
        """Answer as Cinder."""
        super().setUp()
        self.cloud = self.useFixture(
            CloudFixture(volumev3=f'{ROOT}/demo')
        )
        self.cloud.get(f'{ROOT}/demo/', status_code=404)
        self.cloud.get(f'{ROOT}/', json={'versions': [{
            'id': 'v3.0', 'status': 'CURRENT', 'version': '3.71',
            'min_version': '3.0',
            'links': [{'rel': 'self', 'href': f'{ROOT}/'}],
        }]})
        self.holds('volumes', VOLUME)
        self.holds('snapshots', SNAPSHOT)

    def holds(self, kind, one):
        """Answer with the one volume or snapshot that there is."""
        def listed(request, context):
            names = request.qs.get('name', [one['name']])
            return json.dumps({kind: [one] * (names == [one['name']])})

        self.cloud.get(f'{ROOT}/demo/{kind}/detail', text=listed)
        self.cloud.get(f'{ROOT}/demo/{kind}', text=listed)
        for name in (one['name'], 'none'):
            self.cloud.get(
                f'{ROOT}/demo/{kind}/{name}', status_code=404,
                json={'itemNotFound': {'code': 404, 'message': 'no'}},
            )
        self.cloud.get(
            f'{ROOT}/demo/{kind}/{one["id"]}', json={kind[:-1]: one}
        )

    def of(self, kind, name):
        """Read as the user whom the environment names."""
        volumes = openstack.connect().block_storage
        return root_disk.read_volume_image(volumes, kind, name)

    def test_found(self):
        """Find both by ID and by name; convert numbers as Nova does."""
        made = {
            'status': 'active', 'size': 3 * 1024 ** 3, 'min_ram': 64,
            'min_disk': 1, 'properties': {
                'hw_cpu_policy': 'dedicated', 'signature_verified': 'False',
            },
        }
        for kind, names in (
            ('volume', ('v-1', 'root')), ('snapshot', ('s-1', 'nightly')),
        ):
            for name in names:
                self.assertEqual(made, self.of(kind, name), name)

    def test_asked_for(self):
        """Read it for a request, not where that names an image."""
        connection = openstack.connect()
        cloud = Cloud()
        cloud.has_service = connection.has_service
        cloud.block_storage = connection.block_storage
        parser = argparse.ArgumentParser()
        server_create.add_options(parser)
        for words, policy in (
            (('--volume', 'root'), 'dedicated'),
            (('--image', 'i', '--block-device',
              'uuid=v-1,source_type=volume,boot_index=0'), 'shared'),
        ):
            request, notes = boot.build_request(
                cloud, parser.parse_args(['--flavor', 'big', *words])
            )
            self.assertEqual(
                policy, request['image']['properties']['hw_cpu_policy']
            )
            self.assertEqual([], notes)

    def test_of_no_image(self):
        """Request nothing for a volume without an image."""
        self.holds('volumes', {'id': 'v-1', 'name': 'blank', 'size': 1})
        self.assertEqual({
            'status': 'active', 'size': 1024 ** 3, 'min_ram': 0,
            'min_disk': 0, 'properties': {},
        }, self.of('volume', 'v-1'))

    def test_not_there(self):
        """Raise what server create would raise."""
        for kind in ('volume', 'snapshot'):
            self.assertIn('none', str(self.assertRaises(
                exceptions.NotFoundException, self.of, kind, 'none'
            )))
