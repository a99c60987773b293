"""Test what is said of active plugins and unread hints."""

import types
from pathlib import Path

import fixtures
from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights
from nova.scheduler.filters import affinity_filter, compute_filter
from nova.scheduler.weights import ram

from nova_ext import testing
from nova_ext.costs.free_ram import FreeRamCost
from nova_ext.drivers.chance import ChanceScheduler
from nova_ext.filters.specified_host import SpecifiedHostFilter
from nova_ext.filters.stats import StatsFilter
from nova_ext.plugin import Driver
from nova_ext.scheduler.discovery import active_plugins, installed
from nova_ext.scheduler.discovery.hint_readers import find_unread_hints
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.plugins.adapters import FilterAdapter, WeigherAdapter
from nova_ext.weighers.specified_host import SpecifiedHostWeigher
from tests.unit.scheduler import configured

PLAIN = '''
from nova_ext.plugin import Driver


class RackDriver(Driver):
    """Read a hint."""

    topic = 'compute'
    hints = ('rack',)
'''


class RackFilter(affinity_filter.SameHostFilter):
    """Declare no hints."""


class ShelfFilter(RackFilter):
    """Declare a hint."""

    hints = ('same_host', 'shelf')


class InForceTest(configured.ConfiguredTestCase):
    """Test with filters and weighers as the scheduler loads them."""

    def setUp(self):
        """Trace Nova's and ours."""
        super().setUp()
        self.manager = types.SimpleNamespace(
            enabled_filters=[
                traced.trace_filter_class(compute_filter.ComputeFilter)(),
                traced.trace_filter_class(affinity_filter.SameHostFilter)(),
                FilterAdapter.adapt(SpecifiedHostFilter)(),
                FilterAdapter.adapt(StatsFilter)(),
            ],
            weighers=[
                traced.trace_weigher_class(ram.RAMWeigher)(),
                WeigherAdapter.adapt(SpecifiedHostWeigher)(),
            ],
        )
        self.driver = ChanceScheduler(testing.FakeFacts())

    def test_describe(self):
        """Describe each by the name and the source of its own class."""
        self.flags('filter_scheduler', ram_weight_multiplier=2.5)
        description = active_plugins.describe(
            self.manager, {'compute': self.driver},
            [(FreeRamCost(), 16)],
        )
        self.assertEqual({
            'name': 'SameHostFilter', 'hints': ['same_host'],
            'source': 'nova.scheduler.filters.affinity_filter.SameHostFilter',
        }, description['filters'][1])
        self.assertEqual([{
            'name': 'FreeRamCost', 'hints': [], 'weight': 16,
            'source': 'nova_ext.costs.free_ram.FreeRamCost',
        }], description['costs'])
        self.assertEqual({
            'name': 'SpecifiedHostFilter', 'hints': ['requested_host'],
            'source': 'nova_ext.filters.specified_host.SpecifiedHostFilter',
        }, description['filters'][2])
        self.assertEqual(
            [2.5, 1e6],
            [weigher['multiplier'] for weigher in description['weighers']],
        )
        driver, = description['drivers']
        self.assertEqual(
            ('compute', 'ChanceScheduler', []),
            (driver['topic'], driver['name'], driver['hints']),
        )

    def test_unread(self):
        """Find hints that neither a name nor a prefix covers."""
        self.assertEqual(['reqested_host', 'group'], find_unread_hints(
            ['requested_host', 'reqested_host', 'same_host', 'group',
             'stats:load1'], [type(reader) for reader in (
                 *self.manager.enabled_filters, *self.manager.weighers,
                 self.driver,
             )],
        ))

    def test_plain_file(self):
        """Read the hints of a driver in a plain file, too."""
        path = Path(self.useFixture(fixtures.TempDir()).path, 'racks.py')
        path.write_text(PLAIN)
        self.flags('nova_ext', plugin_files=[str(path)])
        cls = installed.load_classes('nova_ext.drivers', Driver)['RackDriver']
        self.assertEqual(['x'], find_unread_hints(['rack', 'x'], [cls]))

    def test_undeclared(self):
        """Return None only where an unread hint may be read by any."""
        for cls in (RackFilter, traced.trace_filter_class(RackFilter)):
            self.assertIsNone(find_unread_hints(
                ['x'], [affinity_filter.SameHostFilter, cls]
            ))
            self.assertEqual([], find_unread_hints(
                ['same_host'], [affinity_filter.SameHostFilter, cls]
            ))
        self.manager.enabled_filters = [
            traced.trace_filter_class(cls)()
            for cls in (RackFilter, ShelfFilter)
        ]
        description = active_plugins.describe(self.manager, {}, [])
        self.assertEqual(
            [None, ['same_host', 'shelf']],
            [filter_['hints'] for filter_ in description['filters']],
        )

    def test_declared(self):
        """Read the hints that a filter of Nova's kind declares."""
        for cls in (ShelfFilter, traced.trace_filter_class(ShelfFilter)):
            self.assertEqual(['x'], find_unread_hints(
                ['same_host', 'shelf', 'x'], [cls]
            ))

    def test_novas_own(self):
        """Know the hints of all of Nova's own."""
        classes = [*nova_filters.all_filters(), *nova_weights.all_weighers()]
        for cls in classes:
            self.assertEqual(['x'], find_unread_hints(['x'], [cls]), cls)

    def test_asks_more_of_a_host(self):
        """Leave a multiplier out that can't be read."""
        weigher = self.manager.weighers[0]
        weigher.weight_multiplier = lambda host: host.no_such_field
        description = active_plugins.describe(self.manager, {}, [])
        self.assertIsNone(description['weighers'][0]['multiplier'])
