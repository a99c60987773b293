"""Which hosts and nodes stats are taken of."""

from nova_ext import testing
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.scheduler.facts.resource_stats import ResourceStats
from tests.unit.scheduler import configured


class ResourceStatsTest(configured.ConfiguredTestCase):
    """Over a list of nodes that is read."""

    def setUp(self):
        """Two nodes, of which one host has two."""
        super().setUp()
        self.known = [('cmp', 'a'), ('cmp', 'b'), ('other', 'other')]
        self.asked = 0
        self.stats = ResourceStats(self.every)

    def every(self):
        """Nova's nodes."""
        self.asked += 1
        if isinstance(self.known, Exception):
            raise self.known
        return self.known

    def push(self, *name):
        """Push a stat."""
        self.stats.update(name, {'ext:load1': 1}, 1)

    def refused(self, *name):
        """The words with which a push is refused."""
        return str(self.assertRaises(WrongArgumentsError, self.push, *name))

    def test_nodes(self):
        """A host and its nodes, and no other's."""
        self.push('cmp', '')
        self.push('cmp', 'b')
        self.assertIn("host 'cmp' has no node 'other'",
                      self.refused('cmp', 'other'))
        self.assertIn("no host 'b'", self.refused('b', ''))
        self.assertEqual(1, self.asked)

    def test_one_host_takes_no_other_ones_room(self):
        """It has no more names than nodes."""
        self.flags('nova_ext_stats', max_hosts=3)
        self.stats = ResourceStats(self.every)
        for n in range(10):
            self.refused('cmp', f'x{n}')
        for name in (('cmp', 'a'), ('cmp', 'b'), ('other', '')):
            self.push(*name)
        self.assertEqual(
            1, self.stats.stat(testing.make_host('other'), 'ext:load1').value
        )

    def test_database_is_away(self):
        """It is asked once a minute, whoever pushes; known hosts go on."""
        self.push('cmp', '')
        self.stats._read_at = float('-inf')
        self.known = OSError('gone')
        self.assertRaises(OSError, self.push, 'new', '')
        for _ in range(10):
            self.refused('new', '')
        self.push('cmp', 'b')
        self.assertEqual(2, self.asked)

    def test_a_cell_is_away(self):
        """What was known stays."""
        self.push('cmp', '')
        self.stats._read_at = float('-inf')
        self.known = None
        self.refused('new', '')
        self.push('other', '')
