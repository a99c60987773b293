"""Reach the zones of labs that do not run, and read tables."""

from nova_ext.lab.demo import zone_servers
from nova_ext.lab.state import lab_state, paths
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.zone import Zone
from tests.unit.lab import base
from tests.unit.lab.demo.test_zones import LABS, draw


class ZoneServersTest(base.LabTestCase):
    """Labs whose states are written."""

    def test_child_zone(self):
        """Name the lab that stands for all zones."""
        error = self.assertRaises(
            LabError, zone_servers.connect,
            *self.new_lab('a-2', zone=Zone(LABS, 1)),
        )
        self.assertIn('nova-ext lab demo zones --name a', str(error))

    def test_zone_stopped(self):
        """Name the zone that is stopped, and how to start it."""
        for depth, name in enumerate(LABS):
            self.new_lab(name, zone=Zone(LABS, depth))
        error = self.assertRaises(
            LabError, zone_servers.connect, paths.find('a'),
            lab_state.load(paths.find('a')),
        )
        self.assertIn('is stopped; "nova-ext lab up --name a"', str(error))

    def test_read_table(self):
        """Read the rows alone, with their columns."""
        text = f'web: active\n{draw(["A", "B C"], ["x", ""], [1, "y z"])}\nend'
        self.assertEqual(
            [{'A': 'x', 'B C': ''}, {'A': '1', 'B C': 'y z'}],
            zone_servers.read_table(text),
        )
        self.assertEqual([], zone_servers.read_table('no table'))
