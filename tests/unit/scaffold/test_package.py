"""Write packages, and refuse names."""

import ast
import configparser
import errno
import tomllib
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.scaffold import names, package
from nova_ext.scaffold.names import KINDS


class ScratchTestCase(testtools.TestCase):
    """Write into a folder of its own."""

    def setUp(self):
        """Make the folder."""
        super().setUp()
        self.parent = Path(self.useFixture(fixtures.TempDir()).path)

    def write(self, kind, name):
        """Write a package."""
        return package.write(names.derive(KINDS[kind], name), self.parent)


class WriteTest(ScratchTestCase):
    """Write packages; their tests run in tests/unit/test_tutorial.py."""

    def test_files(self):
        """Write the same files for every kind, under the module's name."""
        for kind in KINDS:
            folder = self.write(kind, f'{kind}-of-mine')
            module = f'{kind}_of_mine'
            self.assertEqual(
                {
                    '.gitignore', 'README.rst', 'pyproject.toml', 'tox.ini',
                    f'{module}.py', 'tests/__init__.py',
                    f'tests/test_{module}.py',
                    f'tests/test_{module}_property.py',
                },
                {
                    str(path.relative_to(folder))
                    for path in folder.rglob('*') if path.is_file()
                },
            )

    def test_they_parse(self):
        """Write valid Python, TOML and INI, and no line that is too long."""
        for kind, suffix in (
            ('filter', 'Filter'), ('weigher', 'Weigher'),
            ('cost', 'Cost'), ('driver', 'Scheduler'),
        ):
            folder = self.write(kind, f'my_{kind}')
            for path in folder.rglob('*.py'):
                ast.parse(path.read_text())
            for path in (*folder.rglob('*.py'), folder / 'README.rst'):
                for line in path.read_text().splitlines():
                    self.assertLessEqual(len(line), 79, path)
            project = tomllib.loads((folder / 'pyproject.toml').read_text())
            self.assertEqual(
                {f'nova_ext.{kind}s': {f'My{suffix}': f'my:My{suffix}'}},
                project['project']['entry-points'],
            )
            configparser.ConfigParser(interpolation=None).read_string(
                (folder / 'tox.ini').read_text()
            )
            self.assertIn(f'My{suffix}', (folder / 'README.rst').read_text())
            folder.rename(self.parent / kind)

    def test_readme_of_a_weigher(self):
        """Name the key that the scheduler reads."""
        readme = (self.write('weigher', 'a_b') / 'README.rst').read_text()
        self.assertIn('--property ab_weight_multiplier=2.0', readme)


    def test_readme_of_a_cost(self):
        """Name no trial in a lab, which no boot has."""
        readme = (self.write('cost', 'rack') / 'README.rst').read_text()
        self.assertNotIn('lab', readme)
        self.assertIn(',RackCost\n', readme)


class RefuseTest(ScratchTestCase):
    """Refuse names that are taken, and write nothing."""

    def refusal(self, kind, name):
        """Return the one line, where nothing is left behind."""
        before = sorted(self.parent.iterdir())
        error = self.assertRaises(NovaExtError, self.write, kind, name)
        self.assertEqual(before, sorted(self.parent.iterdir()))
        return str(error)

    def test_folder(self):
        """Refuse the name of a file, a folder and a dangling link."""
        (self.parent / 'a-file').touch()
        (self.parent / 'a-folder').mkdir()
        (self.parent / 'a-link').symlink_to('nowhere')
        for name in ('a_file', 'a_folder', 'a_link'):
            self.assertIn('exists already', self.refusal('filter', name))

    def test_class(self):
        """Refuse Nova's and installed classes, in any letter case."""
        for kind, name, text in (
            ('filter', 'io_ops', 'IoOpsFilter is, or was, a filter of Nova'),
            ('filter', 'retry', 'RetryFilter is, or was, a filter of Nova'),
            ('weigher', 'ram', 'RAMWeigher is, or was, a weigher of Nova'),
            ('filter', 'specified_host',
             'SpecifiedHostFilter is installed by nova-ext'),
            ('driver', 'ip', 'IPScheduler is installed by nova-ext'),
        ):
            self.assertIn(text, self.refusal(kind, name))

    def test_module(self):
        """Refuse a module of Python, of another package and of ours."""
        for name, text in (
            ('random', 'standard library has a module random'),
            ('yaml', 'a Python module yaml'),
            ('nova', 'a Python module nova'),
            ('tests', 'a Python module tests'),
            ('nova_ext', 'a Python module nova_ext'),
        ):
            self.assertIn(text, self.refusal('filter', name))

    def test_distribution(self):
        """Refuse a distribution that pip would replace."""
        self.assertIn(
            'a package python-openstackclient is installed',
            self.refusal('filter', 'python-openstackclient'),
        )

    def test_full_disk(self):
        """Leave nothing where not everything can be written."""

        def write_text(path, text, **how):
            if path.name == 'tox.ini':
                raise OSError(errno.ENOSPC, 'No space left on device')
            path.write_bytes(text.encode())

        self.patch(Path, 'write_text', write_text)
        self.assertEqual(
            f"{self.parent}/gpu-only can't be written: No space left on "
            f"device", self.refusal('filter', 'gpu_only'),
        )
