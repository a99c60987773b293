"""Test what a lab remembers."""

import dataclasses
import json

from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import LabHost
from nova_ext.lab.state.lab_state import Process
from nova_ext.lab.state.zone import Zone
from tests.unit.lab import base


class StateTest(base.LabTestCase):
    """Save and load lab.json."""

    def test_round_trip(self):
        """Load everything as it was saved."""
        there, state = self.new_lab(
            settings={'a.b': ['1', '2']}, stock_schedulers=1,
            processes={'nova': Process(42, 1.5)},
            hosts=[LabHost('x', 1, 2, 3, 'east')], zone=Zone(('a', 'one'), 1),
        )
        self.assertEqual(state, lab_state.load(there))

    def test_private(self):
        """Keep the passwords in it from other users."""
        there, _ = self.new_lab()
        self.assertEqual(0o600, there.state_file.stat().st_mode & 0o777)

    def test_passwords_differ(self):
        """Give each lab and each user its own password, and other secrets."""
        names = {*lab_state.USERS, *lab_state.SECRETS}
        passwords = [lab_state.create([]).passwords for _ in range(2)]
        self.assertEqual([names, names], [each.keys() for each in passwords])
        self.assertEqual(2 * len(names), len({
            password for each in passwords for password in each.values()
        }))

    def test_from_before_there_were_zones(self):
        """Load a lab without a place among them."""
        there, state = self.new_lab()
        document = json.loads(there.state_file.read_text())
        del document['zone']
        there.state_file.write_text(json.dumps(document))
        self.assertEqual(state, lab_state.load(there))

    def test_another_version(self):
        """Say both versions and what to do."""
        there, state = self.new_lab()
        document = {'version': 99, **dataclasses.asdict(state)}
        there.state_file.write_text(json.dumps(document))
        error = self.assertRaises(LabError, lab_state.load, there)
        self.assertIn('has version 99, this nova-ext reads', str(error))
        self.assertIn('"nova-ext lab delete --name one"', str(error))

    def test_damaged(self):
        """Refuse half a file, another document and a missing field."""
        there, _ = self.new_lab()
        for text in ('{"vers', '[]', '{"version": 2}', ''):
            there.state_file.write_text(text)
            error = self.assertRaises(LabError, lab_state.load, there)
            self.assertIn('can\'t be read', str(error))
            self.assertIn('"nova-ext lab delete --name one"', str(error))

    def test_ports_of_a_damaged_lab(self):
        """Let other labs start."""
        there, _ = self.new_lab()
        self.assertEqual([*base.PORTS.values()], lab_state.read_ports(there))
        there.state_file.write_text('{')
        self.assertEqual([], lab_state.read_ports(there))
