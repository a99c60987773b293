"""Orders that chance makes."""

import random

import testtools

from nova_ext import testing
from nova_ext.core.plugin.ranking import Ranking


class ByChanceTest(testtools.TestCase):
    """What was drawn can be drawn again."""

    def test_drawn_again(self):
        """From the seed and the names alone, however the hosts came."""
        names = [f'cmp-{number}' for number in range(10)]
        hosts = [testing.make_host(name) for name in reversed(names)]
        ranking = Ranking.by_chance(hosts, 'of another group')
        again = random.Random(ranking.seed)  # noqa: S311  not a secret
        self.assertEqual(
            again.sample(names, len(names)),
            [host.host for host in ranking.hosts],
        )
        self.assertEqual('of another group', ranking.why)

    def test_never_the_same(self):
        """Each ranking has a seed of its own."""
        seeds = {Ranking.by_chance([]).seed for _ in range(20)}
        self.assertGreater(len(seeds), 10)

    def test_hosts_in_order(self):
        """A ranking of a driver's own has none."""
        self.assertIsNone(Ranking([]).seed)
