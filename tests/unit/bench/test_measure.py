"""Measure plugins."""

import importlib.util
import io
from pathlib import Path

import fixtures
from nova.scheduler import filters as nova_filters

from nova_ext.bench import measure, nova_hosts
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from tests.unit.scheduler import configured

RAISES = '''
from nova_ext.core.extension import Filter


class RaisesFilter(Filter):
    def check(self, host, request):
        raise KeyError(
            host.host, request.get_scheduler_hint('h'),
            request.flavor.extra_specs,
        )
'''


class MeasureTest(configured.ConfiguredTestCase):
    """Measure at few hosts, in few rounds."""

    def measure(self, word, against=(), **request):
        """Measure at 4 and 8 hosts."""
        return measure.measure(
            word, [8, 4], 2, against,
            measure.Request(
                request.get('hints', {}), request.get('extra_specs', {})
            ),
            Progress(io.StringIO()),
        )

    def hide_nova(self):
        """Hide that Nova is installed."""
        find_spec = importlib.util.find_spec
        self.patch(
            importlib.util, 'find_spec',
            lambda name: None if name == 'nova' else find_spec(name),
        )

    def compare(self, *args):
        """Return the names at 4 hosts, and the number of all timings."""
        timings = self.measure(*args).timings
        for timing in timings:
            self.assertGreater(timing.lowest_us, 0.0)
        return [f.name for f in timings if f.hosts == 4], len(timings)

    def test_filter(self):
        """Compare with the filters that Nova enables."""
        enabled = self.conf.conf.filter_scheduler.enabled_filters
        self.assertEqual(
            (['SpecifiedHostFilter', *enabled], 2 + 2 * len(enabled)),
            self.compare('SpecifiedHostFilter'),
        )

    def test_weigher_and_driver(self):
        """Compare with the weighers that are named."""
        for name in ('SpecifiedHostWeigher', 'IPScheduler'):
            self.assertEqual(
                ([name, 'RAMWeigher'], 4), self.compare(name, ['RAMWeigher'])
            )

    def test_of_novas_kind(self):
        """Measure a plugin that Nova would load itself."""
        self.assertEqual(
            (['IoOpsFilter', 'ComputeFilter'], 4),
            self.compare(
                'nova.scheduler.filters.io_ops_filter:IoOpsFilter',
                ['ComputeFilter'],
            ),
        )

    def test_without_nova(self):
        """Measure the plugin alone, and say so."""
        self.hide_nova()
        measurement = self.measure('SpecifiedHostFilter')
        self.assertFalse(measurement.has_nova)
        self.assertEqual(
            [('SpecifiedHostFilter', 4), ('SpecifiedHostFilter', 8)],
            [(f.name, f.hosts) for f in measurement.timings],
        )

    def test_refusals(self):
        """Refuse a plugin that raises for the given request."""
        path = Path(self.useFixture(fixtures.TempDir()).join('raises.py'))
        path.write_text(RAISES)
        for without_nova in (False, True):
            if without_nova:
                self.hide_nova()
            error = self.assertRaises(
                NovaExtError, self.measure, str(path), hints={'h': ['x']},
                extra_specs={'k': 'v'},
            )
            self.assertEqual(
                "RaisesFilter raised KeyError: ('cmp-0', 'x', {'k': 'v'})",
                str(error),
            )

    def test_rival_that_is_none(self):
        """Refuse a name that Nova does not have."""
        error = self.assertRaises(
            NovaExtError, self.measure, 'SpecifiedHostFilter', ['RAMFilter']
        )
        self.assertIn('--against RAMFilter: Nova has no such filter',
                      str(error))


class NovasTest(configured.ConfiguredTestCase):
    """Make Nova's hosts and request."""

    def test_hosts_pass(self):
        """Make hosts that pass all filters that Nova enables."""
        nova_hosts.prepare()
        hosts = nova_hosts.make_hosts(20)
        spec = nova_hosts.make_request({'group': ['g']}, {'hw:x': 'y'})
        self.assertEqual('g', spec.get_scheduler_hint('group'))
        self.assertEqual({'hw:x': 'y'}, spec.flavor.extra_specs)
        enabled = self.conf.conf.filter_scheduler.enabled_filters
        spec = nova_hosts.make_request({}, {})
        for cls in nova_filters.all_filters():
            if cls.__name__ in enabled:
                self.assertEqual(
                    hosts, list(cls().filter_all(hosts, spec)), cls
                )

    def test_hosts_differ(self):
        """Make hosts that differ, the same ones at every call."""
        nova_hosts.prepare()
        first, second = (
            [(host.free_ram_mb, host.num_instances)
             for host in nova_hosts.make_hosts(20)] for _ in range(2)
        )
        self.assertEqual(first, second)
        self.assertGreater(len(set(first)), 10)
