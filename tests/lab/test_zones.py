"""Run three zones, each a lab of its own, and take an offer of one."""

import json
import time

import psutil
from openstack import config
from oslo_context.context import generate_request_id

from nova_ext.cli import boot
from nova_ext.lab.configuration import zone_config
from nova_ext.lab.services import servers
from nova_ext.lab.state import lab_state, paths
from tests.lab import base

NAMES = ('zones', 'zones-2', 'zones-3')
HOSTS = {'cmp-1', 'cmp-2'}
PATIENCE_S = 60


class ZonesTest(base.LabTestCase):
    """A parent, a child and a grandchild zone of two hosts each."""

    up = ('--name', NAMES[0], '--zones', '3', '--computes', '2')
    deadline_s = 600

    def setUp(self):
        """Start what another test has left stopped."""
        super().setUp()
        self.lab('up', '--name', NAMES[0])

    def zones(self, name):
        """Return what a zone lists of its child zones."""
        return json.loads(self.run_in_lab(
            'openstack', 'scheduler', 'zone', 'list', '-f', 'json', name=name
        ))

    def wait_for_child(self, active):
        """Wait until the first zone's child zone is active, or is not."""
        deadline = time.monotonic() + PATIENCE_S
        while [zone['Is Active'] for zone in self.zones(NAMES[0])] != [active]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.5)

    def as_parent(self):
        """Return a session of the account that the parent has in its child."""
        clouds = paths.find(NAMES[0]).path / zone_config.CLOUDS
        self.assertEqual(0o600, clouds.stat().st_mode & 0o777)
        return config.OpenStackConfig(
            config_files=[str(clouds)], load_envvars=False,
        ).get_one('child').get_session()

    def test_listed(self):
        """Each lists its child, with what that child and its own can do."""
        listed = [self.zones(name) for name in NAMES]
        urls = [
            lab_state.load(paths.find(name)).url('nova', '/scheduler')
            for name in NAMES
        ]
        self.assertEqual([
            [{'ID': 1, 'Name': 'child', 'Is Active': True,
              'Capabilities': {
                  'hypervisor': {'values': ['kvm', 'xen']},
                  'os': {'values': ['linux', 'windows']},
              },
              'API URL': urls[1]}],
            [{'ID': 1, 'Name': 'grandchild', 'Is Active': True,
              'Capabilities': {
                  'hypervisor': {'values': ['xen']},
                  'os': {'values': ['linux']},
              },
              'API URL': urls[2]}],
            [],
        ], listed)

    def test_offer(self):
        """The parent's account gets an offer of the child, and takes it."""
        session = self.as_parent()
        child = self.cloud(NAMES[1])
        image = servers.find_image(child, 'cirros')['id']
        flavor = boot.convert_flavor(
            child.get('compute', '/flavors/1')['flavor']
        )
        del flavor['flavorid']
        ids = [generate_request_id()]
        url, = (zone['API URL'] for zone in self.zones(NAMES[0]))
        uuid = self.cloud(NAMES[0]).get(
            'scheduler', '/v1/zones/info'
        )['zone']['uuid']
        answer = session.post(f'{url}/v1/zones/offers', json={
            'path': [uuid], 'request_ids': ids, 'deadline_s': 60, 'build': {
                'flavor': flavor,
                'image': {'name': 'cirros'}, 'networks': 'none',
            },
        }).json()
        offered, = answer['offers']
        self.assertEqual(ids, [offered['request_id']])
        server = session.post('/servers', json={
            'server': {
                'name': 'offered', 'flavorRef': '1', 'imageRef': image,
                'networks': 'none',
            },
            'os:scheduler_hints': {'nova_ext_offer': offered['offer']},
        }, headers={'X-OpenStack-Request-ID': ids[0]}, microversion='2.100',
            endpoint_filter={'service_type': 'compute'},
        ).json()['server']['id']
        found = servers.wait_until_built(child, server)
        self.assertEqual('ACTIVE', found['status'], found)
        self.assertIn(found['OS-EXT-SRV-ATTR:host'], HOSTS)
        self.assertEqual(session.get_project_id(), found['tenant_id'])

    def test_account(self):
        """It is no administrator there, and unknown to the other zones."""
        session = self.as_parent()
        self.assertEqual(403, session.get(
            '/os-services', endpoint_filter={'service_type': 'compute'},
            raise_exc=False,
        ).status_code)
        for name, count in zip(NAMES, (0, 1, 1), strict=True):
            found = self.cloud(name).get(
                'identity', f'/users?name={zone_config.ACCOUNT}'
            )['users']
            self.assertEqual(count, len(found), name)

    def test_one_zone_stops(self):
        """Its parent sees it, and sees it again when it is back."""
        before = self.zones(NAMES[1])
        self.lab('down', '--name', NAMES[1])
        self.wait_for_child(active=False)
        self.lab('up', '--name', NAMES[1])
        self.wait_for_child(active=True)
        self.assertEqual(before, self.zones(NAMES[1]))

    def test_down(self):
        """No process is left, and nobody listens on a port."""
        ports = {
            port for name in NAMES
            for port in lab_state.load(paths.find(name)).ports.values()
        }
        self.lab('down', '--name', NAMES[0])
        for name in NAMES:
            self.assertEqual([], self.processes(name))
        self.assertEqual(set(), ports & {
            connection.laddr.port
            for connection in psutil.net_connections('tcp')
            if connection.status == psutil.CONN_LISTEN
        })
        self.assertIn(NAMES[0], self.lab(
            'delete', '--name', NAMES[1], status=1
        ))
