"""Servers land by the stats that are pushed of hosts."""

from unittest import mock

from nova.tests.functional.api import client as api_client
from testtools import testcase

from nova_ext import testing
from nova_ext.core.explanation import explain
from nova_ext.costs.free_ram import FreeRamCost
from nova_ext.scheduler.facts import nova_facts
from tests.functional import base
from tests.functional_rpc.test_topics import TopicsTestCase


class StatsTestCase(TopicsTestCase):
    """Two hosts whose load is pushed, the first of them loaded."""

    enabled_filters = ('ComputeFilter', 'StatsFilter')
    drivers = ('FilterScheduler',)

    def configure(self):
        """Flavors and users may ask for the load."""
        self.flags(group='nova_ext_stats', names=['load1'])

    def push(self, host, load):
        """Push the load of a host, and wait until it is known."""
        self.program.update_resource_stats(
            self.me, host, {'ext:load1': load}
        )
        self.wait_for(
            lambda: self.known(host).reason != 'no stat ext:load1', 'the stat'
        )

    def known(self, host):
        """The load as the scheduler knows it."""
        return nova_facts.get().get_stat(testing.make_host(host), 'ext:load1')

    def boot_with(self, requirement, **body):
        """Boot a server of a flavor that has the requirement."""
        flavor = self._create_flavor(
            extra_spec={'stats:load1': requirement}
        )
        return self.boot(flavorRef=flavor, **body)

    def explained(self, server):
        """The explanation of a server."""
        (made,) = (
            made for made in self.decisions() if server['id'] in made.servers
        )
        return explain.explain(made, server['id'])


class StatsTest(StatsTestCase):
    """Fresh stats, and a host of which none is known."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3')

    def setUp(self):
        """Push those of two."""
        super().setUp()
        self.push('cmp-1', 7.5)
        self.push('cmp-2', 0.5)

    def test_less_loaded(self):
        """Of two that are fit the one with less load, by the weigher."""
        self.assertEqual(
            ['ext:load1'], self.program.required_stats(self.me)
        )
        # What a cost of offers needs is pushed, too.
        with mock.patch.object(
            FreeRamCost, 'get_needed_stats', return_value=['ext:watts']
        ):
            self.assertEqual(
                ['ext:load1', 'ext:watts'],
                self.program.required_stats(self.me),
            )
        for _ in range(3):
            self.assertEqual('cmp-2', self.host_of(self.boot_with('<= 8')))
            self.assertEqual('cmp-1', self.host_of(self.boot_with('>= 0')))

    def test_filter(self):
        """Of the two one is fit; the other's load is told."""
        server = self.boot_with('<= 1')
        self.assertEqual('cmp-2', self.host_of(server))
        self.assertIn(
            '1 stats:load1 is not <= 1 but 7.5 (StatsFilter)',
            self.explained(server).sentence,
        )

    def test_hint(self):
        """For whoever the policy lets."""
        hint = {'stats:load1': '<= 1'}
        self.assertEqual('cmp-2', self.host_of(self.boot(hint)))
        member = self.client('member', roles=())
        server = self.boot(hint, api=member, expected_state='ERROR')
        self.assertIn(
            '3 policy nova_ext:stats_hint denies it',
            self.explained(server).sentence,
        )

    def test_unreadable(self):
        """A flavor can't have it; as a hint it fits no host."""
        flavor = self._create_flavor()
        self.admin_api.microversion = 'latest'
        refused = self.assertRaises(
            api_client.OpenStackApiException,
            self.admin_api.post_extra_spec, flavor,
            {'extra_specs': {'stats:load1': '< 8'}},
        )
        self.assertEqual(400, refused.response.status_code)
        self.assertIn('no operator of Nova', str(refused))
        server = self.boot({'stats:load1': '< 8'}, expected_state='ERROR')
        self.assertIn(
            "3 stats:load1='< 8': no operator of Nova",
            self.explained(server).sentence,
        )

    @testcase.attr('slow')
    def test_moves(self):
        """A server leaves a host, and may go only where it is fit."""
        self.push('cmp-3', 0.6)
        server = self.boot_with('<= 1')
        self.assertEqual('cmp-2', self.host_of(server))
        self._migrate_server(server)
        self.assertEqual('cmp-3', self.host_of(server))


class CellsTest(StatsTestCase):
    """A host in each of two cells."""

    NUMBER_OF_CELLS = 2

    def start_host(self, host):
        """As Nova's test case names its cells."""
        self._start_compute(host, cell_name=host.replace('cmp-', 'cell'))

    @testcase.attr('slow')
    def test_cells(self):
        """Stats of both count, and servers land in either."""
        self.assertEqual(
            ['cmp-1', 'cmp-2'], self.program.hosts_up(self.me, 'compute')
        )
        self.push('cmp-1', 0.5)
        self.push('cmp-2', 7.5)
        self.assertEqual('cmp-1', self.host_of(self.boot_with('<= 8')))
        self.assertEqual('cmp-2', self.host_of(self.boot_with('>= 1')))


class StaleTest(StatsTestCase):
    """Stats that nobody pushes any more."""

    enabled_filters = ('ComputeFilter',)

    def configure(self):
        """They are believed for a second."""
        super().configure()
        self.flags(group='nova_ext_stats', max_age_s=1)

    @testcase.attr('slow')
    def test_weigher(self):
        """It goes on without them; the explanation says so."""
        self.push('cmp-1', 7.5)
        self.push('cmp-2', 0.5)
        self.wait_for(
            lambda: all(self.known(host).value is None for host in self.hosts),
            'their end',
        )
        server = self.boot_with('<= 8')
        (note,) = (
            note for note in self.explained(server).notes if 'stale' in note
        )
        self.assertIn(': stat ext:load1 is stale at ', note)
        self.assertIn(' s, 1 are believed', note)
        self.assertEqual(
            {'cmp-1', 'cmp-2'}, set(note.partition(':')[0].split(', '))
        )


class StockTest(base.CloudTestCase):
    """A stock scheduler hears of no stats."""

    manager = None
    available_filters = (base.STOCK_FILTERS, base.OUR_FILTERS)
    enabled_filters = ('ComputeFilter', 'StatsFilter')

    def configure(self):
        """The names may be there."""
        self.flags(group='nova_ext_stats', names=['load1'])

    def test_absent(self):
        """No host is fit for a flavor that asks; others boot."""
        self.boot()
        server = self.boot(
            flavorRef=self._create_flavor(
                extra_spec={'stats:load1': '<= 8'}
            ), expected_state='ERROR',
        )
        (made,) = (
            made for made in self.decisions() if server['id'] in made.servers
        )
        self.assertIn(
            '3 no stat ext:load1 (StatsFilter)',
            explain.explain(made).sentence,
        )
