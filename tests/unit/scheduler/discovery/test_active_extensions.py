"""What decides, and which hints of a request nothing reads."""

import types
from pathlib import Path

import fixtures
from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights
from nova.scheduler.filters import affinity_filter, compute_filter
from nova.scheduler.weights import ram

from nova_ext import testing
from nova_ext.core.extension import Driver
from nova_ext.drivers.chance import ChanceScheduler
from nova_ext.filters.specified_host import SpecifiedHostFilter
from nova_ext.filters.stats import StatsFilter
from nova_ext.scheduler.discovery import active_extensions, installed
from nova_ext.scheduler.plugins import recording
from nova_ext.scheduler.plugins.filter_adapter import FilterAdapter
from nova_ext.scheduler.plugins.weigher_adapter import WeigherAdapter
from nova_ext.weighers.specified_host import SpecifiedHostWeigher
from tests.unit.scheduler import configured

PLAIN = '''
from nova_ext.core.extension import Driver


class RackDriver(Driver):
    """Reads a hint."""

    topic = 'compute'
    hints = ('rack',)
'''


class RackFilter(affinity_filter.SameHostFilter):
    """A site's, which says nothing of hints."""


class ShelfFilter(RackFilter):
    """One that does."""

    hints = ('same_host', 'shelf')


class InForceTest(configured.ConfiguredTestCase):
    """With filters and weighers as the scheduler loads them."""

    def setUp(self):
        """Nova's and ours, all recording."""
        super().setUp()
        self.manager = types.SimpleNamespace(
            enabled_filters=[
                recording.filter_class(compute_filter.ComputeFilter)(),
                recording.filter_class(affinity_filter.SameHostFilter)(),
                FilterAdapter.adapt(SpecifiedHostFilter)(),
                FilterAdapter.adapt(StatsFilter)(),
            ],
            weighers=[
                recording.weigher_class(ram.RAMWeigher)(),
                WeigherAdapter.adapt(SpecifiedHostWeigher)(),
            ],
        )
        self.driver = ChanceScheduler(testing.FakeFacts())

    def test_describe(self):
        """Each by the name and the source of what was written."""
        self.flags('filter_scheduler', ram_weight_multiplier=2.5)
        told = active_extensions.describe(self.manager, {'compute': self.driver})
        self.assertEqual({
            'name': 'SameHostFilter', 'hints': ['same_host'],
            'source': 'nova.scheduler.filters.affinity_filter.SameHostFilter',
        }, told['filters'][1])
        self.assertEqual({
            'name': 'SpecifiedHostFilter', 'hints': ['requested_host'],
            'source': 'nova_ext.filters.specified_host.SpecifiedHostFilter',
        }, told['filters'][2])
        self.assertEqual(
            [2.5, 1e6], [each['multiplier'] for each in told['weighers']]
        )
        driver, = told['drivers']
        self.assertEqual(
            ('compute', 'ChanceScheduler', []),
            (driver['topic'], driver['name'], driver['hints']),
        )

    def test_unread(self):
        """What neither a name nor a beginning of a name covers."""
        self.assertEqual(['reqested_host', 'group'], active_extensions.unread(
            ['requested_host', 'reqested_host', 'same_host', 'group',
             'stats:load1'], [type(one) for one in (
                 *self.manager.enabled_filters, *self.manager.weighers,
                 self.driver,
             )],
        ))

    def test_plain_file(self):
        """A driver out of a file is read, too."""
        path = Path(self.useFixture(fixtures.TempDir()).path, 'racks.py')
        path.write_text(PLAIN)
        self.flags('nova_ext', extension_files=[str(path)])
        made = installed.classes('nova_ext.drivers', Driver)['RackDriver'](
            testing.FakeFacts()
        )
        self.assertEqual(
            ['x'], active_extensions.unread(['rack', 'x'], [type(made)])
        )

    def test_undeclared(self):
        """None where any may read any hint; not where all are read."""
        for cls in (RackFilter, recording.filter_class(RackFilter)):
            self.assertIsNone(active_extensions.unread(
                ['x'], [affinity_filter.SameHostFilter, cls]
            ))
            self.assertEqual([], active_extensions.unread(
                ['same_host'], [affinity_filter.SameHostFilter, cls]
            ))
        self.manager.enabled_filters = [
            recording.filter_class(cls)() for cls in (RackFilter, ShelfFilter)
        ]
        told = active_extensions.describe(self.manager, {})
        self.assertEqual(
            [None, ['same_host', 'shelf']],
            [each['hints'] for each in told['filters']],
        )

    def test_declared(self):
        """A filter of Nova's kind may declare hints, too."""
        for cls in (ShelfFilter, recording.filter_class(ShelfFilter)):
            self.assertEqual(['x'], active_extensions.unread(
                ['same_host', 'shelf', 'x'], [cls]
            ))

    def test_novas_own(self):
        """It is known which hints all of them read."""
        classes = [*nova_filters.all_filters(), *nova_weights.all_weighers()]
        for cls in classes:
            self.assertEqual(['x'], active_extensions.unread(['x'], [cls]), cls)

    def test_asks_more_of_a_host(self):
        """A multiplier that can't be told is left open."""
        weigher = self.manager.weighers[0]
        weigher.weight_multiplier = lambda host: host.no_such_field
        told = active_extensions.describe(self.manager, {})
        self.assertIsNone(told['weighers'][0]['multiplier'])
