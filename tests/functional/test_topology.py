"""Several servers, alternates, two cells, a host of two nodes."""

from nova import context as nova_context
from nova import objects
from nova.virt import fake

from nova_ext.scheduler.facts import nova_facts
from tests.functional import base


class ManyServersTest(base.CloudTestCase):
    """Three servers asked for with one request."""

    def configure(self):
        """A host's 8 GiB hold two servers of 3 GB."""
        self.flags(initial_ram_allocation_ratio=1.0)

    def test_one_decision(self):
        """An attempt for each, one for the alternates; all in one line."""
        servers = self.boot_many(3)
        (decision,) = self.decisions()
        uuids = [server['id'] for server in servers]
        self.assertEqual(uuids, decision.servers)
        self.assertEqual(
            [(uuids[0], 0), (uuids[1], 1), (uuids[2], 2), (uuids[2], 2)],
            [(each.server, each.index) for each in decision.attempts],
        )
        self.assertEqual(
            [(s['id'], self.host_of(s), True) for s in servers],
            [(c.server, c.host, c.claimed) for c in decision.claims],
        )
        self.assertEqual(
            {s['id']: self.host_of(s) for s in servers},
            {uuid: offer[0] for uuid, offer in decision.chosen.items()},
        )

    def test_not_enough_hosts(self):
        """Two of three fit: none is placed, none keeps its claim."""
        for host in self.hosts[1:]:
            self.disable(host)
        flavor = self._create_flavor(memory_mb=3000, vcpu=1, disk=1)
        servers = self.boot_many(
            3, expected_state='ERROR', flavorRef=flavor
        )
        (decision,) = self.decisions()
        self.assertEqual('no valid host', decision.outcome)
        self.assertEqual({}, decision.chosen)
        self.assertEqual(
            [True, True, False], [claim.claimed for claim in decision.claims]
        )
        for server in servers:
            self.assertEqual(
                {}, self._get_allocations_by_server_uuid(server['id'])
            )


class AlternatesTest(base.CloudTestCase):
    """A build fails on the first host."""

    compute_driver = 'fake.FakeRescheduleDriver'

    def test_build_fails(self):
        """The server is on the first alternate that the record names."""
        self.addCleanup(fake.FakeRescheduleDriver.rescheduled.clear)
        server = self.boot()
        (decision,) = self.decisions()
        first, alternate, _ = decision.chosen[server['id']]
        self.assertEqual(alternate, self.host_of(server))
        self.assertEqual([first], [claim.host for claim in decision.claims])


class TwoCellsTest(base.CloudTestCase):
    """Hosts in two cells."""

    NUMBER_OF_CELLS = 2
    hosts = ('one-1', 'one-2', 'two-1', 'two-2')

    def start_host(self, host):
        """Start a compute service in the cell that its name says."""
        self._start_compute(
            host, cell_name='cell1' if host[:3] == 'one' else 'cell2'
        )

    def test_cells(self):
        """Both are decided over; alternates and moves stay in one."""
        for name in ('one', 'two'):
            server = self.boot({'requested_host': f'{name}-1'})
            decision = self.decisions()[-1]
            self.assertEqual(4, decision.attempts[0].hosts_in)
            self.assertEqual(
                f'{name}-1',
                nova_facts.NovaFacts().get_server_host(None, server['id']),
            )
            server = self.boot()
            decision = self.decisions()[-1]
            self.assertEqual(4, decision.attempts[0].ranked_count)
            first, *alternates = decision.chosen[server['id']]
            self.assertEqual(
                [first[:3]], [host[:3] for host in alternates]
            )

        self._shelve_server(server)
        self.disable(first)
        self._unshelve_server(server)
        self.assertEqual(alternates, [self.host_of(server)])
        self.assertEqual('return', self.decisions()[-1].operation)
        self.assertEqual(
            set(self.hosts) - {first},
            set(nova_facts.NovaFacts().hosts_up(None, 'compute')),
        )

        self.boot({'requested_host': 'x'}, expected_state='ERROR')
        decision = self.decisions()[-1]
        self.assertEqual(4, decision.hosts_total)


class TwoNodesTest(base.CloudTestCase):
    """One compute service with two hypervisor nodes."""

    hosts = ('cmp-1', 'cmp-2')

    def start_host(self, host):
        """Give cmp-1 a second node."""
        service = self._start_compute(host)
        if host == 'cmp-1':
            service.manager.driver._set_nodes(['cmp-1', 'node-2'])
            service.manager.update_available_resource(
                nova_context.get_admin_context()
            )

    def test_nodes(self):
        """The hint takes both; the record tells them apart."""
        server = self.boot({'requested_host': 'cmp-1'})
        self.assertEqual('cmp-1', self.host_of(server))
        (decision,) = self.decisions()
        nodes = {'cmp-1', 'cmp-1/node-2'}
        self.assertEqual(nodes, set(decision.attempts[0].ranked))
        self.assertIn(decision.claims[0].host, nodes)
        (rejection,) = decision.attempts[0].steps[-1].rejections
        self.assertEqual(['cmp-2'], rejection.hosts)
        uuids = {
            node.uuid for node in objects.ComputeNodeList.get_all_by_host(
                nova_context.get_admin_context(), 'cmp-1'
            )
        }
        (provider,) = self._get_allocations_by_server_uuid(server['id'])
        self.assertIn(provider, uuids)
