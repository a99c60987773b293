"""Test the weights of an attempt."""

import math
import random

from nova.scheduler import weights as nova_weights

from nova_ext.core.decision.weigher_contributions import get_contributions
from nova_ext.scheduler.trace import weighings
from nova_ext.testing import make_host
from tests.unit.scheduler.trace.untraced import UntracedTestCase


def weigher(name, words, multipliers=1.0, low=None):
    """Make a weigher of Nova's kind.

    :param words: its weights by host.
    :param multipliers: one for all hosts, or by host.
    """
    class Weigher(nova_weights.BaseHostWeigher):
        minval = low
        weights = None

        def weigh_objects(self, weighed, properties):
            raw = super().weigh_objects(weighed, properties)
            self.weights.add(self, weighed, raw)
            return raw

        def _weigh_object(self, host, properties):
            return words[host.host]

        def weight_multiplier(self, host):
            if isinstance(multipliers, dict):
                return multipliers[host.host]
            return multipliers

    Weigher.__name__ = name
    return Weigher()


class WeighingsTest(UntracedTestCase):
    """Test with Nova's own weight handler."""

    def weigh(self, hosts, *weighers):
        """Weigh hosts, and keep the weights.

        :returns: the kept weights, and Nova's weighed hosts.
        """
        weights = weighings.Weighings()
        for each in weighers:
            each.weights = weights
        handler = nova_weights.HostWeightHandler()
        weighed = handler.get_weighed_objects(weighers, hosts, None)
        weights.close()
        return weights, weighed

    def test_sums_are_novas(self):
        """Add up contributions of random weighers to Nova's weights."""
        chance = random.Random(1)  # noqa: S311  no secret
        hosts = [make_host(f'h{n}') for n in range(7)]
        for _ in range(30):
            weights, weighed = self.weigh(hosts, *(
                weigher(
                    f'W{n}',
                    {h.host: chance.choice([0, 1, 5.5, -3]) for h in hosts},
                    {h.host: chance.choice([1.0, -2.0, 1e6]) for h in hosts},
                    chance.choice([None, 0]),
                ) for n in range(3)
            ))
            summary = weights.summarize(None)
            for host in weighed:
                parts = get_contributions(summary, host.obj.host)
                self.assertEqual(host.weight, sum(p.amount for p in parts))

    def test_without(self):
        """Name the best without a weigher, only where it is another."""
        hosts = [make_host(name) for name in 'abc']
        weights, _ = self.weigh(
            hosts,
            weigher('Big', {'a': 3, 'b': 0, 'c': 0}, 5.0),
            weigher('Same', {'a': 1, 'b': 1, 'c': 1}, 9.0),
            weigher('Small', {'a': 0, 'b': 1, 'c': 1}),
        )
        self.assertEqual(
            [('Big', ['b', 'c']), ('Same', []), ('Small', [])],
            [(w.name, w.without) for w in weights.summarize(None)],
        )
        self.assertEqual(hosts[:1], weights.list_best())

    def test_some_hosts(self):
        """Normalise as in the whole list, and name idle weighers."""
        hosts = [make_host(name) for name in 'abc']
        weights, _ = self.weigh(
            hosts, weigher('W', {'a': 1, 'b': 2, 'c': 5}, 2.0),
            weigher('Same', {'a': 1, 'b': 1, 'c': 1}),
        )
        summary = weights.summarize(hosts[1:2])
        (part,) = get_contributions(summary, 'b')
        self.assertEqual((2, 0.25, 2.0, 0.5), (
            part.raw, part.normalised, part.multiplier, part.amount
        ))
        self.assertEqual([], get_contributions(summary, 'a'))
        self.assertEqual(['W', 'Same'], [w.name for w in summary])

    def test_no_number(self):
        """Leave out what JSON can't hold."""
        hosts = [make_host(name) for name in 'abc']
        weights, _ = self.weigh(
            hosts,
            weigher('W', {'a': 1.0, 'b': math.inf, 'c': math.nan},
                    {'a': -math.inf, 'b': 1.0, 'c': 1.0}),
        )
        (weighing,) = weights.summarize(None)
        self.assertEqual({'a': 1.0}, weighing.weights)
        self.assertEqual({'b': 1.0, 'c': 1.0}, weighing.multipliers)
        self.assertIsNone(weighing.high)

    def test_without_against_nova(self):
        """Compare with Nova without that weigher."""
        chance = random.Random(2)  # noqa: S311  no secret
        hosts = [make_host(f'h{n}') for n in range(3)]
        compared = 0
        for _ in range(60):
            weighers = [
                weigher(
                    f'W{n}',
                    {h.host: chance.choice([0, 1, 3]) for h in hosts},
                    chance.choice([1.0, -0.3, 1e6]),
                ) for n in range(3)
            ]
            weights, weighed = self.weigh(hosts, *weighers)
            best = {w.obj.host for w in weighed
                    if w.weight == weighed[0].weight}
            for number, summary in enumerate(weights.summarize(None)):
                left = weighers[:number] + weighers[number + 1:]
                _, without = self.weigh(hosts, *left)
                expected = {w.obj.host for w in without
                            if w.weight >= without[0].weight - 1e-6}
                self.assertEqual(
                    set() if best & expected else expected,
                    set(summary.without),
                )
                compared += bool(summary.without)
        self.assertGreater(compared, 9)
