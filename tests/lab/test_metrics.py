"""Read metrics of a lab, and compare them with what happens in it."""

import random
import time
from collections import Counter

from testtools import testcase

from nova_ext.lab.services import servers
from tests.lab import base
from tests.lab.exporting import DEADLINE_S, Exporter

FLAVOR = 'm1.tiny'
FLAVORS = 20


class MetricsTestCase(base.LabTestCase):
    """Run an exporter that asks the lab."""

    deadline_s = 1800

    def add_rack(self, rack, *hosts):
        """Put hosts into an aggregate that names their rack."""
        number = self.cloud().compute.post('/os-aggregates', json={
            'aggregate': {'name': f'rack-{rack}'}
        }).json()['aggregate']['id']
        for action in (
            {'set_metadata': {'metadata': {'rack': rack}}},
            *({'add_host': {'host': host}} for host in hosts),
        ):
            self.cloud().compute.post(
                f'/os-aggregates/{number}/action', json=action
            )

    def boot_all(self, *names, status='ACTIVE', **options):
        """Boot servers, which all come to be in one state."""
        for name in names:
            self.assertEqual(status, self.boot(name, **options)['status'])

    def list_servers(self, query=''):
        """Return the servers of all projects."""
        return self.cloud().get(
            'compute', f'/servers/detail?all_tenants=1{query}'
        )['servers']

    def wait_until(self, condition):
        """Wait until a condition holds; return what it returns."""
        deadline = time.monotonic() + DEADLINE_S
        while not (result := condition()):
            self.assertLess(time.monotonic(), deadline, condition)
            time.sleep(0.2)
        return result


class NoneLeftTest(MetricsTestCase):
    """Three hosts have room for four servers each, and eight servers."""

    up = ('--computes', *(f'cmp-{n}:ram_mb=2560' for n in (1, 2, 3)))

    def setUp(self):
        """Fill the hosts as far as one may be lost."""
        super().setUp()
        self.add_rack('a', 'cmp-1', 'cmp-2')
        self.add_rack('b', 'cmp-3')
        self.exporter = Exporter(
            self, '--no-record', '--os-cloud', 'admin', '--flavors', FLAVOR,
            '--interval', '5', '--loss-interval', '1', '--rack-key', 'rack',
        )
        self.boot_all(*(f's{number}' for number in range(8)))

    def count_not_back(self, loss, outcome='no_host'):
        """Return how many servers the worst loss would cost."""
        values = self.exporter.wait_for(f'{loss}_loss')
        return values['nova_ext_servers_not_back', loss, outcome]

    def test_evacuation(self):
        """Leave as many behind as the metric says."""
        self.assertEqual(0, self.count_not_back('host'))
        # One host is left for eight.
        self.assertEqual(4, self.count_not_back('rack'))
        values = self.exporter.wait_for('capacity', 'empty_cloud')
        self.assertEqual((4, 12), (
            values['nova_ext_servers_fit', FLAVOR],
            values['nova_ext_servers_fit_empty', FLAVOR],
        ))
        self.assertEqual([], self.evacuate('cmp-1'))

    def evacuate(self, host):
        """Lose a host for real; return the servers that stay behind."""
        service, = (
            each for each in self.cloud().get(
                'compute', '/os-services?binary=nova-compute'
            )['services'] if each['host'] == host
        )
        self.cloud().compute.put(
            f'/os-services/{service["id"]}', json={'forced_down': True}
        )
        before = self.list_servers(f'&host={host}')
        self.assertNotEqual([], before)
        for server in before:
            self.cloud().compute.post(
                f'/servers/{server["id"]}/action', json={'evacuate': {}}
            )
            self.wait_until(
                lambda server=server: self.has_moved(server['id'], host)
            )
        return self.list_servers(f'&host={host}')

    def has_moved(self, server, host):
        """Say whether a server left a host, or can't."""
        shown = self.cloud().get('compute', f'/servers/{server}')['server']
        return shown['status'] == 'ERROR' or (
            shown['OS-EXT-SRV-ATTR:host'] != host
            and shown['OS-EXT-STS:task_state'] is None
        )


class OneLeftTest(NoneLeftTest):
    """One more server, for which there is no room after a loss."""

    def test_evacuation(self):
        """The metric rises with the server, and the server is left behind."""
        self.assertEqual(0, self.count_not_back('host'))
        self.boot_all('s8')
        self.assertEqual(1, self.count_not_back('host'))
        self.assertEqual(0, self.count_not_back('host', 'refused'))
        self.assertEqual(1, len(self.evacuate('cmp-1')))


class FillingTest(MetricsTestCase):
    """Fill hosts of different sizes in two zones for real."""

    up = (
        '--computes', 'a:vcpus=2,ram_mb=3584,disk_gb=60',
        'b:vcpus=1,ram_mb=2560,disk_gb=30', 'c:vcpus=2,ram_mb=1536,disk_gb=90',
        'd:vcpus=1,ram_mb=4608,disk_gb=20,az=west', '--set',
        'DEFAULT.initial_cpu_allocation_ratio=2.0',
    )

    @testcase.attr('slow')
    def test_filling(self):
        """As many servers of each of 20 flavors fit as the metrics say."""
        dice = random.Random(self.id())  # noqa: S311  no secret
        names = [f'f{number}' for number in range(FLAVORS)]
        for name in names:
            self.cloud().compute.post('/flavors', json={'flavor': {
                'id': name, 'name': name, 'vcpus': dice.choice([1, 1, 2, 3]),
                'ram': dice.choice([384, 512, 900, 1400, 2100]),
                'disk': dice.choice([1, 7, 12, 25]),
            }})
        exporter = Exporter(
            self, '--no-record', '--os-cloud', 'admin', '--flavors', *names,
            '--interval', '1', '--loss-interval', '0',
        )
        empty = exporter.wait_for('capacity')
        for number, name in enumerate(names):
            self.fill(exporter, name)
            if number % 4 == 0:
                self.boot(f'stays-{number}', flavor=dice.choice(names))
        values = exporter.wait_for('capacity')
        self.assertNotEqual(
            [empty['nova_ext_servers_fit', name] for name in names],
            [values['nova_ext_servers_fit', name] for name in names],
        )

    def boot(self, name, flavor):
        """Boot a server of a flavor."""
        return servers.boot(self.cloud(), name, flavor=flavor)

    def fill(self, exporter, flavor):
        """Boot until a server finds no host; then delete them all."""
        values = exporter.wait_for('capacity')
        booted = []
        while not booted or booted[-1]['status'] == 'ACTIVE':
            booted.append(self.boot('fills', flavor))
        zones = Counter(
            server['OS-EXT-AZ:availability_zone'] for server in booted[:-1]
        )
        for zone in ('nova', 'west'):
            self.assertEqual(
                values['nova_ext_servers_fit_by_zone', flavor, zone],
                zones[zone], (flavor, zone),
            )
        self.assertEqual(
            values['nova_ext_servers_fit', flavor], zones.total(), flavor
        )
        servers.remove(self.cloud(), 'fills')
        left = {server['id'] for server in self.list_servers()}
        self.wait_until(lambda: not {
            server['id'] for server in booted
            if self.has_allocation(server['id'])
        } - left)

    def has_allocation(self, server):
        """Say whether placement has something allocated for a server."""
        return bool(self.cloud().get(
            'placement', f'/allocations/{server}'
        )['allocations'])
