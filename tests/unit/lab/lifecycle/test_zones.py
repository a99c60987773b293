"""Test which labs a name stands for, and what is refused."""

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import zones
from nova_ext.lab.state import paths
from nova_ext.lab.state.desired_state import Changes
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.zone import Zone
from tests.unit.lab import base

LABS = ('a', 'a-2', 'a-3')


class ZonesTest(base.LabTestCase):
    """Have three zones that are stopped."""

    def setUp(self):
        """Create them."""
        super().setUp()
        for depth, name in enumerate(LABS):
            self.new_lab(name, zone=Zone(LABS, depth))

    def names(self, name):
        """Return the names of the labs that a name stands for."""
        return [lab.name for lab in zones.list_labs(name)]

    def refusal(self, name, count, **changes):
        """Return why a lab can't be brought up so."""
        return str(self.assertRaises(
            LabError, zones.bring_up, paths.locate(name), count,
            Changes(**changes), Progress(),
        ))

    def test_names(self):
        """The first stands for all, each other one for itself."""
        self.assertEqual([*LABS], self.names('a'))
        self.assertEqual(['a-2'], self.names('a-2'))
        error = self.assertRaises(LabError, zones.list_labs, 'b')
        self.assertEqual('no lab named b; labs: a, a-2, a-3', str(error))

    def test_damaged(self):
        """All are found where the first can't be read."""
        paths.locate('a').state_file.write_text('{')
        self.assertEqual([*LABS], self.names('a'))

    def test_whole(self):
        """One is not deleted without the first, unless it is gone."""
        zones.require_whole('a')
        error = self.assertRaises(LabError, zones.require_whole, 'a-3')
        self.assertIn('lab a-3 is a zone of lab a', str(error))
        paths.locate('a').state_file.unlink()
        zones.require_whole('a-3')

    def test_other_numbers(self):
        """The number of zones can't change, nor that of a lab alone."""
        self.assertEqual(
            '--zones 2: lab a has 3 zones; "nova-ext lab delete --name a" '
            'first, or take another --name', self.refusal('a', 2)
        )
        self.new_lab('alone')
        self.assertIn(
            '--zones 3: lab alone has no zones', self.refusal('alone', 3)
        )
        self.assertIn(
            'lab a-2 is a zone of lab a: name that one',
            self.refusal('a-2', 3),
        )

    def test_name_is_taken(self):
        """Another lab is not made a zone."""
        self.new_lab('b-2')
        self.assertIn(
            '--zones 3: there is another lab b-2', self.refusal('b', 3)
        )
        self.assertFalse(paths.locate('b').path.exists())

    def test_stock(self):
        """Nova's own scheduler makes no offers; nothing is changed."""
        files = [paths.locate(name).state_file for name in LABS]
        before = [file.read_text() for file in files]
        self.assertIn('leave out --stock', self.refusal('a', 3, stock=True))
        self.assertIn('leave out --stock', self.refusal('b', 3, stock=True))
        self.assertEqual(before, [file.read_text() for file in files])
        self.assertFalse(paths.locate('b').path.exists())
