"""api.yml, with hosts that are folders, a real MariaDB and a real API."""

import contextlib
import os
import threading
import time

import sqlalchemy as sa
import yaml
from sqlalchemy import orm

from nova_ext.zones import registry
from tests.playbooks import services
from tests.playbooks.services import FOR_DATABASE, FOR_KEYSTONE, HOSTS

FOR_CHILD = 'battery: "staple'
ZONE_SERVICES = ('nova-ext-zone-poller', 'nova-ext-builder')


class ApiTest(services.ServicesTestCase):
    """Run two APIs, a shipper, an exporter and an agent."""

    @contextlib.contextmanager
    def watch(self):
        """Ask both hosts all the while, and collect the pairs of statuses."""
        stop, pairs = threading.Event(), []

        def ask():
            while not stop.is_set():
                pair = tuple(self.ask(name) for name in HOSTS)
                if pairs[-1:] != [pair]:
                    pairs.append(pair)
                time.sleep(0.02)

        thread = threading.Thread(target=ask)
        thread.start()
        try:
            yield pairs
        finally:
            stop.set()
            thread.join()

    def add_zone(self):
        """Register a child zone, whose Keystone nobody is at."""
        with orm.Session(sa.create_engine(self.server.url)) as session:
            registry.create_zone(session, {
                'name': 'zone1', 'url': 'https://127.0.0.1:9', 'cloud': 'east',
                'weight_scale': 1, 'weight_offset': 0, 'is_disabled': False,
            })
            session.commit()

    def assert_gone(self, host, service):
        """Check that a service was stopped, and left nothing."""
        left = [
            path for path in (
                f'{service}.pid', f'systemd/{service}.service',
                f'etc/nova-ext/{service}.conf', f'opt/{service}',
                f'state/{service}.started',
            ) if (self.site / host / path).exists()
        ]
        self.assertEqual([], left)

    def test_api(self):
        """Database, schema, APIs, shipper and agent; then a rolling change."""
        done = self.play('api', '-vvv', '--diff', '--skip-tags', 'identity')
        self.assertEqual([200, 200], [self.ask(name) for name in HOSTS])
        self.assertEqual(
            [('Upgrade it', 'api1')],
            [one for one in done.changed if one[0] == 'Upgrade it'],
        )
        for password in (FOR_DATABASE, 'o%27ne', FOR_KEYSTONE,
                         FOR_KEYSTONE.replace('$', '$$')):
            self.assertNotIn(password, done.output)
        file = self.site / 'api2/etc/nova-ext/nova-ext-api.conf'
        self.assertEqual(0o640, file.stat().st_mode & 0o777)
        self.assertIn('password = correct$$horse\n', file.read_text())
        shipper = int((self.site / 'one/nova-ext-shipper.pid').read_text())
        os.kill(shipper, 0)
        self.assertEqual('', self.read('one', 'nova-ext-shipper.log'))
        agent = int((self.site / 'one/nova-ext-agent.pid').read_text())
        # It has no message bus here, and tries again.
        self.wait_for_text('one', 'nova-ext-agent.log', 'are pushed')
        os.kill(agent, 0)
        self.wait_for_text('one', 'nova-ext-exporter.log', '/metrics\n')
        self.assertRegex(
            self.read('one', 'nova-ext-exporter.log'),
            r'^metrics of .*/metrics\n$(?!\n)',
        )
        os.kill(int((self.site / 'one/nova-ext-exporter.pid').read_text()), 0)
        balancer = (self.site / 'haproxy.cfg').read_text()
        self.assertIn('    option httpchk GET /healthcheck\n', balancer)
        for name in HOSTS:
            self.assertIn(
                f'    server {name} 127.0.0.1:{self.ports[name]}\n', balancer
            )

        again = self.play('api', '--skip-tags', 'identity')
        self.assertEqual([], again.changed)
        self.assertEqual(5, len(self.restarts()))

        with sa.create_engine(self.server.url).begin() as connection:
            connection.execute(sa.text(
                "REVOKE ALL PRIVILEGES ON nova_ext.* FROM nova_ext@'%'"
            ))
        with self.watch() as pairs:
            done = self.play(
                'api', '--skip-tags', 'identity', nova_ext_api_threads=4
            )
        self.assertIn(('Make them', 'api1'), done.changed)
        # Drained before it stops, healthy before the other is drained.
        self.assertEqual((200, 200), pairs[0])
        self.assertEqual((503, 200), pairs[1])
        self.assertEqual((200, 503), pairs[pairs.index((200, 200), 1) + 1])
        self.assertEqual((200, 200), pairs[-1])
        self.assertEqual([], [pair for pair in pairs if 200 not in pair])
        self.assertEqual(7, len(self.restarts()))

    def test_zones(self):
        """Poller and builder beside each API, if wanted; then none of all."""
        zones = {
            'nova_ext_zones': True, 'nova_ext_zone_clouds': {'east': {
                'auth_type': 'v3applicationcredential', 'auth': {
                    'auth_url': 'https://127.0.0.1:9/v3',
                    'application_credential_id': 'parent',
                    'application_credential_secret': FOR_CHILD,
                },
            }},
            'nova_ext_api_options': {
                'nova_ext_zones': {'interval_s': 1},
                'nova_ext_builds': {'poll_interval_s': 7},
            },
        }
        words = ('--skip-tags', 'identity')
        self.play('api', '--check', *words, **zones)
        self.assertEqual([], self.restarts())
        done = self.play('api', '-vvv', '--diff', *words, **zones)
        self.assertNotIn(
            FOR_CHILD, done.output.replace(self.extra_variables, '')
        )
        for name in HOSTS:
            clouds = self.site / name / 'etc/nova-ext/zone-clouds.yaml'
            self.assertEqual(0o640, clouds.stat().st_mode & 0o777)
            self.assertEqual(
                {'clouds': zones['nova_ext_zone_clouds']},
                yaml.safe_load(clouds.read_text()),
            )
            self.assertIn(
                '[nova_ext_builds]\npoll_interval_s = 7\n',
                self.read(name, 'etc/nova-ext/nova-ext-api.conf'),
            )
        self.add_zone()
        # It finds the credentials, and nobody there.
        self.wait_for_text(
            'api1', 'nova-ext-zone-poller.log', 'WARNING zone zone1: '
        )
        for service in ZONE_SERVICES:
            os.kill(int((self.site / f'api2/{service}.pid').read_text()), 0)
        self.assertEqual(
            [], self.play('api', *words, **zones).changed
        )

        self.play('api', *words)
        for service in ZONE_SERVICES:
            self.assert_gone('api1', service)
        self.assertIsNone(self.read('api1', 'etc/nova-ext/zone-clouds.yaml'))
        self.assertEqual(200, self.ask('api1'))

        # The class has one environment for Nova.
        self.addCleanup(self.install)
        self.play('uninstall')
        self.assert_gone('api2', 'nova-ext-api')
        for service in ('shipper', 'exporter', 'agent'):
            self.assert_gone('one', f'nova-ext-{service}')
        self.assertFalse((self.site / 'haproxy.cfg').exists())
        self.assertEqual([], self.play('uninstall').changed)
