"""A rolling replay of tables is what the same requests do in a lab."""

import sys
from pathlib import Path

import fixtures
from testtools import testcase

from nova_ext.lab.services import servers
from tests import table_day
from tests.lab import drawn_cloud

HOSTS, REQUESTS = 50, 300
#: Any seed draws a day.
SEED = 3


class RollingDayTest(drawn_cloud.DrawnCloudTestCase):
    """300 requests on 50 hosts."""

    deadline_s = 1800
    day = table_day.Day(SEED, HOSTS, REQUESTS)

    @classmethod
    def setUpClass(cls):
        """Start the lab of the table's hosts."""
        super(drawn_cloud.DrawnCloudTestCase, cls).setUpClass()
        options = {
            'enabled_filters': ','.join(table_day.FILTERS),
            **table_day.OPTIONS,
            # A scheduler that tracks servers remembers for a while those of a
            # refused request of a group.
            'track_instance_changes': False,
        }
        cls.lab(
            'up', '--stock', '--computes', *(
                f'{name}:vcpus={size.vcpus},ram_mb={size.memory_mb},'
                f'disk_gb={size.disk_gb}'
                for name, size in cls.day.sizes.items()
            ), *(
                f'--set=filter_scheduler.{name}={value}'
                for name, value in options.items()
            ), f'--set=DEFAULT.cpu_allocation_ratio={table_day.CPU_RATIO}',
            # A host state has it until nova-compute's next periodic task.
            f'--set=DEFAULT.initial_cpu_allocation_ratio={table_day.CPU_RATIO}',
            '--set=DEFAULT.ram_allocation_ratio=1.0',
            '--set=DEFAULT.disk_allocation_ratio=1.0',
            f'--set=DEFAULT.reserved_host_memory_mb={table_day.RESERVED_MB}',
            *(f'--set=quota.{name}=-1' for name in (
                'instances', 'cores', 'ram', 'server_groups',
                'server_group_members',
            )),
        )

    def setUp(self):
        """Make flavors and groups."""
        super(drawn_cloud.DrawnCloudTestCase, self).setUp()
        self.nova = self.cloud().compute
        self.own_mb = table_day.RESERVED_MB
        for name, (vcpus, ram, disk) in table_day.FLAVORS.items():
            self.nova.post('/flavors', json={'flavor': {
                'id': name, 'name': name, 'vcpus': vcpus, 'ram': ram,
                'disk': disk,
            }})
        self.groups = [
            self.nova.post('/os-server-groups', json={'server_group': {
                'name': f'g{number}', 'policy': policy,
            }}).json()['server_group']['id']
            for number, policy in enumerate(self.day.policies)
        ]
        self.image = servers.find_image(self.cloud(), 'cirros')['id']

    @testcase.attr('slow')
    def test_day(self):
        """Each server goes where the replay says, or is refused."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        document, _ = table_day.replay(
            folder, self.day.write(folder), '--config-file',
            table_day.write_configuration(folder / 'a.conf'),
        )
        (said,) = document['configurations']
        self.assertEqual(0, said['drawn'])
        real = self.run_day()
        wrong = [
            (number, pair) for number, pair in enumerate(zip(
                real, [each['hosts'] for each in said['decisions']],
                strict=True,
            )) if pair[0] != pair[1]
        ]
        placed = sum(map(len, real))
        print(
            f'{len(real)} requests, {placed} servers placed, '
            f'{document["servers"] - placed} refused, {len(wrong)} requests '
            f'otherwise than replayed', file=sys.stderr,
        )
        self.assertEqual([], wrong)
        self.assertLess(0, said['refused'])

    def run_day(self):
        """Boot and delete servers; return the hosts of each request's."""
        alive, hosts = {}, []
        for request in self.day.requests:
            gone = [
                server for number in request.ended
                for server in alive.pop(number, ())
            ]
            for server in gone:
                self.nova.delete(f'/servers/{server}')
            self.wait_until(lambda gone=gone: not {
                each.id for each in self.list_servers()
            } & set(gone), 'deletions')
            self.settle()
            placed = self.boot_request(request)
            alive[request.number] = [server for server, _ in placed]
            hosts.append([host for _, host in placed])
            self.settle()
        return hosts

    def boot_request(self, request):
        """Boot the servers of a request; return those placed, and hosts."""
        name = f'request-{request.number}'
        body = {'server': {
            'name': name, 'networks': 'none', 'imageRef': self.image,
            'flavorRef': request.flavor, 'min_count': request.count,
            'max_count': request.count,
        }}
        if request.group >= 0:
            body['os:scheduler_hints'] = {
                'group': self.groups[request.group]
            }
        self.nova.post('/servers', json=body)
        self.wait_until(self.is_built, name)
        return [
            (uuid, host) for uuid, host, state in self.read(
                'SELECT uuid, host, vm_state FROM instances '
                'WHERE deleted = 0 AND '
                '(display_name = ? OR display_name LIKE ?) '
                'ORDER BY launch_index', name, f'{name}-%',
            ) if state == 'active'
        ]

    def is_settled(self, down=()):
        """Say whether placement knows what is used, too."""
        used = sum(memory_mb for (memory_mb,) in self.read(
            'SELECT memory_mb FROM instances WHERE deleted = 0'
        ))
        (claimed,), *_ = self.read(
            "SELECT COALESCE(SUM(allocations.used), 0) FROM allocations JOIN "
            "resource_classes ON resource_classes.id = "
            "allocations.resource_class_id WHERE resource_classes.name = "
            "'MEMORY_MB'", database='placement',
        )
        return used == claimed and super().is_settled(down)
