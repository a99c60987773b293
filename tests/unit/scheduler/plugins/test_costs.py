"""Test that costs are loaded and added up, or refused in one line."""

from pathlib import Path

import fixtures

from nova_ext import testing
from nova_ext.core.base import errors
from nova_ext.plugin import MAX_COST, Cost
from nova_ext.scheduler.plugins import costs
from tests.unit.scheduler import configured

SHOWN = (
    Path(__file__).parents[4] / 'doc/source/user/offers/failed_builds.py'
)
FILE = '''
from nova_ext.plugin import Cost


class RackCost(Cost):
    """Cost seven."""

    def get_cost(self, host, request):
        """Return it."""
        return 7


class PickyCost(Cost):
    """Fail to start."""

    def __init__(self, options=None, facts=None):
        raise RuntimeError('no licence')
'''


class Fixed(Cost):
    """Answer always the same."""

    def __init__(self, value):
        self.value = value

    def get_cost(self, host, request):
        """Return it, or raise it."""
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


class LoadTest(configured.ConfiguredTestCase):
    """Read the options."""

    def setUp(self):
        """Bring two costs in a file."""
        super().setUp()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'rack_costs.py').write_text(FILE)
        self.flags(
            'nova_ext', plugin_files=[str(folder / 'rack_costs.py')]
        )

    def names(self):
        """Return the enabled costs, with their weights."""
        return [
            (type(cost).__name__, weight)
            for cost, weight in costs.load(testing.FakeFacts()).weighted
        ]

    def refusal(self):
        """Return the line with which the options are refused."""
        error = self.assertRaises(errors.ConfigurationError, self.names)
        self.assertNotIn('\n', str(error))
        return str(error)

    def test_default(self):
        """Enable ours, in a plain sum."""
        self.assertEqual(
            [('FreeRamCost', 1), ('OwnerServersCost', 1)], self.names()
        )

    def test_weights(self):
        """Take those of a file, and integers as weights."""
        self.flags('nova_ext', enabled_costs=['RackCost', 'FreeRamCost'])
        self.conf.load_raw_values(
            group='nova_ext', cost_weights='RackCost:16'
        )
        self.assertEqual([('RackCost', 16), ('FreeRamCost', 1)], self.names())

    def test_documentation(self):
        """Load the cost that the documentation shows."""
        self.flags(
            'nova_ext', plugin_files=[str(SHOWN)],
            enabled_costs=['FailedBuildsCost'],
        )
        added = costs.load(testing.FakeFacts()).add_up(
            testing.make_host('cmp-1', failed_builds=3),
            testing.make_request(),
        )
        self.assertEqual(3 * 4096, added)

    def test_refused(self):
        """Refuse what can't be meant, and name it."""
        for names, weights, words in (
            (['RakCost'], {}, 'RakCost: no such cost; did you mean RackCost?'),
            (['RackCost'] * 2, {}, 'RackCost: stands there twice'),
            (['RackCost'], {'FreeRamCost': 2},
             'cost_weights = FreeRamCost: no enabled cost'),
            (['PickyCost'], {}, 'does not start: RuntimeError: no licence'),
        ):
            self.flags('nova_ext', enabled_costs=names, cost_weights=weights)
            self.assertIn(words, self.refusal())

    def test_no_cost(self):
        """Refuse an entry point of another class."""
        self.useFixture(fixtures.MockPatch(
            'nova_ext.scheduler.discovery.installed.load_classes',
            return_value={'FreeRamCost': Fixed, 'OwnerServersCost': dict},
        ))
        self.flags('nova_ext', enabled_costs=['OwnerServersCost'])
        self.assertIn('no cost: not a subclass of', self.refusal())


class AddUpTest(configured.ConfiguredTestCase):
    """Add up what costs answer."""

    def add_up(self, *weighted):
        """Return the sum of values with weights."""
        return costs.HostCosts(
            [(Fixed(value), weight) for value, weight in weighted]
        ).add_up(testing.make_host('cmp-1'), testing.make_request())

    def test_sum(self):
        """Multiply by the weights; without a cost all hosts are alike."""
        self.assertEqual(0, self.add_up())
        self.assertEqual(7, self.add_up((3, 1), (4, 1)))
        self.assertEqual(46, self.add_up((3, 10), (4, 4), (9, 0)))

    def test_ends(self):
        """Stay at the greatest cost; never wrap."""
        self.assertEqual(MAX_COST, self.add_up((MAX_COST, 1), (MAX_COST, 1)))
        self.assertEqual(MAX_COST, self.add_up((2, MAX_COST)))

    def test_no_cost(self):
        """Name a cost that raises, or says what can't be added up."""
        for value in (
            KeyError('rack'), SystemExit(), -1, MAX_COST + 1, 1.0, True, '1',
            None,
        ):
            error = self.assertRaises(
                errors.PluginError, self.add_up, (3, 1), (value, 0)
            )
            self.assertIn('cost Fixed raised', str(error))
