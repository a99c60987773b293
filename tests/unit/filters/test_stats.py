"""StatsFilter holds hosts to what is asked of their stats."""

import testtools

from nova_ext import testing
from nova_ext.core.plugin.answers import PASS, reject
from nova_ext.filters.stats import StatsFilter

STATS = {'cmp-1': {'ext:load1': 7.5, 'free_ram_mb': 100, 'ext:ssd': True}}


class StatsFilterTest(testtools.TestCase):
    """Extra specs and hints alike."""

    def setUp(self):
        """Make a filter of three stats."""
        super().setUp()
        self.filter = StatsFilter(
            {'names': ['load1', 'free_ram_mb', 'ssd']},
            testing.FakeFacts(stats=STATS),
        )

    def check(self, specs, hints=None, host='cmp-1'):
        """Return the verdict for a host."""
        return testing.check(
            self.filter, testing.make_host(host),
            testing.make_request(
                hints, flavor=testing.FakeFlavor(extra_specs=specs)
            ),
        )

    def test_verdicts(self):
        """Met, missed, several of them, and such as are for others."""
        for specs, hints, verdict in (
            ({}, {}, PASS),
            ({'capabilities:load1': '<= 1'}, {'load1': '<= 1'}, PASS),
            ({'stats:load1': '<= 8'}, {}, PASS),
            ({'stats:load1': '<= 7'}, {},
             reject('stats:load1 is not <= 7', 'but 7.5')),
            ({'stats:free_ram_mb': '>= 64', 'stats:ssd': 'true'}, {}, PASS),
            ({'stats:ssd': 'false'}, {},
             reject('stats:ssd is not false', 'but true')),
            ({'stats:load1': '<= 8'}, {'stats:load1': ['<= 9', '<= 2']},
             reject('stats:load1 is not <= 2', 'but 7.5')),
        ):
            self.assertEqual(verdict, self.check(specs, hints), specs)

    def test_absent(self):
        """No requirement is met; the reason is the stat's own."""
        self.assertEqual(
            reject('no stat ext:load1'),
            self.check({'stats:load1': '!= 1'}, host='cmp-2'),
        )

    def test_unreadable(self):
        """Every host is rejected with what is wrong."""
        for specs, words in (
            ({'stats:load1': '< 8'}, "stats:load1='< 8': no operator"),
            ({'stats:laod1': '<= 8'},
             'stats:laod1: [nova_ext_stats] names has no laod1'),
            ({'stats:ext:load1': '<= 8'}, 'names has no ext:load1'),
        ):
            for host in ('cmp-1', 'cmp-2'):
                verdict = self.check(specs, host=host)
                self.assertFalse(verdict.passed)
                self.assertIn(words, verdict.reason)

    def test_needed(self):
        """Name the stats that programs shall push."""
        self.assertEqual(
            ['ext:load1', 'free_ram_mb', 'ext:ssd'],
            self.filter.get_needed_stats(),
        )

    def test_restricted(self):
        """Hints at the first boot need the policy; flavors do not."""
        hint = {'stats:load1': '<= 8'}
        is_restricted = self.filter.is_restricted
        self.assertTrue(is_restricted(testing.make_request(hint)))
        self.assertFalse(
            is_restricted(testing.make_request(hint, ignore_hosts=['cmp-2']))
        )
        self.assertFalse(is_restricted(testing.make_request(
            flavor=testing.FakeFlavor(extra_specs=hint)
        )))
