"""Test the folders of labs."""

import os

import fixtures

from nova_ext.lab.state import paths
from nova_ext.lab.state.errors import LabError
from tests.unit.lab import base


class PlaceTest(base.LabTestCase):
    """Locate labs by name."""

    def test_only_the_owner_enters(self):
        """Make the folder private, even where it existed."""
        (self.folder / 'home' / 'one').mkdir(parents=True, mode=0o755)
        there, _ = self.new_lab()
        self.assertEqual(0o700, there.path.stat().st_mode & 0o777)

    def test_unknown_name(self):
        """List the labs in the error."""
        self.new_lab('b')
        self.new_lab('a')
        (self.folder / 'home' / 'no-lab').mkdir()
        error = self.assertRaises(LabError, paths.find, 'c')
        self.assertEqual('no lab named c; labs: a, b', str(error))

    def test_no_labs_at_all(self):
        """Take a home that does not exist as empty."""
        error = self.assertRaises(LabError, paths.find, 'c')
        self.assertEqual('no lab named c; labs: none', str(error))

    def test_names_that_are_no_folder(self):
        """Refuse names that lead out of the home."""
        for name in ('', '..', 'a/b', 'A', '-a', 'a' * 41):
            error = self.assertRaises(LabError, paths.locate, name)
            self.assertIn('--name', str(error))

    def test_another_spelling(self):
        """Return one path for a lab: its processes are known by that."""
        there, _ = self.new_lab()
        (self.folder / 'link').symlink_to(self.folder / 'home')
        for spelling in ('link', 'home/../link/../home'):
            self.useFixture(fixtures.EnvironmentVariable(
                'NOVA_EXT_LAB_HOME', str(self.folder / spelling)
            ))
            self.assertEqual(there.path, paths.find('one').path)

    def test_another_spelling_of_the_state_folder(self):
        """Return one path there, too."""
        self.useFixture(
            fixtures.EnvironmentVariable('NOVA_EXT_LAB_HOME', None)
        )
        (self.folder / 'link').symlink_to(self.folder)
        homes = set()
        for name in ('.', 'link'):
            self.useFixture(fixtures.EnvironmentVariable(
                'XDG_STATE_HOME', str(self.folder / name)
            ))
            homes.add(paths.home())
        self.assertEqual(1, len(homes))

    def test_home(self):
        """Use the user's state folder by default."""
        for variable in ('NOVA_EXT_LAB_HOME', 'XDG_STATE_HOME'):
            self.useFixture(fixtures.EnvironmentVariable(variable, None))
        self.useFixture(fixtures.EnvironmentVariable('HOME', '/h'))
        self.assertEqual('/h/.local/state/nova-ext/labs', str(paths.home()))
        os.environ['XDG_STATE_HOME'] = '/s'
        self.assertEqual('/s/nova-ext/labs', str(paths.home()))
        os.environ['XDG_STATE_HOME'] = 'relative'
        self.assertEqual('/h/.local/state/nova-ext/labs', str(paths.home()))
