"""From a name to figures."""

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
    """Few hosts and rounds."""

    def measure(self, word, against=(), **asked):
        """Measure at 4 and 8 hosts."""
        return measure.measure(
            word, [8, 4], 2, against,
            measure.Request(
                asked.get('hints', {}), asked.get('extra_specs', {})
            ),
            Progress(io.StringIO()),
        )

    def hide_nova(self):
        """Have it not installed."""
        find_spec = importlib.util.find_spec
        self.patch(
            importlib.util, 'find_spec',
            lambda name: None if name == 'nova' else find_spec(name),
        )

    def raced(self, *args, **asked):
        """Names at 4 hosts, and how many figures there are in all."""
        made = self.measure(*args, **asked)
        for figure in made.figures:
            self.assertGreater(figure.lowest_us, 0.0)
        return [f.name for f in made.figures if f.hosts == 4], len(
            made.figures
        )

    def test_filter(self):
        """Beside the filters that Nova enables."""
        enabled = self.conf.conf.filter_scheduler.enabled_filters
        self.assertEqual(
            (['SpecifiedHostFilter', *enabled], 2 + 2 * len(enabled)),
            self.raced('SpecifiedHostFilter'),
        )

    def test_weigher_and_driver(self):
        """Beside the weighers that are named."""
        for name in ('SpecifiedHostWeigher', 'IPScheduler'):
            self.assertEqual(
                ([name, 'RAMWeigher'], 4), self.raced(name, ['RAMWeigher'])
            )

    def test_of_novas_kind(self):
        """A plugin that Nova would load itself."""
        self.assertEqual(
            (['IoOpsFilter', 'ComputeFilter'], 4),
            self.raced(
                'nova.scheduler.filters.io_ops_filter:IoOpsFilter',
                ['ComputeFilter'],
            ),
        )

    def test_without_nova(self):
        """The plugin alone, and it is said so."""
        self.hide_nova()
        made = self.measure('SpecifiedHostFilter')
        self.assertFalse(made.beside_nova)
        self.assertEqual(
            [('SpecifiedHostFilter', 4), ('SpecifiedHostFilter', 8)],
            [(f.name, f.hosts) for f in made.figures],
        )

    def test_refusals(self):
        """A plugin that raises, with the request that was asked for."""
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
        """Nova has none of that name."""
        error = self.assertRaises(
            NovaExtError, self.measure, 'SpecifiedHostFilter', ['RAMFilter']
        )
        self.assertIn('--against RAMFilter: Nova has no such filter',
                      str(error))


class NovasTest(configured.ConfiguredTestCase):
    """The hosts and the request that all are asked about."""

    def test_hosts_pass(self):
        """No filter that Nova enables is through early."""
        nova_hosts.prepare()
        hosts = nova_hosts.hosts(20)
        spec = nova_hosts.request({'group': ['g']}, {'hw:x': 'y'})
        self.assertEqual('g', spec.get_scheduler_hint('group'))
        self.assertEqual({'hw:x': 'y'}, spec.flavor.extra_specs)
        enabled = self.conf.conf.filter_scheduler.enabled_filters
        spec = nova_hosts.request({}, {})
        for cls in nova_filters.all_filters():
            if cls.__name__ in enabled:
                self.assertEqual(
                    hosts, list(cls().filter_all(hosts, spec)), cls
                )

    def test_hosts_differ(self):
        """But are the same at every call."""
        nova_hosts.prepare()
        first, second = (
            [(h.free_ram_mb, h.num_instances) for h in nova_hosts.hosts(20)]
            for _ in range(2)
        )
        self.assertEqual(first, second)
        self.assertGreater(len(set(first)), 10)
