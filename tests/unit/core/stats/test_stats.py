"""Pushed stats: checked, of a node or its host, and not for ever."""

import testtools

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats import stats, validation
from nova_ext.core.stats.host_stats import HostStats


class CheckTest(testtools.TestCase):
    """Validate what programs send."""

    def test_taken(self):
        """Fields of a compute node, and names that are free."""
        given = {
            'free_ram_mb': -5, 'ext:load1': 0.5, 'ext:nic': 'up',
            'ext:spare': True,
        }
        self.assertEqual(given, validation.validate(given))
        self.assertEqual(('h', ''), validation.validate_name('h'))
        self.assertEqual(('h', 'n'), validation.validate_name(['h', 'n']))

    def test_limits(self):
        """As much as is taken."""
        longest = 'ext:' + 'x' * (stats.MAX_LENGTH - 4)
        for given in (
            {f'ext:{n}': 1 for n in range(stats.MAX_STATS)},
            {longest: longest}, {'ext:a': 2 ** 256 - 1},
        ):
            self.assertEqual(given, validation.validate(given))
        self.assertEqual((longest, ''), validation.validate_name(longest))

    def test_refused(self):
        """Each with what is wrong."""
        for given, words in (
            (None, 'no mapping'),
            ({'load1': 1}, "'load1' is no field"),
            ({'host': 'x'}, "'host' is no field"),
            ({'ext:': 1}, 'is no field'),
            ({7: 1}, 'is no field'),
            ({'ext:a': float('inf')}, 'ext:a is no finite number'),
            ({'ext:a': None}, 'ext:a is no finite number'),
            ({'ext:a': [1]}, 'ext:a is no finite number'),
            ({'ext:a': 10**100}, 'ext:a is no finite number'),
            ({'ext:a': 'x' * 256}, 'ext:a is no finite number'),
            ({f'ext:{n}': 1 for n in range(129)}, '129 names'),
        ):
            error = self.assertRaises(
                WrongArgumentsError, validation.validate, given
            )
            self.assertIn(words, str(error))
        for name in ('', 7, None, [], ['h'], ['', 'n'], ['h', 7],
                     ['h', 'n', 'm'], 'x' * 256):
            self.assertRaises(
                WrongArgumentsError, validation.validate_name, name
            )


class StatsTest(testtools.TestCase):
    """Two hosts at most, each stat for 10 seconds."""

    def setUp(self):
        """Use a clock that the test turns."""
        super().setUp()
        self.now = 0.0
        self.stats = HostStats(10, 2, clock=lambda: self.now)

    def load(self, host='h', node='h'):
        """Return the load of a node, and why there is none."""
        stat = self.stats.get(host, node, 'ext:load')
        return stat.value, stat.reason

    def test_age(self):
        """Each stat has its own; the reason tells it."""
        self.assertEqual((None, 'no stat ext:load'), self.load())
        self.stats.update(('h', ''), {'ext:load': 1}, 1)
        self.now = 8.0
        self.stats.update(('h', ''), {'ext:other': 1}, 2)
        self.assertEqual((1, ''), self.load())
        self.now = 12.0
        self.assertEqual(
            stats.Stat(None, 'stat ext:load is stale',
                       'at 12 s, 10 are believed'),
            self.stats.get('h', 'h', 'ext:load'),
        )
        self.assertEqual(1, self.stats.get('h', 'h', 'ext:other').value)

    def test_false_and_zero_are_values(self):
        """Not absent ones."""
        for value in (0, 0.0, False, ''):
            self.stats.update(('h', ''), {'ext:load': value}, 1)
            self.assertEqual((value, ''), self.load())

    def test_node(self):
        """Its own stat before that of the host; of no other node."""
        self.stats.update(('h', ''), {'ext:load': 1}, 1)
        self.stats.update(('h', 'n'), {'ext:load': 2}, 1)
        self.assertEqual((2, ''), self.load(node='n'))
        self.assertEqual((1, ''), self.load(node='m'))

    def test_room(self):
        """A third host is refused until all of one's stats are too old."""
        self.stats.update(('a', ''), {'ext:load': 1}, 1)
        self.stats.update(('b', ''), {'ext:load': 1}, 1)
        self.assertRaises(
            WrongArgumentsError, self.stats.update, ('c', ''),
            {'ext:load': 1}, 1,
        )
        self.now = 11.0
        self.stats.update(('c', ''), {'ext:load': 3}, 1)
        self.assertEqual((3, ''), self.load('c', 'c'))

    def test_room_of_a_host(self):
        """Not one stat more than a host may have."""
        for n in range(stats.MAX_STATS):
            self.stats.update(('h', ''), {f'ext:{n}': n}, 1)
        self.assertRaises(
            WrongArgumentsError, self.stats.update, ('h', ''),
            {'ext:load': 1}, 1,
        )
