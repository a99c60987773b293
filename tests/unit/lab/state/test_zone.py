"""Test the place of a lab among zones."""

import testtools

from nova_ext.lab.state import zone
from nova_ext.lab.state.zone import Zone


class ZoneTest(testtools.TestCase):
    """Name parents and children along a chain."""

    def test_names(self):
        """Number all but the first."""
        self.assertEqual(('a', 'a-2', 'a-3'), zone.name_labs('a', 3))

    def test_neighbours(self):
        """Have no parent at the beginning, and no child at the end."""
        places = [Zone(('a', 'a-2', 'a-3'), depth) for depth in range(3)]
        self.assertEqual(
            [('parent', None, 'a-2'), ('child', 'a', 'a-3'),
             ('grandchild', 'a-2', None)],
            [(place.name, place.parent, place.child) for place in places],
        )
