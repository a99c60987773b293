"""Test that Nova draws with a seed that is known."""

import random

import fixtures
import testtools
from nova.scheduler import manager

from nova_ext.scheduler.cycle.nova_source import seed_method


class Drawing:
    """Draw as Nova's manager does."""

    def __init__(self, *hosts):
        self.hosts = hosts

    def drawn(self, count, *, last=False):
        """Return some hosts, in a new order."""
        chosen = random.sample(self.hosts, count)
        return chosen[-1:] if last else chosen

    def by_its_own(self, count):
        """Draw by an attribute that has the module's name."""
        return self.random.sample(self.hosts, count)

    def without_chance(self, count):
        """Return the first few."""
        return self.hosts[:count]


class SeededTest(testtools.TestCase):
    """Test calls with a generator of their own."""

    def setUp(self):
        """Restore the generator of the process after each test."""
        super().setUp()
        self.addCleanup(random.setstate, random.getstate())

    def test_drawn_again(self):
        """Draw the same again from the seed."""
        hosts = list(range(100))
        seeded, seed = seed_method(Drawing(*hosts).drawn)
        again = random.Random(seed)  # noqa: S311  not a secret
        self.assertEqual(again.sample(hosts, 5), seeded(5))
        again.seed(seed)
        again.sample(hosts, 5)
        self.assertEqual(
            again.sample(hosts, 3)[-1:], seeded(3, last=True)
        )

    def test_process_is_left_alone(self):
        """Neither use nor move the generator of the process."""
        state = random.getstate()
        seen = set()
        for _ in range(20):
            random.setstate(state)
            seeded, _ = seed_method(Drawing(*range(100)).drawn)
            seen.add(tuple(seeded(5)))
            self.assertEqual(state, random.getstate())
        self.assertGreater(len(seen), 1)
        self.assertIs(random, Drawing.drawn.__globals__['random'])

    def test_no_chance(self):
        """Return a method as it is, if it does not draw by the module."""
        drawing = Drawing(1, 2)
        for method in (
            drawing.without_chance, drawing.by_its_own, [1, 2].index,
            testtools.TestCase.run,
        ):
            self.assertEqual((method, None), seed_method(method))
        with fixtures.MonkeyPatch(f'{__name__}.random', None):
            self.assertIsNone(seed_method(drawing.drawn)[1])

    def test_harmless(self):
        """Use Nova's generator where no other can be made."""
        method = Drawing(1, 2).drawn
        name = 'nova_ext.scheduler.cycle.nova_source.generate_seed'
        with fixtures.MonkeyPatch(name, None):
            self.assertEqual((method, None), seed_method(method))

    def test_nova_draws(self):
        """Seed the method of Nova's manager."""
        nova = object.__new__(manager.SchedulerManager)
        _, seed = seed_method(nova._get_sorted_hosts)
        self.assertIsNotNone(seed)
