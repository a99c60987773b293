"""What weighers said, worked out afterwards."""

import math
import random

import testtools
from nova.scheduler import weights as nova_weights

from nova_ext.core.decision import weigher_contributions
from nova_ext.scheduler.trace import weighings
from nova_ext.testing import make_host


def weigher(name, words, multipliers=1.0, low=None):
    """A weigher of Nova's kind.

    :param words: its weights by host.
    :param multipliers: one for all hosts, or by host.
    """
    class Weigher(nova_weights.BaseHostWeigher):
        minval = low
        kept = None

        def weigh_objects(self, weighed, properties):
            raw = super().weigh_objects(weighed, properties)
            self.kept.add(self, weighed, raw)
            return raw

        def _weigh_object(self, host, properties):
            return words[host.host]

        def weight_multiplier(self, host):
            if isinstance(multipliers, dict):
                return multipliers[host.host]
            return multipliers

    Weigher.__name__ = name
    return Weigher()


class WeighingsTest(testtools.TestCase):
    """Nova's own weigh handler runs the weighers."""

    def weigh(self, hosts, *weighers):
        """Weigh hosts, and keep what the weighers say.

        :returns: what was kept, and Nova's weighed hosts.
        """
        kept = weighings.Weighings()
        for each in weighers:
            each.kept = kept
        handler = nova_weights.HostWeightHandler()
        weighed = handler.get_weighed_objects(weighers, hosts, None)
        kept.close()
        return kept, weighed

    def test_sums_are_novas(self):
        """The contributions of random weighers add up to Nova's weights."""
        chance = random.Random(1)  # noqa: S311  no secret
        hosts = [make_host(f'h{n}') for n in range(7)]
        for _ in range(30):
            kept, weighed = self.weigh(hosts, *(
                weigher(
                    f'W{n}',
                    {h.host: chance.choice([0, 1, 5.5, -3]) for h in hosts},
                    {h.host: chance.choice([1.0, -2.0, 1e6]) for h in hosts},
                    chance.choice([None, 0]),
                ) for n in range(3)
            ))
            summary = kept.summarize(None)
            for each in weighed:
                parts = weigher_contributions.contributions(summary, each.obj.host)
                self.assertEqual(each.weight, sum(p.amount for p in parts))

    def test_without(self):
        """Who would have won without a weigher, only where it is another."""
        hosts = [make_host(name) for name in 'abc']
        kept, _ = self.weigh(
            hosts,
            weigher('Big', {'a': 3, 'b': 0, 'c': 0}, 5.0),
            weigher('Same', {'a': 1, 'b': 1, 'c': 1}, 9.0),
            weigher('Small', {'a': 0, 'b': 1, 'c': 1}),
        )
        self.assertEqual(
            [('Big', ['b', 'c']), ('Same', []), ('Small', [])],
            [(w.name, w.without) for w in kept.summarize(None)],
        )
        self.assertEqual(hosts[:1], kept.best())

    def test_some_hosts(self):
        """Normalised as in the whole list; idle weighers by name alone."""
        hosts = [make_host(name) for name in 'abc']
        kept, _ = self.weigh(
            hosts, weigher('W', {'a': 1, 'b': 2, 'c': 5}, 2.0),
            weigher('Same', {'a': 1, 'b': 1, 'c': 1}),
        )
        summary = kept.summarize(hosts[1:2])
        (part,) = weigher_contributions.contributions(summary, 'b')
        self.assertEqual((2, 0.25, 2.0, 0.5), (
            part.raw, part.normalised, part.multiplier, part.amount
        ))
        self.assertEqual([], weigher_contributions.contributions(summary, 'a'))
        self.assertEqual(['W', 'Same'], [w.name for w in summary])

    def test_no_number(self):
        """What JSON can't hold is left out."""
        hosts = [make_host(name) for name in 'abc']
        kept, _ = self.weigh(
            hosts,
            weigher('W', {'a': 1.0, 'b': math.inf, 'c': math.nan},
                    {'a': -math.inf, 'b': 1.0, 'c': 1.0}),
        )
        (weighing,) = kept.summarize(None)
        self.assertEqual({'a': 1.0}, weighing.weights)
        self.assertEqual({'b': 1.0, 'c': 1.0}, weighing.multipliers)
        self.assertIsNone(weighing.high)

    def test_without_against_nova(self):
        """It is what Nova finds when it weighs without that weigher."""
        chance = random.Random(2)  # noqa: S311  no secret
        hosts = [make_host(f'h{n}') for n in range(3)]
        found = 0
        for _ in range(60):
            weighers = [
                weigher(
                    f'W{n}',
                    {h.host: chance.choice([0, 1, 3]) for h in hosts},
                    chance.choice([1.0, -0.3, 1e6]),
                ) for n in range(3)
            ]
            kept, weighed = self.weigh(hosts, *weighers)
            best = {w.obj.host for w in weighed
                    if w.weight == weighed[0].weight}
            for number, summary in enumerate(kept.summarize(None)):
                left = weighers[:number] + weighers[number + 1:]
                _, without = self.weigh(hosts, *left)
                expected = {w.obj.host for w in without
                            if w.weight >= without[0].weight - 1e-6}
                self.assertEqual(
                    set() if best & expected else expected,
                    set(summary.without),
                )
                found += bool(summary.without)
        self.assertGreater(found, 9)
