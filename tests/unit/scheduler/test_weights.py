"""Test plugin weighers as Nova sees them."""

import fixtures
from nova import exception
from nova.scheduler import weights as nova_weights

from nova_ext import plugin, testing
from nova_ext.scheduler import weights
from nova_ext.scheduler.plugins.adapters import WeigherAdapter
from tests.unit.scheduler import configured

NOVA_LINE = 'nova.scheduler.weights.all_weighers'


class DigitWeigher(plugin.Weigher):
    """Weigh by the last digit, or by a hint."""

    def weigh(self, host, request):
        """Return a number, or raise."""
        return float(
            request.get_scheduler_hint('weight', host.host[-1])
        )


class AllWeighersTest(configured.ConfiguredTestCase):
    """Test that no weigher counts twice."""

    def loaded(self, *lines):
        """Return the names of what Nova loads for these lines."""
        self.flags('filter_scheduler', weight_classes=list(lines))
        handler = nova_weights.HostWeightHandler()
        return [c.__name__ for c in handler.get_matching_classes(lines)]

    def test_alone_and_beside(self):
        """Load ours alone, with Nova's line, and with one class."""
        nova = [cls.__name__ for cls in nova_weights.all_weighers()]
        ours = ['OwnerSpreadWeigher', 'SpecifiedHostWeigher', 'StatsWeigher']
        every = sorted([*nova, *ours])
        alone = self.loaded(weights.LINE)
        self.assertEqual([*nova, *ours], alone)
        for lines in (
            (NOVA_LINE, weights.LINE),
            (weights.LINE, NOVA_LINE),
            (weights.LINE, 'nova.scheduler.weights.ram.RAMWeigher'),
        ):
            self.assertEqual(every, sorted(self.loaded(*lines)), lines)


class AdaptTest(configured.ConfiguredTestCase):
    """Test the adapter of weighers."""

    def setUp(self):
        """Adapt a weigher."""
        super().setUp()
        self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.weigher = WeigherAdapter.adapt(DigitWeigher)()

    def weigh(self, **hints):
        """Return the raw weights of two hosts."""
        weighed = [
            nova_weights.WeighedHost(testing.make_host(name), 0.0)
            for name in ('cmp-3', 'cmp-8')
        ]
        return self.weigher.weigh_objects(
            weighed, testing.make_request(hints)
        )

    def test_weights(self):
        """Return the plugin's weights under its name."""
        self.assertEqual([3.0, 8.0], list(self.weigh()))
        self.assertEqual('DigitWeigher', type(self.weigher).__name__)

    def test_no_number_fails_the_request(self):
        """Fail where the plugin raises, or a weight is not finite."""
        for bad, what in (('nan', 'ValueError'), ('x', 'ValueError')):
            error = self.assertRaises(
                exception.NoValidHost, self.weigh, weight=bad
            )
            self.assertIn(f'weigher DigitWeigher raised {what}', str(error))

    def test_not_asked_where_it_counts_for_nothing(self):
        """Call no plugin where the multiplier of all hosts is 0."""
        self.weigher.plugin.get_multiplier = lambda: 0.0
        self.assertEqual([0.0, 0.0], list(self.weigh(weight='x')))

    def test_multiplier_of_an_aggregate(self):
        """Prefer the multiplier of an aggregate."""

        class Aggregate:
            metadata = {'digit_weight_multiplier': '2.5'}  # noqa: RUF012

        self.assertEqual(
            1.0, self.weigher.weight_multiplier(testing.make_host())
        )
        host = testing.make_host(aggregates=[Aggregate()])
        self.assertEqual(2.5, self.weigher.weight_multiplier(host))
