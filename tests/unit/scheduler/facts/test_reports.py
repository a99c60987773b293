"""Take reports of services, and stats of nodes that Nova knows."""

from nova_ext import testing
from nova_ext.core.base.scheduling_errors import (
    SchedulingError,
    WrongArgumentsError,
)
from nova_ext.core.stats.capabilities import measure
from nova_ext.scheduler.facts.reports import (
    KnownHosts,
    ResourceStats,
    ServiceReports,
)
from tests.unit.scheduler import configured


def know(*hosts):
    """Return what knows these hosts, without nodes."""
    return KnownHosts(lambda: (dict.fromkeys(hosts, ()), True))


class ServiceReportsTest(configured.ConfiguredTestCase):
    """Hold the limit of services."""

    def test_max_services(self):
        """Refuse one service more than may be kept."""
        self.flags('nova_ext_services', max_services=1)
        services = ServiceReports(know())
        services.report('backup', 'h1', {}, 1)
        error = self.assertRaises(
            SchedulingError, services.report, 'backup', 'h2', {}, 1
        )
        self.assertIn('1 services are kept', str(error))

    def test_bytes(self):
        """Bound all reports together, and take a smaller one."""
        self.flags('nova_ext_services', max_services=2)
        now = 1000.0
        services = ServiceReports(know(), lambda: now)
        large = {'cpu': tuple(f'{n:04}' for n in range(60))}
        self.assertGreater(2 * measure(large), 2 * 4096)
        services.report('backup', 'h1', large, 1)
        # The same again takes its own place.
        services.report('backup', 'h1', large, 2)
        error = self.assertRaises(
            WrongArgumentsError, services.report, 'backup', 'h2', large, 1
        )
        self.assertIn('8192 at most', str(error))
        services.report('backup', 'h2', {'cpu': ('1',)}, 1)
        self.assertEqual(
            {'h1', 'h2'}, set(services.get_capabilities('backup'))
        )
        now += 1000
        services.report('backup', 'h3', large, 1)

    def test_hosts(self):
        """Ask Nova about compute hosts, and no others."""
        services = ServiceReports(know('cmp'))
        services.check_host('compute', 'cmp')
        services.check_host('network', 'net')
        error = self.assertRaises(
            WrongArgumentsError, services.check_host, 'compute', 'net'
        )
        self.assertIn("there is no host 'net'", str(error))

    def test_gathering(self):
        """Gather until every service that is up has reported."""
        self.flags('nova_ext_services', down_after_s=150)
        now = 1000.0
        services = ServiceReports(know(), lambda: now)
        self.assertTrue(services.is_gathering())
        services.listen()
        services.report('compute', 'h1', {'cpu': ('1',)}, 1)
        now += 149
        self.assertTrue(services.is_gathering())
        now += 1
        self.assertFalse(services.is_gathering())
        self.assertEqual([('compute', {'cpu': ('1',)})], services.get_all())
        now += 1
        self.assertEqual([], services.get_all())


class ResourceStatsTest(configured.ConfiguredTestCase):
    """Read a list of nodes."""

    def setUp(self):
        """Have three nodes, two of one host."""
        super().setUp()
        self.nodes = {'cmp': ['a', 'b'], 'other': ['other']}
        self.is_complete = True
        self.reads = 0
        self.hosts = KnownHosts(self.list_nodes)
        self.stats = ResourceStats(self.hosts)

    def list_nodes(self):
        """Return Nova's nodes."""
        self.reads += 1
        if isinstance(self.nodes, Exception):
            raise self.nodes
        return self.nodes, self.is_complete

    def push(self, *name):
        """Push a stat."""
        self.stats.update(name, {'ext:load1': 1}, 1)

    def refusal(self, *name):
        """Return the words with which a push is refused."""
        return str(self.assertRaises(WrongArgumentsError, self.push, *name))

    def test_nodes(self):
        """Take a host and its nodes, and no other's."""
        self.push('cmp', '')
        self.push('cmp', 'b')
        self.assertIn("host 'cmp' has no node 'other'",
                      self.refusal('cmp', 'other'))
        self.assertIn("no host 'b'", self.refusal('b', ''))
        self.assertEqual(1, self.reads)

    def test_one_host_takes_no_space_of_others(self):
        """Keep no more names of a host than it has nodes."""
        self.flags('nova_ext_stats', max_hosts=3)
        self.stats = ResourceStats(KnownHosts(self.list_nodes))
        for n in range(10):
            self.refusal('cmp', f'x{n}')
        for name in (('cmp', 'a'), ('cmp', 'b'), ('other', '')):
            self.push(*name)
        other = testing.make_host('other')
        self.assertEqual(1, self.stats.get_stat(other, 'ext:load1').value)

    def test_database_is_away(self):
        """Read it once a minute, whoever pushes; go on with known hosts."""
        self.push('cmp', '')
        self.hosts._read_at = float('-inf')
        self.nodes = OSError('gone')
        self.assertRaises(OSError, self.push, 'new', '')
        for _ in range(10):
            self.refusal('new', '')
        self.push('cmp', 'b')
        self.assertEqual(2, self.reads)

    def test_database_is_away_at_first(self):
        """Call no host unknown before any was read."""
        self.nodes = OSError('gone')
        self.assertRaises(OSError, self.push, 'cmp', '')
        error = self.assertRaises(SchedulingError, self.push, 'cmp', '')
        self.assertIn('could not be read yet', str(error))
        self.hosts._read_at = float('-inf')
        self.nodes = {'cmp': ['a']}
        self.push('cmp', '')

    def test_a_cell_is_away(self):
        """Keep the nodes that were known, and learn those of other cells."""
        self.push('cmp', '')
        self.hosts._read_at = float('-inf')
        self.nodes, self.is_complete = {'new': ['new']}, False
        self.push('new', '')
        self.push('other', '')

    def test_a_cell_is_away_at_first(self):
        """Take what is pushed of the other cells' hosts."""
        self.nodes, self.is_complete = {'cmp': ['a']}, False
        self.push('cmp', 'a')
        self.refusal('other', '')
