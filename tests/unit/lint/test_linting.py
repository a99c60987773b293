"""Test the report: findings, what was not checked, needs, hints, time."""

import time

from nova_ext.conf import all_options
from nova_ext.core.base.mode import Mode
from nova_ext.lint.subject import known_names
from tests.unit.lint import base

MINE = """
[filter_scheduler]
available_filters = nova.scheduler.filters.all_filters
available_filters = mine.all_filters
enabled_filters = ComputeFilter,MineFilter
"""

RACKS = """
from base import Base
from nova.scheduler import filters

RACK = 'rack'


class RackFilter(Base, filters.BaseHostFilter):
    {}

    def host_passes(self, host_state, spec_obj):
        return True
"""


class TestReport(base.LintTestCase):
    """Test what stands beside the findings."""

    def test_not_checked(self):
        """List each check that did not run, and what it needs."""
        report = self.report(
            '[filter_scheduler]\n'
            'available_filters = nova.scheduler.filters.all_filters\n'
            'available_filters = absent.mod.AbsentFilter\n'
            'available_filters = absent.all_filters\n'
            'enabled_filters = ComputeFilter,AbsentFilter,OtherFilter\n'
        )
        self.assertEqual([], report.findings)
        needs = {one.what: one.needs for one in report.unchecked}
        self.assertIn('--plugin-path',
                      needs['the code of absent.mod.AbsentFilter'])
        self.assertIn(
            'upgrade check',
            needs['which classes absent.all_filters returns'],
        )
        self.assertEqual(3, len(needs), needs)

    def test_needs(self):
        """List the mode of every setting that needs nova-ext."""
        report = self.report(
            '[filter_scheduler]\n'
            'weight_classes = nova.scheduler.weights.all_weighers,\n'
            '    nova_ext.scheduler.weights.all_weighers\n'
            '[nova_ext_record]\nmax_files = 2\n'
            '[nova_ext]\nlog_requests = true\n', mode=Mode.SCHEDULER,
        )
        self.assertEqual(
            [('[filter_scheduler] weight_classes = '
              'nova_ext.scheduler.weights.all_weighers', Mode.PLUGIN, 3),
             ('[nova_ext_record] max_files', Mode.PLUGIN, 5),
             ('[nova_ext] log_requests', Mode.SCHEDULER, 7)],
            [(need.setting, need.mode, need.location.line)
             for need in report.needs],
        )

    def test_mode_of_every_option(self):
        """Know the mode of each option; a driver's are of scheduler mode."""
        modes = {
            f'{group}.{option}': all_options.get_mode(group, option)
            for group, options in known_names.list_own_options().items()
            for option in options
        }
        self.assertEqual({Mode.PLUGIN, Mode.SCHEDULER}, set(modes.values()))
        self.assertEqual(Mode.SCHEDULER, modes['nova_ext.scheduler_driver'])
        self.assertEqual(Mode.SCHEDULER, modes['nova_ext_ip_scheduler.rules'])
        self.assertEqual(Mode.PLUGIN, modes['nova_ext_record.file'])

    def test_hints(self):
        """List the enabled plugins that read hints."""
        report = self.report(
            '[filter_scheduler]\n'
            'available_filters = nova_ext.scheduler.filters.all_filters\n'
            'enabled_filters = ComputeFilter,SpecifiedHostFilter\n'
            'weight_classes = nova.scheduler.weights.ram.RAMWeigher\n'
        )
        self.assertEqual(
            {'SpecifiedHostFilter': ['requested_host']},
            report.to_dict()['hints'],
        )

    def test_hints_that_begin_alike(self):
        """Name a filter that reads all hints with a prefix."""
        lines = (
            '[filter_scheduler]\n'
            'available_filters = nova_ext.scheduler.filters.all_filters\n'
            'enabled_filters = ComputeFilter'
        )
        hints = ['stats:load1', 'stat:load1']
        read = self.report(f'{lines},StatsFilter\n', hints=hints)
        self.assertEqual(
            ['stats:*'], read.to_dict()['hints']['StatsFilter']
        )
        (ignored,) = read.findings
        self.assertIn('stat:load1', ignored.what)
        unread = self.report(f'{lines}\n', hints=hints)
        self.assertEqual('enable StatsFilter', unread.findings[0].fix)

    def lint_hints(
        self, declaration, enabled='RackFilter', line='racks.RackFilter',
        weighers='nova.scheduler.weights.ram.RAMWeigher',
    ):
        """Lint a site's filter and a hint x.

        :returns: hints that are read, whether the hint x is reported, and
            what is not checked of hints.
        """
        self.write('base.py', 'class Base:\n    hints = ("base",)\n')
        self.write('racks.py', RACKS.format(declaration))
        report = self.report(
            '[filter_scheduler]\n'
            'available_filters = nova.scheduler.filters.all_filters\n'
            f'available_filters = {line}\n'
            f'enabled_filters = ComputeFilter,{enabled}\n'
            f'weight_classes = {weighers}\n',
            hints=['x'],
        )
        return (
            report.to_dict()['hints'].get('RackFilter'),
            'NX607' in [one.id for one in report.findings],
            [one.what for one in report.unchecked if 'hints' in one.what],
        )

    def test_declared(self):
        """Read a literal, also one of a base class."""
        for declaration, expected in (
            ('hints = ("rack", "shelf")', (['rack', 'shelf'], True, [])),
            ('hints: tuple[str, ...] = ("rack",)', (['rack'], True, [])),
            ('hints = ["x"]', (['x'], False, [])),
            ('hints = ()', (None, True, [])),
            ('hint_prefix = "rack:"', (['base', 'rack:*'], True, [])),
            ('pass', (['base'], True, [])),
        ):
            self.assertEqual(
                expected, self.lint_hints(declaration), declaration
            )

    def test_undeclared(self):
        """Report no hint where it is not known which are read, and say so."""
        unknown = (None, False, ['which hints RackFilter reads'])
        for declaration in (
            'hints = None', 'hints = "rack"', 'hints = tuple(("rack",))',
            'hints = (RACK,)',
        ):
            self.assertEqual(
                unknown, self.lint_hints(declaration), declaration
            )
        # What is not enabled or does not exist decides nothing.
        for name in ('IoOpsFilter', 'RackFitler'):
            self.assertEqual(
                (None, True, []), self.lint_hints('hints = None', name)
            )
        # Nor is it known what a function brings.
        self.assertEqual((None, False, []), self.lint_hints(
            'hints = ("rack",)', line='racks.all_filters'
        ))
        self.assertEqual((None, True, []), self.lint_hints(
            'hints = ("rack",)', 'IoOpsFilter', 'racks.all_filters'
        ))
        self.assertEqual((['rack'], False, []), self.lint_hints(
            'hints = ("rack",)', weighers='racks.all_weighers'
        ))

    def test_drivers(self):
        """Read the hints of a driver by its entry point or its class."""
        self.write('racks.py', (
            'from nova_ext.plugin import ComputeDriver\n\n\n'
            'class RackDriver(ComputeDriver):\n'
            '    hints = ("rack",)\n'
        ))
        self.patch(known_names, 'list_installed', lambda kind: [
            known_names.EntryPoint('Racks', 'racks.RackDriver'),
        ] if kind == 'drivers' else [])
        for driver, readers, ignored in (
            ('Racks', {'RackDriver'}, True),
            ('racks.RackDriver', {'RackDriver'}, True),
            ('racks.AbsentDriver', set(), False),
        ):
            report = self.report(
                '[filter_scheduler]\n'
                'enabled_filters = ComputeFilter\n'
                'weight_classes = nova.scheduler.weights.ram.RAMWeigher\n'
                f'[nova_ext]\nscheduler_driver = {driver}\n',
                hints=['x'], mode=Mode.SCHEDULER,
            )
            self.assertEqual(readers, set(report.to_dict()['hints']))
            self.assertEqual(
                ignored, 'NX607' in [one.id for one in report.findings]
            )

    def test_order(self):
        """Sort findings by line."""
        findings = self.findings(
            '[scheduler]\nmax_attempts = 0\nmax_attemps = 3\n'
            '[DEFAULT]\nscheduler_driver = x\n'
        )
        self.assertEqual(
            ['NX404 nova.conf:2', 'NX402 nova.conf:3', 'NX401 nova.conf:5'],
            findings,
        )

    def test_order_of_files(self):
        """Sort the configuration before the plugins that it names."""
        self.write('a.py', 'class Bare:\n    pass\n')
        self.assertEqual(
            ['NX107 nova.conf:2', 'NX404 nova.conf:5', 'NX502 a.py:1'],
            self.findings(
                '[filter_scheduler]\navailable_filters = a.Bare\n'
                'available_filters = nova.scheduler.filters.all_filters\n'
                '[scheduler]\nmax_attempts = 0\n'
            ),
        )

    def test_removed_in_an_old_list(self):
        """Move an old list without the filters that were removed."""
        finding, = self.report(
            '[DEFAULT]\nscheduler_default_filters = RetryFilter,'
            'ComputeFilter,RamFilter\n'
        ).findings
        self.assertEqual(
            'write enabled_filters = ComputeFilter below [filter_scheduler]',
            finding.fix,
        )
        self.assertIn('RetryFilter and RamFilter are gone', finding.what)
        finding, = self.report(
            '[DEFAULT]\nscheduler_default_filters = ComputeFilter,'
            'GroupAffinityFilter,TrustedFilter\n'
        ).findings
        self.assertEqual(
            'write enabled_filters = ComputeFilter,ServerGroupAffinityFilter '
            'below [filter_scheduler]', finding.fix,
        )
        self.assertIn('for TrustedFilter require a trait', finding.what)

    def test_weighers(self):
        """Say which policies Nova refuses, and what packs and spreads."""
        soft, against = self.report(
            '[filter_scheduler]\n'
            'weight_classes = nova.scheduler.weights.ram.RAMWeigher,'
            'nova.scheduler.weights.cpu.CPUWeigher,'
            'nova.scheduler.weights.affinity.ServerGroupSoftAffinityWeigher\n'
            'ram_weight_multiplier = -1.0\n'
        ).findings
        self.assertIn('policy soft-anti-affinity, because', soft.what)
        self.assertEqual(
            'write weight_classes = nova.scheduler.weights.ram.RAMWeigher,'
            'nova.scheduler.weights.cpu.CPUWeigher,'
            'nova.scheduler.weights.affinity.ServerGroupSoftAffinityWeigher,'
            'nova.scheduler.weights.affinity.'
            'ServerGroupSoftAntiAffinityWeigher', soft.fix,
        )
        self.assertEqual(
            'ram_weight_multiplier = -1.0 packs servers onto few hosts, and '
            'cpu_weight_multiplier = 1.0, its default, spreads them',
            against.what,
        )

    def test_removed_beside_a_sign(self):
        """Write a removed filter's successor in the line that is mended."""
        fixes = {one.id: one.fix for one in self.report(
            '[filter_scheduler]\n'
            'enabled_filters = ComputeFilter;GroupAffinityFilter\n'
        ).findings}
        self.assertEqual(
            'write enabled_filters = ComputeFilter,ServerGroupAffinityFilter',
            fixes['NX007'],
        )

    def test_time(self):
        """Check 2,000 lines in less than 2 s of processor time."""
        lines = ['[filter_scheduler]', 'enabled_filters = ComputeFilter']
        for group in range(62):
            lines.append(f'[vendor_{group}]' if group else '[DEFAULT]')
            lines += [f'option_{number} = {number}' for number in range(31)]
        lines += ['[scheduler]', 'max_attempts = 0', *['# comment'] * 20]
        self.assertGreaterEqual(len(lines), 2000)
        begun = time.process_time()
        findings = self.findings('\n'.join(lines))
        self.assertLess(time.process_time() - begun, 2)
        self.assertEqual(['NX404 nova.conf:1988'], findings)


class TestRunsNothing(base.LintTestCase):
    """Test that no plugin's code runs."""

    def setUp(self):
        """Write a plugin that leaves a trace where it runs."""
        super().setUp()
        self.trace = self.folder / 'trace'
        self.write('mine.py', f"""
import pathlib
pathlib.Path({str(self.trace)!r}).write_text('ran')


def all_filters():
    return [MineFilter]


class MineFilter:
    def host_passes(self, host_state, spec_obj): return True
""")

    def test_reads_only(self):
        """Read the source of the class, and do not run it."""
        text = MINE.replace('all_filters\nenabled', 'MineFilter\nenabled')
        self.assertEqual(['NX502 mine.py:10'], self.findings(text))
        self.assertFalse(self.trace.exists())


class TestPluginFiles(base.LintTestCase):
    """Test plain files that [nova_ext] plugin_files names."""

    TEXT = """
[filter_scheduler]
available_filters = nova_ext.scheduler.filters.all_filters
enabled_filters = ComputeFilter,ShelfFilter
[nova_ext]
plugin_files = {path}
scheduler_driver = ShelfDriver
"""
    FILE = """
from nova_ext.core.request import scheduler_hints as hints
from nova_ext.plugin import PASS, ComputeDriver, Filter


class ShelfFilter(Filter):
    hints = ('shelf',)

    def check(self, host, request{more}):
        return PASS if hints.values(request, 'shelf') else PASS


class ShelfDriver(ComputeDriver):
    def rank(self, hosts, request, context):
        return hosts
"""

    def lint(self, **file):
        """Lint with the file, as nova-ext-scheduler would use it."""
        path = self.write('shelves.py', self.FILE.format(**file))
        return self.report(self.TEXT.format(path=path), mode=Mode.SCHEDULER)

    def test_good(self):
        """Find filter and driver, and the hint that the filter reads."""
        report = self.lint(more='')
        self.assertEqual([], report.findings)
        self.assertIn('ShelfFilter', [one.name for one in report.hints])
        self.assertEqual(
            ['which hints ShelfDriver reads'],
            [one.what for one in report.unchecked if 'hints' in one.what],
        )

    def test_broken(self):
        """Check the filter as any other."""
        report = self.lint(more=', context')
        self.assertEqual(
            [('NX511', 9)], [(one.id, one.line) for one in report.findings]
        )
