"""Time contenders by a clock that they move themselves."""

import time

import testtools

from nova_ext.bench import timing


class RaceTest(testtools.TestCase):
    """Compute timings from seconds."""

    def setUp(self):
        """Stop the clock."""
        super().setUp()
        self.now = 0.0
        self.patch(time, 'perf_counter', lambda: self.now)

    def contender(self, name, *seconds):
        """Return one that takes so long a host; the last for ever after."""
        left = list(seconds)

        def make_call(hosts):
            def call():
                took = left.pop(0) if len(left) > 1 else left[0]
                self.now += took * len(hosts)

            return call

        return timing.Contender(name, make_call)

    def test_timings(self):
        """Give microseconds a host, and the median of the rounds' ratios."""
        ours, nova = timing.compare(
            [
                # The first is the warm-up.
                self.contender('ours', 9.0, 0.002, 0.004, 0.009, 0.006),
                self.contender('nova', 1.0, 0.002, 0.002, 0.001, 0.002),
            ],
            [object()] * 10, 4,
        )
        self.assertEqual(('ours', 10, 1.0), (ours.name, ours.hosts,
                                             ours.ratio))
        self.assertAlmostEqual(5000.0, ours.median_us)
        self.assertAlmostEqual(2000.0, ours.lowest_us)
        self.assertAlmostEqual(9000.0, ours.highest_us)
        # 1, 2, 9 and 3 times as long.
        self.assertAlmostEqual(2.5, nova.ratio)

    def test_short_ones_are_repeated(self):
        """Repeat quick calls until a measurement is long enough."""
        quick = self.contender('quick', 1e-5)
        timing.compare([quick], [object()], 1)
        # The warm-up, then a thousand.
        self.assertAlmostEqual(1001e-5, self.now)
