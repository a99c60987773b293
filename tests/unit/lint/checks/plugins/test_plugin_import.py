"""Test what is said of files and classes that hold no plugin."""

import pathlib

import fixtures
from nova.scheduler import filters, weights

from nova_ext.config_files import sources
from nova_ext.config_files.configuration import Configuration
from nova_ext.lint import linting
from nova_ext.nova_releases import declared_options
from tests.unit.lint.checks.plugins import base


class TestNoPlugin(base.PluginTestCase):
    """Lint files that are named."""

    def test_novas_folders(self):
        """Accept the folders of Nova's own filters and weighers."""
        report = linting.lint(
            sources.Sources('packages', Configuration([])), code=[
                str(pathlib.Path(package.__file__).parent)
                for package in (filters, weights)
            ],
        )
        self.assertEqual([], report.findings)

    def test_none(self):
        """Report a file without a plugin."""
        self.assertEqual(['NX502 0'], list(self.lint('x = 1'))[:1])

    def test_host_manager(self):
        """Say that Nova takes no host manager of others."""
        fix, = self.lint(
            'from nova.scheduler import host_manager', '', '',
            'class MineManager(host_manager.HostManager):',
            '    pass',
        ).values()
        self.assertIn('Nova always uses its own host manager', fix)

    def test_module_that_is_not_there(self):
        """Report a module of nova-ext's that there is not."""
        none = declared_options.DeclaredOptions()
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.nova_releases.declared_options.query_nova',
            lambda settings: none,
        ))
        for head, found in (
            ('from nova_ext.no_such import Thing', 1),
            ('from nova_ext.plugin import Filter', 0),
        ):
            self.assertEqual(found, sum(
                one.startswith('NX501') for one in self.lint_filter(
                    'return True', head=[head], ask_nova=True,
                )
            ), head)
