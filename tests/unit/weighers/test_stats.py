"""StatsWeigher prefers what is far on the side that is asked for."""

import testtools

from nova_ext import testing
from nova_ext.weighers.stats import StatsWeigher


class StatsWeigherTest(testtools.TestCase):
    """Weights by the request's own requirements."""

    def weigh(self, specs, **stats):
        """Return the weight of a host with such stats."""
        weigher = StatsWeigher(
            {'names': ['load1', 'free'], 'weight_multiplier': 1.0},
            testing.FakeFacts(stats={
                'cmp-1': {f'ext:{name}': v for name, v in stats.items()}
            }),
        )
        return testing.weigh(
            weigher, testing.make_host('cmp-1'), testing.make_request(
                flavor=testing.FakeFlavor(extra_specs=specs)
            ),
        )

    def test_margins(self):
        """In parts of the bound, so that units do not matter."""
        load = {'stats:load1': '<= 8'}
        both = {**load, 'stats:free': '>= 100'}
        self.assertEqual(0.75, self.weigh(load, load1=2))
        self.assertEqual(1.25, self.weigh(both, load1=2, free=150))
        self.assertEqual(0.0, self.weigh({}, load1=2))

    def test_absent(self):
        """It counts as one at its bound: behind all that are better."""
        self.assertEqual(0.0, self.weigh({'stats:load1': '<= 8'}))

    def test_multiplier(self):
        """The option's; none where nobody may ask for a stat."""
        for names, multiplier in ((['load1'], 2.5), ([], 0.0)):
            weigher = StatsWeigher({'names': names, 'weight_multiplier': 2.5})
            self.assertEqual(multiplier, weigher.get_multiplier())

    def test_unreadable(self):
        """It weighs nothing; the filter refuses it."""
        self.assertEqual(0.0, self.weigh({'stats:load1': '< 8'}, load1=2))
        self.assertEqual(0.0, self.weigh({'stats:x': '<= 8'}, x=2))
