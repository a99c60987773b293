"""What a lab remembers."""

import dataclasses
import json

from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import Host
from nova_ext.lab.state.lab_state import Process
from tests.unit.lab import base


class StatesTest(base.LabTestCase):
    """lab.json."""

    def test_round_trip(self):
        """Everything comes back, as it was."""
        there, state = self.new_lab(
            settings={'a.b': ['1', '2']}, stock_schedulers=1,
            processes={'nova': Process(42, 1.5)},
            hosts=[Host('x', 1, 2, 3, 'east')],
        )
        self.assertEqual(state, lab_state.load(there))

    def test_private(self):
        """It holds passwords: nobody else may read it."""
        there, _ = self.new_lab()
        self.assertEqual(0o600, there.state_file.stat().st_mode & 0o777)

    def test_passwords_differ(self):
        """Each lab and each user has its own."""
        passwords = [
            password
            for _ in range(2)
            for password in lab_state.new([]).passwords.values()
        ]
        self.assertEqual(8, len(set(passwords)))

    def test_another_version(self):
        """The line says both versions and what to do."""
        there, state = self.new_lab()
        document = {'version': 99, **dataclasses.asdict(state)}
        there.state_file.write_text(json.dumps(document))
        error = self.assertRaises(LabError, lab_state.load, there)
        self.assertIn('has version 99, this nova-ext reads', str(error))
        self.assertIn(f'remove {there.folder}', str(error))

    def test_damaged(self):
        """Half a file, another document, a missing field: one line."""
        there, _ = self.new_lab()
        for text in ('{"vers', '[]', '{"version": 2}', ''):
            there.state_file.write_text(text)
            error = self.assertRaises(LabError, lab_state.load, there)
            self.assertIn('can\'t be read', str(error))

    def test_ports_of_a_damaged_lab(self):
        """It keeps no other lab from starting."""
        there, _ = self.new_lab()
        self.assertEqual(list(base.PORTS.values()), lab_state.ports(there))
        there.state_file.write_text('{')
        self.assertEqual([], lab_state.ports(there))
