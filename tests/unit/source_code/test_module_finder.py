"""Test that modules are found without importing them."""

import os
import sys
from pathlib import Path

from nova_ext.source_code.module_finder import Finder, list_code
from tests.unit.lint import base


class TestFinder(base.LintTestCase):
    """Test modules below a folder and on Python's path."""

    def setUp(self):
        """Write a package that must not be imported."""
        super().setUp()
        self.write('loud/__init__.py', 'raise SystemExit("imported")\n')
        self.write('loud/inner/__init__.py', 'raise SystemExit("imported")\n')
        self.write('loud/inner/filters.py', '')
        self.finder = Finder([str(self.folder)])

    def test_list_code(self):
        """Name modules by where they are imported from, however given."""
        folder = self.folder / 'deep'
        (folder / 'pkg').mkdir(parents=True)
        for name in '__init__', 'racks':
            (folder / 'pkg' / f'{name}.py').touch()
        here = Path.cwd()
        self.addCleanup(os.chdir, here)
        os.chdir(folder / 'pkg')
        for path in 'racks.py', '../pkg/racks.py', '../pkg/../pkg/racks.py':
            ((name, file),) = list_code(Path(path))
            self.assertEqual('pkg.racks', name)
            self.assertTrue(file.samefile('racks.py'))
        self.assertEqual(
            ['pkg', 'pkg.racks'],
            [name for name, _ in list_code(Path())],
        )

    def test_dotted(self):
        """Follow a dotted name without importing its parents."""
        self.assertEqual(
            self.folder / 'loud' / 'inner' / 'filters.py',
            self.finder.find_file('loud.inner.filters'),
        )
        self.assertNotIn('loud', sys.modules)

    def test_on_the_path(self):
        """Find what is on Python's path."""
        sys.path.insert(0, str(self.folder))
        self.addCleanup(sys.path.remove, str(self.folder))
        finder = Finder()
        self.assertIsNotNone(finder.find_file('loud.inner.filters'))
        self.assertNotIn('loud', sys.modules)

    def test_absent(self):
        """Find no absent module, nor one below a module."""
        for name in ('silent', 'loud.outer', 'loud.inner.filters.filters'):
            self.assertIsNone(self.finder.find_file(name), name)

    def test_nova(self):
        """Treat Nova as absent if it must not be used."""
        self.assertTrue(Finder().nova)
        self.assertFalse(Finder(use_nova=False).nova)

    def test_namespace(self):
        """Follow folders without __init__.py, also several of one name."""
        other = self.folder / 'other'
        self.write('space/one/filters.py', '')
        self.write('other/space/two.py', '')
        finder = Finder([str(self.folder), str(other)])
        for name, file in (
            ('space.one.filters', 'space/one/filters.py'),
            ('space.two', 'other/space/two.py'),
        ):
            self.assertEqual(self.folder / file, finder.find_file(name))
        self.assertIsNone(finder.find_file('space'))
        self.assertTrue(finder.exists('space'))
        self.assertEqual(
            ('space.one', 'three.Three'), finder.split('space.one.three.Three')
        )
        self.assertEqual(
            [self.folder / 'space', other / 'space'],
            finder.find_folders('space'),
        )
