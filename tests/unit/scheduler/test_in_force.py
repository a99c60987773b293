"""What decides, and which hints of a request nothing reads."""

import sys
import types
from pathlib import Path

import fixtures
from nova.scheduler.filters import affinity_filter, compute_filter
from nova.scheduler.weights import ram

from nova_ext import testing
from nova_ext.core.extension import Driver
from nova_ext.drivers.chance import ChanceScheduler
from nova_ext.filters.specified_host import SpecifiedHostFilter
from nova_ext.filters.stats import StatsFilter
from nova_ext.scheduler import filters, in_force, installed, recording, weights
from nova_ext.weighers.specified_host import SpecifiedHostWeigher
from tests.unit.scheduler import base

PLAIN = '''
from nova_ext.core import hints
from nova_ext.core.extension import PASS, Driver


class RackDriver(Driver):
    """Reads a hint."""

    topic = 'compute'

    def rank(self, hosts, request, context):
        """Look at it."""
        return hints.values(request, 'rack')
'''

FILTER = '''
from nova.scheduler import filters
from nova.scheduler.filters import affinity_filter


class RackFilter({}):
    """A site's."""

    def host_passes(self, host, spec):
        """Look at it."""
        return {}
'''


class InForceTest(base.ConfiguredTestCase):
    """With filters and weighers as the scheduler loads them."""

    def setUp(self):
        """Nova's and ours, all recording."""
        super().setUp()
        self.manager = types.SimpleNamespace(
            enabled_filters=[
                recording.filter_class(compute_filter.ComputeFilter)(),
                recording.filter_class(affinity_filter.SameHostFilter)(),
                filters.adapt(SpecifiedHostFilter)(),
                filters.adapt(StatsFilter)(),
            ],
            weighers=[
                recording.weigher_class(ram.RAMWeigher)(),
                weights.adapt(SpecifiedHostWeigher)(),
            ],
        )
        self.driver = ChanceScheduler(testing.FakeFacts())

    def test_told(self):
        """Each by the name and the source of what was written."""
        self.flags('filter_scheduler', ram_weight_multiplier=2.5)
        told = in_force.told(self.manager, {'compute': self.driver})
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
        self.assertEqual(['reqested_host', 'group'], in_force.unread(
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
            ['x'], in_force.unread(['rack', 'x'], [type(made)])
        )

    def test_sites_filters(self):
        """By their source, also below Nova's name or a class of Nova's."""
        for name, base_class, body, found in (
            ('racks', '', 'spec.get_scheduler_hint("rack")', ['x']),
            ('nova.scheduler.filters.racks', '',
             'spec.get_scheduler_hint("rack")', ['x']),
            ('racks', '', 'list(spec.scheduler_hints)', None),
            ('racks', 'affinity_filter.SameHostFilter',
             'spec.get_scheduler_hint("rack") and True', ['x']),
        ):
            given = ['rack', 'x'] + ['same_host'] * bool(base_class)
            cls = self.written(name, FILTER.format(
                base_class or 'filters.BaseHostFilter', body
            ))
            for reads in (cls, recording.filter_class(cls)):
                self.assertEqual(found, in_force.unread(given, [reads]))

    def test_source_that_does_not_tell(self):
        """None where any reader may read more; not where all are read."""
        text = FILTER.format('filters.BaseHostFilter', 'True')
        made = self.written('racks', text)
        self.assertEqual(['x'], in_force.unread(['x'], [made]))
        made_up = type('RackFilter', (made,), {
            '__module__': 'racks', 'host_passes': lambda *given: True,
        })
        unwritten = type('Other', (made,), {
            'host_passes': lambda *given: True,
        })
        for source in ('class RackFilter(', None):
            cls = self.written('racks', text, source)
            self.assertIsNone(in_force.unread(['x'], [cls]))
        for cls in (made_up, unwritten):
            self.assertIsNone(in_force.unread(['x'], [cls]))
        self.assertEqual([], in_force.unread(
            ['same_host'], [made_up, affinity_filter.SameHostFilter]
        ))

    def written(self, name, text, source=''):
        """A class out of a module.

        :param source: what its file holds by now; None: there is none.
        """
        module = types.ModuleType(name)
        path = Path(self.useFixture(fixtures.TempDir()).path, 'racks.py')
        module.__file__ = str(path)
        if source is not None:
            path.write_text(source or text)
        exec(text, module.__dict__)  # noqa: S102 - as an import would
        sys.modules[name] = module
        self.addCleanup(sys.modules.pop, name, None)
        return module.RackFilter

    def test_asks_more_of_a_host(self):
        """A multiplier that can't be told is left open."""
        weigher = self.manager.weighers[0]
        weigher.weight_multiplier = lambda host: host.no_such_field
        told = in_force.told(self.manager, {})
        self.assertIsNone(told['weighers'][0]['multiplier'])
