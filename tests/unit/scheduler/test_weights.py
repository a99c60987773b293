"""Plugin weighers as Nova sees them."""

import fixtures
from nova import exception
from nova.scheduler import weights as nova_weights

from nova_ext import testing
from nova_ext.core import extension
from nova_ext.scheduler import weights
from nova_ext.scheduler.plugins.weigher_adapter import WeigherAdapter
from tests.unit.scheduler import configured

NOVA_LINE = 'nova.scheduler.weights.all_weighers'


class DigitWeigher(extension.Weigher):
    """The last digit, or what the request says."""

    def weigh(self, host, request):
        """A number, or a mistake."""
        return float(
            request.get_scheduler_hint('weight', host.host[-1])
        )


class AllWeighersTest(configured.ConfiguredTestCase):
    """No weigher counts twice."""

    def loaded(self, *lines):
        """Names of what Nova would load for these lines."""
        self.flags('filter_scheduler', weight_classes=list(lines))
        handler = nova_weights.HostWeightHandler()
        return [c.__name__ for c in handler.get_matching_classes(lines)]

    def test_alone_and_beside(self):
        """Alone, after and before Nova's line, beside one class."""
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
    """An adapted weigher is one of Nova's."""

    def setUp(self):
        """Make one."""
        super().setUp()
        self.useFixture(fixtures.FakeLogger())
        self.weigher = WeigherAdapter.adapt(DigitWeigher)()

    def weigh(self, **hints):
        """The raw weights of two hosts."""
        weighed = [
            nova_weights.WeighedHost(testing.make_host(name), 0.0)
            for name in ('cmp-3', 'cmp-8')
        ]
        return self.weigher.weigh_objects(
            weighed, testing.make_request(hints)
        )

    def test_weights(self):
        """As the plugin says."""
        self.assertEqual([3.0, 8.0], list(self.weigh()))
        self.assertEqual('DigitWeigher', type(self.weigher).__name__)

    def test_no_number_fails_the_request(self):
        """Not finite, or raising."""
        for bad, what in (('nan', 'ValueError'), ('x', 'ValueError')):
            error = self.assertRaises(
                exception.NoValidHost, self.weigh, weight=bad
            )
            self.assertIn(f'weigher DigitWeigher raised {what}', str(error))

    def test_not_asked_where_it_counts_for_nothing(self):
        """A multiplier of 0, for all hosts, saves the work."""
        self.weigher.plugin.multiplier = lambda: 0.0
        self.assertEqual([0.0, 0.0], list(self.weigh(weight='x')))

    def test_multiplier_of_an_aggregate(self):
        """It overrides the option's."""

        class Aggregate:
            metadata = {'digit_weight_multiplier': '2.5'}  # noqa: RUF012

        self.assertEqual(
            1.0, self.weigher.weight_multiplier(testing.make_host())
        )
        host = testing.make_host(aggregates=[Aggregate()])
        self.assertEqual(2.5, self.weigher.weight_multiplier(host))
