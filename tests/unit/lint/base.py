"""A folder with files to lint."""

import pathlib

import fixtures
import testtools

from nova_ext.config_files import sources
from nova_ext.lint import linting


class LintTestCase(testtools.TestCase):
    """A test that writes files and lints them."""

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

    def found(self, text, **options):
        """Findings as ``NX101 nova.conf:3``."""
        return [
            f'{one.id} {pathlib.Path(one.file).name}:{one.line}'
            for one in self.report(text, **options).findings
        ]
