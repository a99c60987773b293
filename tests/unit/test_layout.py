"""The folders of tests are those of the package."""

import pathlib

import testtools

ROOT = pathlib.Path(__file__).parents[2]
UNIT = ROOT / 'tests' / 'unit'


class LayoutTest(testtools.TestCase):
    """Who looks for the tests of a module knows the folder."""

    def test_folders(self):
        """Each folder with tests has the path of one of the package."""
        folders = {
            path.parent.relative_to(UNIT) for path in UNIT.rglob('test_*.py')
            if 'corpus' not in path.parts
        }
        self.assertIn(pathlib.Path('core', 'explanation'), folders)
        self.assertEqual([], sorted(
            str(folder) for folder in folders
            if not (ROOT / 'nova_ext' / folder / '__init__.py').exists()
        ))
