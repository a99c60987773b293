"""Test checks that use the Nova installed here."""

import pathlib

import fixtures
import nova
import testtools
from oslo_config import cfg

from nova_ext.lint.checks.plugins import nova_names
from nova_ext.nova_releases import declared_options
from nova_ext.source_code.module_finder import Finder
from nova_ext.source_code.plugin_source import Reader
from tests.unit.lint import base, test_broken

SETTINGS = """
[DEFAULT]
debug = true
transport_url = rabbit://u:p@h/
cpu_allocation_ratio = 4.0
rpc_respons_timeout = 60
compute_driver = libvirt.LibvirtDriver

[libvirt]
virt_type = kvm
cpu_mod = custom
images_type = flat

[placement]
auth_type = password
username = placement
password = s3cr3t
auth_url = http://keystone
projet_name = service

[api_database]
connection = mysql://
max_pool_size = many
"""

LINES = """
[filter_scheduler]
available_filters = nova.scheduler.filters.all_filters
available_filters = mine.MineFilter
enabled_filters = ComputeFilter,MineFilter
"""


class TestOptions(base.LintTestCase):
    """Test options and values outside the scheduler's groups."""

    def test_all(self):
        """Report unknown options and bad values, and no good ones."""
        self.assertEqual(
            ['NX402 nova.conf:6', 'NX402 nova.conf:11', 'NX402 nova.conf:19',
             'NX404 nova.conf:23'],
            self.findings(SETTINGS, ask_nova=True),
        )

    def ask_here(self):
        """Ask Nova in this process, which has imported it."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.nova_releases.declared_options.query_nova',
            test_broken.query_nova,
        ))

    def test_credentials(self):
        """Know those of all plugins that authenticate."""
        self.ask_here()
        self.assertEqual([], self.findings(
            '[placement]\nauth_type = v3applicationcredential\n'
            'auth_url = http://keystone\napplication_credential_id = a\n'
            'application_credential_secret = s3cr3t\n', ask_nova=True,
        ))

    def test_no_secret(self):
        """Quote no secret."""
        pin = cfg.IntOpt('pin', secret=True)
        refused = list(declared_options._find_refused(
            [('DEFAULT', 'pin', 's3cr3t')], {'DEFAULT': {'pin': pin}}
        ))
        self.assertEqual('it does not take this secret', refused[0][3])

    def test_every_default(self):
        """Accept Nova's own defaults of all options."""
        self.ask_here()
        lines = []
        for group, options in declared_options.list_options().items():
            lines.append(f'[{group}]')
            lines += [
                f'{name} = {option.default}'
                for name, option in options.items()
                if isinstance(option.default, str | int | float)
                and '$' not in str(option.default)
                and '\n' not in str(option.default)
            ]
        self.assertGreater(len(lines), 400)
        ids = {
            finding.id for finding in
            self.report('\n'.join(lines), ask_nova=True).findings
        }
        self.assertEqual(set(), ids & {'NX402', 'NX403', 'NX404'})


class TestNames(testtools.TestCase):
    """Test the names of Nova that a plugin uses."""

    def test_novas_own(self):
        """Find nothing in the modules of Nova's own scheduler."""
        declared = test_broken.query_options()
        reader = Reader(Finder())
        root = pathlib.Path(nova.__file__).parent
        uses = 0
        for path in sorted(root.glob('scheduler/**/*.py')):
            parts = path.relative_to(root.parent).with_suffix('').parts
            name = '.'.join(parts).removesuffix('.__init__')
            module = reader.read_module(name, path)
            names = nova_names.Names(module, [module.tree], reader, declared)
            for node in names.list_uses():
                uses += 1
                self.assertEqual(
                    ('', ''), names.check(node), f'{path}:{node.lineno}'
                )
        self.assertGreater(uses, 500)


class TestImports(base.LintTestCase):
    """Test imports of a plugin in nova-scheduler's environment."""

    def setUp(self):
        """Leave the options out: asking for them takes seconds."""
        super().setUp()
        none = declared_options.DeclaredOptions({}, frozenset(), {})
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.nova_releases.declared_options.query_nova',
            lambda settings: none,
        ))

    def check(self, expected, *lines):
        """Compare the findings of a filter with these lines at its top."""
        self.write('mine.py', '\n'.join([
            *lines, 'from nova.scheduler import filters', '',
            'class MineFilter(filters.BaseHostFilter):',
            '    def host_passes(self, host_state, spec_obj):',
            '        return True', '',
        ]))
        report = self.report(LINES, ask_nova=True)
        self.assertEqual(
            expected, [one.what for one in report.findings]
        )

    def test_good(self):
        """Accept modules and names that are there."""
        self.check(
            [], 'from __future__ import annotations', 'import os.path',
            'from oslo_log import log', 'import nova.objects',
            'from nova import objects', 'from nova.scheduler.filters import '
            'compute_filter', 'import zlib', 'from collections import abc',
        )

    def test_missing(self):
        """Miss a package, a module of Nova's, and a name in a module."""
        self.check(
            ['MineFilter: no module requests_nosuch is installed'],
            'import requests_nosuch',
        )
        self.check(
            ['MineFilter: there is no module nova.scheduler.nosuch'],
            'import nova.scheduler.nosuch',
        )
        self.check(
            ['MineFilter: nova.scheduler.filters.utils has no nosuch'],
            'from nova.scheduler.filters.utils import nosuch',
        )

    def test_absent_plugin(self):
        """Report a plugin that is not installed where Nova is."""
        report = self.report(
            LINES.replace('mine.MineFilter', 'absent_mine.MineFilter'),
            ask_nova=True,
        )
        self.assertEqual(['NX501'], [one.id for one in report.findings])
        self.assertIn('no module absent_mine', report.findings[0].what)

    def write_nova(self):
        """Write a Nova with a filter and a weigher that are not Nova's."""
        for name in ('nova', 'nova/scheduler', 'nova/scheduler/filters',
                     'nova/scheduler/weights'):
            self.write(
                f'{name}/__init__.py', 'class BaseHostFilter: ...\n'
                'class BaseHostWeigher: ...\n'
            )
        self.write('nova/scheduler/filters/racks.py', '\n'.join([
            'from nova.scheduler import filters', '',
            'class RackFilter(filters.BaseHostFilter):',
            '    def host_passes(self, host_state):',
            '        return True', '',
        ]))
        self.write('nova/scheduler/weights/racks.py', '\n'.join([
            'from nova.scheduler import weights', '',
            'class RackWeigher(weights.BaseHostWeigher):',
            '    def _weigh_object(self, host_state, request_spec):',
            '        return host_state.racks', '',
        ]))

    def test_file_in_nova(self):
        """Lint a file in Nova's packages, named or taken by Nova's lines."""
        self.write_nova()
        for lines in (
            'available_filters = nova.scheduler.filters.all_filters\n'
            'available_filters = nova.scheduler.filters.racks.RackFilter\n'
            'weight_classes = nova.scheduler.weights.all_weighers\n', '',
        ):
            text = (
                f'[filter_scheduler]\n{lines}'
                'enabled_filters = ComputeFilter,RackFilter\n'
            )
            findings = {
                (one.id, pathlib.Path(one.file).parent.name)
                for one in self.report(text, ask_nova=True).findings
                if one.id != 'NX501'  # this Nova has no modules
            }
            self.assertEqual({
                ('NX503', self.folder.name), ('NX511', 'filters'),
                ('NX518', 'weights'),
            }, findings)

    def test_move_out_of_nova(self):
        """Name the lines that keep all others when a file is moved."""
        self.write_nova()
        group = '[filter_scheduler]\n'
        own = 'PACKAGE.racks.RackFilter'
        novas = 'nova.scheduler.filters.all_filters'
        weighers = 'nova.scheduler.weights.all_weighers'
        for text, fixes in (
            (group, [
                f'add the lines available_filters = {novas} and '
                f'available_filters = {own}',
                f'write weight_classes = {weighers},PACKAGE.racks.RackWeigher',
            ]),
            (f'{group}available_filters = {novas}\n'
             f'weight_classes = {weighers},x.y.Z\n', [
                 f'add the line available_filters = {own}',
                 f'write weight_classes = {weighers},x.y.Z,'
                 'PACKAGE.racks.RackWeigher',
             ]),
        ):
            self.assertEqual([
                f'put the module into a package of your own, PACKAGE, and '
                f'{fix}' for fix in fixes
            ], sorted(
                one.fix for one in self.report(text, ask_nova=True).findings
                if one.id == 'NX503'
            ))

    def test_absent_file_in_nova(self):
        """Name the place where a file in Nova's package was looked for."""
        finding, = self.report(
            LINES.replace('mine.', 'nova.scheduler.filters.mine.'),
            ask_nova=True,
        ).findings
        self.assertEqual('NX501', finding.id)
        folder = pathlib.Path(nova.__file__).parent / 'scheduler' / 'filters'
        self.assertIn(f'there is no {folder / "mine.py"}', finding.what)

    def test_file_in_nova_without_nova(self):
        """Check no file in Nova's packages where there is no Nova."""
        report = self.report(
            LINES.replace('mine.', 'nova.scheduler.filters.mine.')
        )
        self.assertEqual(['NX503'], [one.id for one in report.findings])
        self.assertIn(
            'the code of nova.scheduler.filters.mine.MineFilter',
            [one.what for one in report.unchecked],
        )

    def test_name_without_nova(self):
        """Call no error what a file in Nova's own package may have."""
        group = '[filter_scheduler]\nenabled_filters = ComputeFilter,'
        for name, ask_nova, severity, said in (
            ('RackFilter', False, 'WARNING', True),
            ('RackFilter', True, 'ERROR', False),
            ('BlazarFilter', False, 'ERROR', False),
            ('ComputFilter', False, 'ERROR', False),
        ):
            finding, = self.report(
                f'{group}{name}\n', ask_nova=ask_nova
            ).findings
            self.assertEqual(
                ('NX101', severity, said), (
                    finding.id, finding.severity.name,
                    'is not checked' in finding.what,
                ), name,
            )

    def test_in_nova(self):
        """Report a module in Nova's tree that is not there."""
        report = self.report(
            LINES.replace('mine.Mine', 'nova.myproject.mine.Mine'),
            ask_nova=True,
        )
        self.assertEqual(['NX501'], [one.id for one in report.findings])
        self.assertIn(
            'nova has no module myproject', report.findings[0].what
        )
