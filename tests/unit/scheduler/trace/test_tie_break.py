"""Test draws, and which hosts tied for first place."""

import random

from nova import conf
from nova.scheduler import manager
from nova.scheduler import weights as nova_weights
from oslo_config import fixture as config

from nova_ext.core.decision import decision as d
from nova_ext.scheduler.trace import tie_break, weighings
from nova_ext.testing import make_host
from tests.draws import place_drawn
from tests.unit.scheduler.trace.untraced import UntracedTestCase


class KeepingWeigher(nova_weights.BaseHostWeigher):
    """Weigh hosts by their names, and keep the weights.

    :param weights: by host.
    """

    def __init__(self, weights):
        self.weights = weights
        self.weighed = weighings.Weighings()

    def weigh_objects(self, weighed, properties):
        """Return Nova's weights, and keep them."""
        raw = super().weigh_objects(weighed, properties)
        self.weighed.add(self, weighed, raw)
        return raw

    def _weigh_object(self, host, properties):
        return self.weights[host.host]


class HostManager:
    """Filter and weigh as Nova's host manager does."""

    def __init__(self, weigher):
        self.weigher = weigher

    def get_filtered_hosts(self, hosts, spec, index):
        """Return all of them."""
        return hosts

    def get_weighed_hosts(self, hosts, spec):
        """Weigh by the one weigher."""
        return nova_weights.HostWeightHandler().get_weighed_objects(
            [self.weigher], hosts, spec
        )


class DrawnTest(UntracedTestCase):
    """Test draws of Nova's own method."""

    def setUp(self):
        """Restore Nova's options and generator after each test."""
        super().setUp()
        self.conf = self.useFixture(config.Config(conf.CONF))
        self.addCleanup(random.setstate, random.getstate())

    def nova(self, weights, subset, *, shuffled):
        """Rank hosts by Nova.

        :param weights: of hosts, by name.
        :returns: the kept weights, and the ranking.
        """
        self.conf.config(
            group='filter_scheduler', host_subset_size=subset,
            shuffle_best_same_weighed_hosts=shuffled,
        )
        nova = object.__new__(manager.SchedulerManager)
        weigher = KeepingWeigher(weights)
        nova.host_manager = HostManager(weigher)
        ranking = nova._get_sorted_hosts(
            None, [make_host(name) for name in weights], 0
        )
        weigher.weighed.close()
        return weigher.weighed, ranking

    def test_every_host(self):
        """Find every host that can come first, and no other."""
        for equal, subset, shuffled, expected in (
            (1, 1, True, ''), (3, 1, True, 'abc'), (3, 1, False, ''),
            (1, 2, True, 'ab'), (1, 9, False, 'abcd'), (3, 2, True, 'abc'),
            (3, 2, False, 'ab'), (2, 3, True, 'abc'),
        ):
            weights = {
                name: 0.0 if place < equal else -place
                for place, name in enumerate('abcd')
            }
            firsts = set()
            for seed in range(200):
                random.seed(seed)
                weighed, ranking = self.nova(
                    weights, subset, shuffled=shuffled
                )
                tie = tie_break.find_nova_draw(weighed, ranking, ranking, seed)
                firsts.add(ranking[0].host)
                self.assertEqual(equal, tie.equal)
                self.assertEqual(
                    list(expected), [host.host for host in tie.hosts]
                )
                if not expected:
                    self.assertIsNone(tie.draw)
                    continue
                self.assertEqual(
                    ranking[0].host, expected[place_drawn(tie.draw)]
                )
            self.assertEqual(set(expected or 'a'), firsts)

    def test_many(self):
        """Draw the place again, also of more hosts than are named."""
        weights = {f'h{n:02}': 0.0 for n in range(30)}
        for subset, shuffled in ((1, True), (20, False), (20, True)):
            for seed in range(20):
                random.seed(seed)
                weighed, ranking = self.nova(
                    weights, subset, shuffled=shuffled
                )
                draw = tie_break.find_nova_draw(
                    weighed, ranking, ranking, seed
                ).draw
                self.assertEqual(
                    ranking[0].host, f'h{place_drawn(draw):02}'
                )

    def test_driver(self):
        """Let the driver reorder hosts, or drop the one drawn."""
        weighed, ranking = self.nova(
            dict.fromkeys('abc', 0.0) | {'d': -1.0}, 1, shuffled=True
        )
        for left in (
            [], ranking[::-1], [ranking[2], ranking[1]], ranking[:0:-1],
        ):
            self.assertEqual(
                tie_break.TieBreak(),
                tie_break.find_nova_draw(weighed, ranking, left, 7),
            )
        tie = tie_break.find_nova_draw(weighed, ranking, ranking[1:], 7)
        self.assertEqual((2, d.Draw([], 2)), (tie.equal, tie.draw))
        self.assertEqual(
            {host.host for host in ranking[1:3]},
            {host.host for host in tie.hosts},
        )
        tie = tie_break.find_nova_draw(weighed, ranking, ranking[:2], 7)
        self.assertEqual((3, 3, 7),
                         (tie.equal, tie.draw.count, tie.draw.seed))
        tie = tie_break.find_nova_draw(weighed, ranking, ranking[3:], 7)
        self.assertEqual((0, None), (tie.equal, tie.draw))

    def test_no_weigher(self):
        """Find no tie without weighers."""
        for shuffled in (True, False):
            _, ranking = self.nova(
                dict.fromkeys('abc', 0.0), 2, shuffled=shuffled
            )
            tie = tie_break.find_nova_draw(
                weighings.Weighings(), ranking, ranking, 7
            )
            self.assertEqual((0, None), (tie.equal, tie.draw))

    def test_by_driver(self):
        """Return all that the driver returned."""
        self.assertEqual(
            tie_break.TieBreak(0, 'ab', d.Draw([], 2, 7, by_driver=True)),
            tie_break.find_driver_draw('ab', 7),
        )
        self.assertEqual(
            tie_break.TieBreak(), tie_break.find_driver_draw('a', 7)
        )
