"""A rolling replay of tables is what the same requests do for real."""

from pathlib import Path

import fixtures
from nova import context, objects
from nova.virt import fake

from tests import table_day
from tests.functional import base, programs
from tests.functional.patience import LONG_DEADLINE_S

#: Any seed draws a day. This one refuses servers for want of room and for
#: their groups, and leaves a host empty.
SEED = 1
#: Computes have ended their work and tell their free disk: weigh it, too.
OPTIONS = {
    **table_day.OPTIONS,
    'disk_weight_multiplier': 0.3, 'io_ops_weight_multiplier': -1.0,
}


class RollingTest(base.CloudTestCase):
    """Four hosts of four sizes."""

    day = table_day.Day(SEED, 4, 16)
    hosts = tuple(day.sizes)
    manager = None
    available_filters = (base.STOCK_FILTERS,)
    weight_classes = (base.STOCK_WEIGHERS,)
    enabled_filters = table_day.FILTERS

    def configure(self):
        """Have hosts of their sizes, and no quota."""
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.flags(
            cpu_allocation_ratio=table_day.CPU_RATIO,
            ram_allocation_ratio=1.0, disk_allocation_ratio=1.0,
            reserved_host_memory_mb=table_day.RESERVED_MB,
        )
        self.flags(
            # A scheduler that tracks servers remembers for a while those of a
            # refused request of a group.
            group='filter_scheduler', track_instance_changes=False,
            **OPTIONS,
        )
        self.flags(
            group='quota', instances=-1, cores=-1, ram=-1, server_groups=-1,
            server_group_members=-1,
        )
        init_host, sizes = fake.FakeDriver.init_host, self.day.sizes

        def init_sized(driver, host):
            init_host(driver, host)
            driver.vcpus, driver.memory_mb, driver.local_gb = sizes[host]
            driver.resources = fake.Resources(*sizes[host])
            driver.host_status_base['disk_available_least'] = None

        self.useFixture(fixtures.MonkeyPatch(
            'nova.virt.fake.FakeDriver.init_host', init_sized
        ))

    def test_day(self):
        """Each server goes where the replay says, or is refused."""
        tables = self.day.write(self.folder)
        document, status = table_day.replay(
            self.folder, tables, '--config-file',
            table_day.write_configuration(self.folder / 'a.conf', **OPTIONS),
            '--against', table_day.write_configuration(
                self.folder / 'b.conf',
                **{**OPTIONS, 'ram_weight_multiplier': -1.0},
            ), run=programs.run,
        )
        first, second = document['configurations']
        self.assertEqual(0, first['drawn'])
        self.assertLess(0, first['refused'])
        self.assertEqual(self.run_day(), [
            decision['hosts'] for decision in first['decisions']
        ])
        # The same day under another configuration is another one.
        divergence = second['first_divergence']
        changed = [
            number for number, pair in enumerate(zip(
                first['decisions'], second['decisions'], strict=True
            )) if pair[0] != pair[1]
        ]
        self.assertEqual(
            first['decisions'][changed[0]]['request_id'],
            divergence['request_id'],
        )
        self.assertIn('RAMWeigher', divergence['detail'])
        self.assertEqual(
            3 if second['transitions'].get('placed_none') else 0, status
        )
        self.settle()
        self.check_cloud(first['cloud'])

    def run_day(self):
        """Boot and delete servers; return the hosts of each request's."""
        flavors = {
            name: self._create_flavor(
                name=name, vcpu=vcpus, memory_mb=memory_mb, disk=disk_gb,
                ephemeral=0,
            ) for name, (vcpus, memory_mb, disk_gb)
            in table_day.FLAVORS.items()
        }
        groups = [
            self.api.post_server_groups(
                {'name': f'g{number}', 'policy': policy}
            )['id'] for number, policy in enumerate(self.day.policies)
        ]
        self.alive = {}
        hosts = []
        for request in self.day.requests:
            for number in request.ended:
                for server in self.alive.pop(number, ()):
                    self._delete_server(server)
            self.settle()
            placed = self.boot_request(
                request, flavors[request.flavor],
                None if request.group < 0
                else {'group': groups[request.group]},
            )
            hosts.append(
                [server['OS-EXT-SRV-ATTR:host'] for server in placed]
            )
            if placed:
                self.alive[request.number] = placed
        return hosts

    def boot_request(self, request, flavor, hints):
        """Boot the servers of a request; return those that are ACTIVE."""
        body = {'server': {**self._build_server(
            networks='none', flavor_id=flavor, image_uuid=base.IMAGE
        ), 'min_count': request.count, 'max_count': request.count,
            'return_reservation_id': True}}
        if hints:
            body['os:scheduler_hints'] = hints
        reservation = self.api.api_post('/servers', body).body[
            'reservation_id'
        ]

        def list_done():
            servers = self.admin_api.get_servers(
                search_opts={'reservation_id': reservation}
            )
            return len(servers) == request.count and all(
                server['status'] in ('ACTIVE', 'ERROR') for server in servers
            ) and servers

        placed = [
            server for server in self.wait_for(
                list_done, 'all servers are ACTIVE or in ERROR',
                LONG_DEADLINE_S,
            )
            if server['status'] == 'ACTIVE'
        ]
        self.assertIn(len(placed), (0, request.count))
        return sorted(
            placed, key=lambda each: each['OS-EXT-SRV-ATTR:launch_index']
        )

    def settle(self):
        """Wait until everybody knows what hosts have."""
        flavors = {host: [] for host in self.hosts}
        for number, placed in self.alive.items():
            flavor = table_day.FLAVORS[self.day.requests[number].flavor]
            for server in placed:
                flavors[server['OS-EXT-SRV-ATTR:host']].append(flavor)
        used = {
            host: tuple(
                sum(flavor[amount] for flavor in some) for amount in range(3)
            ) for host, some in flavors.items()
        }
        admin = context.get_admin_context()
        cell = self.cell_mappings['cell1']

        def is_settled():
            with context.target_cell(admin, cell) as in_cell:
                nodes = objects.ComputeNodeList.get_all(in_cell)
                if not all(
                    (node.vcpus_used, node.memory_mb_used
                     - table_day.RESERVED_MB, node.local_gb_used)
                    == used[node.host] == self.read_usage(node.uuid)
                    for node in nodes
                ):
                    return False
                # Until this task nova-compute goes on counting builds that
                # have ended, and a new node has the initial ratio.
                late = [
                    node.host for node in nodes
                    if int(node.stats.get('io_workload', 0))
                    or node.cpu_allocation_ratio != table_day.CPU_RATIO
                ]
                for host in late:
                    self.computes[host].manager.update_available_resource(
                        in_cell
                    )
            return not late

        if not is_settled():
            self.wait_for(is_settled, f'hosts use {used}', LONG_DEADLINE_S)

    def read_usage(self, provider):
        """Return what placement says is used of a host."""
        usages = self._get_provider_usages(provider)
        return usages['VCPU'], usages['MEMORY_MB'], usages['DISK_GB']

    def check_cloud(self, cloud):
        """What is left of the cloud is what placement says."""
        self.assertEqual(
            sum(map(len, self.alive.values())), cloud['servers']
        )
        in_use = {
            server['OS-EXT-SRV-ATTR:host']
            for placed in self.alive.values() for server in placed
        }
        self.assertEqual(
            len(self.hosts) - len(in_use), cloud['empty_hosts']
        )
        free_mb = sum(
            size.memory_mb - table_day.RESERVED_MB
            for size in self.day.sizes.values()
        ) - sum(
            table_day.FLAVORS[self.day.requests[number].flavor][1]
            * len(placed) for number, placed in self.alive.items()
        )
        self.assertEqual(free_mb, cloud['free']['MEMORY_MB'])
