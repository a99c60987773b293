"""Lint a plugin alone, as a file that is named."""

from nova_ext.config_files import sources
from nova_ext.config_files.configuration import Configuration
from nova_ext.lint import linting
from tests.unit.lint import base


class PluginTestCase(base.LintTestCase):
    """Test files of plugins that it writes and lints."""

    def lint(self, *lines, name='mine.py', ask_nova=False):
        """Return ``NX101 3`` for each finding in a file, and its fix."""
        path = self.write(name, '\n'.join([*lines, '']))
        report = linting.lint(
            sources.Sources('packages', Configuration([])), code=[path],
            ask_nova=ask_nova,
        )
        return {
            f'{one.id} {one.line}': one.fix for one in report.findings
            if one.file == path
        }

    def lint_filter(self, *body, head=(), **options):
        """Lint a filter; the first line of host_passes is line 6."""
        return self.lint(
            'from nova.scheduler import filters', *head, '', '',
            'class MineFilter(filters.BaseHostFilter):',
            '    def host_passes(self, host_state, spec_obj):',
            *(f'        {line}' for line in body), **options,
        )
