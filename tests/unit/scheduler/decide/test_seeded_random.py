"""Nova's draws, by generators whose seeds can be told."""

import random

import fixtures
import testtools
from nova.scheduler import manager

from nova_ext.scheduler.decide import seeded_random


class Drawing:
    """Draws as Nova's manager does."""

    def __init__(self, *hosts):
        self.hosts = hosts

    def drawn(self, count, *, last=False):
        """Some hosts, in a new order."""
        chosen = random.sample(self.hosts, count)
        return chosen[-1:] if last else chosen

    def by_its_own(self, count):
        """By what only bears the module's name."""
        return self.random.sample(self.hosts, count)

    def without_chance(self, count):
        """The first few."""
        return self.hosts[:count]


class SeededTest(testtools.TestCase):
    """One call with a generator of its own."""

    def setUp(self):
        """The generator of the process may be moved, and is put back."""
        super().setUp()
        self.addCleanup(random.setstate, random.getstate())

    def test_drawn_again(self):
        """The seed gives the same draw."""
        hosts = list(range(100))
        made = seeded_random.of(Drawing(*hosts).drawn)
        again = random.Random(made.seed)  # noqa: S311  not a secret
        self.assertEqual(again.sample(hosts, 5), made.method(5))
        again.seed(made.seed)
        again.sample(hosts, 5)
        self.assertEqual(
            again.sample(hosts, 3)[-1:], made.method(3, last=True)
        )

    def test_process_is_left_alone(self):
        """Its generator neither decides nor moves."""
        state = random.getstate()
        seen = set()
        for _ in range(20):
            random.setstate(state)
            made = seeded_random.of(Drawing(*range(100)).drawn)
            seen.add(tuple(made.method(5)))
            self.assertEqual(state, random.getstate())
        self.assertGreater(len(seen), 1)
        self.assertIs(random, Drawing.drawn.__globals__['random'])

    def test_no_chance(self):
        """What does not draw, or otherwise, is called as it is."""
        drawing = Drawing(1, 2)
        for method in (
            drawing.without_chance, drawing.by_its_own, [1, 2].index,
            testtools.TestCase.run,
        ):
            self.assertEqual((method, None), seeded_random.of(method))
        with fixtures.MonkeyPatch(f'{__name__}.random', None):
            self.assertIsNone(seeded_random.of(drawing.drawn).seed)

    def test_harmless(self):
        """Where no generator can be made, Nova's own is used."""
        method = Drawing(1, 2).drawn
        with fixtures.MonkeyPatch('nova_ext.scheduler.decide.seeded_random.new_seed', None):
            self.assertEqual((method, None), seeded_random.of(method))

    def test_nova_draws(self):
        """Its method is one that can be seeded."""
        nova = object.__new__(manager.SchedulerManager)
        self.assertIsNotNone(seeded_random.of(nova._get_sorted_hosts).seed)
