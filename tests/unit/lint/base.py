"""Write files to a folder and lint them."""

import pathlib

import fixtures
import testtools

from nova_ext.config_files import sources
from nova_ext.lint import linting


class LintTestCase(testtools.TestCase):
    """Test files that it writes and lints."""

    def setUp(self):
        """Make the folder."""
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)

    def write(self, name, text):
        """Write a file.

        :returns: its path.
        """
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def report(self, text, *, ask_nova=False, **options):
        """Lint a nova.conf, with plugins from the folder."""
        path = self.write('nova.conf', text)
        return linting.lint(
            sources.read([(sources.FILE, path)]),
            folders=[str(self.folder)], ask_nova=ask_nova, **options,
        )

    def findings(self, text, **options):
        """Lint a nova.conf, and return findings as ``NX101 nova.conf:3``."""
        return [
            f'{finding.id} {pathlib.Path(finding.file).name}:{finding.line}'
            for finding in self.report(text, **options).findings
        ]
