"""Answers of filters and drivers."""

import random

import testtools

from nova_ext import testing
from nova_ext.core.plugin import answers
from nova_ext.core.plugin.answers import Ranking


class ShuffleTest(testtools.TestCase):
    """Draw again what was drawn."""

    def test_drawn_again(self):
        """From the seed and the names alone, however the hosts came."""
        names = [f'cmp-{number}' for number in range(10)]
        hosts = [testing.make_host(name) for name in reversed(names)]
        ranking = Ranking.shuffle(hosts, 'of another group')
        again = random.Random(ranking.seed)  # noqa: S311  not a secret
        self.assertEqual(
            again.sample(names, len(names)),
            [host.host for host in ranking.hosts],
        )
        self.assertEqual('of another group', ranking.reason)

    def test_never_the_same(self):
        """Each ranking has a seed of its own."""
        seeds = {Ranking.shuffle([]).seed for _ in range(20)}
        self.assertGreater(len(seeds), 10)

    def test_hosts_in_order(self):
        """A ranking of a driver's own has none."""
        self.assertIsNone(Ranking([]).seed)


class VerdictTest(testtools.TestCase):
    """Test a filter's answers."""

    def test_a_rejection_needs_a_reason(self):
        """An operator would learn nothing from an empty one."""
        self.assertRaises(ValueError, answers.reject, '')
        self.assertEqual((False, 'full', ''), answers.reject('full'))
        self.assertTrue(answers.PASS.passed)
