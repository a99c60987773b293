"""Run the lab's commands where no lab runs."""

import json
from importlib import metadata

from nova_ext.lab.state.zone import Zone
from tests.unit.cmd.base import CommandTestCase
from tests.unit.lab import base


class CommandsTest(CommandTestCase, base.LabTestCase):
    """Check what is printed, and the exit status."""

    def lab(self, *words, status=0):
        """Run a command, and return what it wrote on either stream."""
        ended, stdout, stderr = self.run_command('lab', *words)
        self.assertEqual(status, ended, stderr)
        self.assertNotIn('Traceback', stderr)
        return stdout + stderr

    def test_eventlet_without_a_broker(self):
        """Refuse in one line, and begin no lab."""
        installed = metadata.version
        self.patch(metadata, 'version', lambda name: (
            '31.3.1' if name == 'nova' else installed(name)
        ))
        self.assertIn(
            'Nova 31.3.1 is installed; add: --broker rabbit',
            self.lab('up', status=1),
        )
        self.assertEqual('[]', self.lab('status', '-f', 'json').strip())

    def test_status(self):
        """List a row a lab, also for one that can't be read."""
        self.new_lab('a', stock_schedulers=1)
        there, _ = self.new_lab('b')
        there.state_file.write_text('{')
        rows = json.loads(self.lab('status', '-f', 'json'))
        self.assertEqual(
            [('a', 'stopped', 2, 'stock'), ('b', 'damaged', 0, '')],
            [(row['Name'], row['Status'], row['Hosts'], row['Scheduler'])
             for row in rows],
        )

    def test_status_of_one(self):
        """List its services, then its hosts; no password."""
        _, state = self.new_lab('a')
        output = self.lab('status', '--name', 'a', '-f', 'json')
        self.assertEqual(
            [*base.BESIDE_NOVA, 'nova', 'cmp-1', 'cmp-2'],
            [row['Name'] for row in json.loads(output)],
        )
        for password in state.passwords.values():
            self.assertNotIn(password, output)

    def test_status_of_zones(self):
        """Name each lab's zone, and of one the labs of the others."""
        for depth, name in enumerate(('a', 'a-2')):
            self.new_lab(name, zone=Zone(('a', 'a-2'), depth))
        rows = json.loads(self.lab('status', '-f', 'json'))
        self.assertEqual(
            [('a', 'parent'), ('a-2', 'child')],
            [(row['Name'], row['Zone']) for row in rows],
        )
        rows = json.loads(self.lab('status', '--name', 'a-2', '-f', 'json'))
        self.assertEqual(
            [('parent', 'stopped', 'lab a')],
            [(row['Name'], row['Status'], row['Where']) for row in rows
             if row['Kind'] == 'zone'],
        )

    def test_zones(self):
        """Refuse another number, stop all of them, and delete none alone."""
        for depth, name in enumerate(('a', 'a-2')):
            self.new_lab(name, zone=Zone(('a', 'a-2'), depth))
        self.assertIn('--zones', self.lab('up', '--zones', '1', status=2))
        self.assertIn(
            'lab a has 2 zones',
            self.lab('up', '--name', 'a', '--zones', '3', status=1),
        )
        self.assertEqual(
            'Lab a was stopped already.\nLab a-2 was stopped already.\n',
            self.lab('down', '--name', 'a'),
        )
        self.assertIn('lab a-2 is a zone of lab a',
                      self.lab('delete', '--name', 'a-2', status=1))
        self.lab('delete', '--name', 'a')
        self.assertEqual('[]', self.lab('status', '-f', 'json').strip())

    def test_status_with_a_broker(self):
        """List each of Nova's processes; no password."""
        _, state = self.new_lab('a', broker='rabbit', schedulers=2)
        output = self.lab('status', '--name', 'a', '-f', 'json')
        self.assertEqual(
            ['rabbit', *base.BESIDE_NOVA, 'scheduler-1', 'scheduler-2',
             'conductor', 'compute', 'api'],
            [row['Name'] for row in json.loads(output)
             if row['Kind'] == 'service'],
        )
        for password in state.passwords.values():
            self.assertNotIn(password, output)

    def test_numbers_of_processes(self):
        """Refuse none, too many and no number before anything starts."""
        for word in ('0', '17', 'x'):
            self.assertIn('between 1 and 16', self.lab(
                'up', '--broker', 'rabbit', '--schedulers', word, status=2
            ))

    def test_stopped(self):
        """Say how to start the lab that a command needs."""
        self.new_lab('a')
        for words in (
            ('run', '--name', 'a', '--', 'true'), ('shell', '--name', 'a'),
            ('restart', '--name', 'a', 'nova'),
            ('try', '--name', 'a', 'mine.py'),
        ):
            self.assertIn('is stopped; "nova-ext lab up --name a" starts it',
                          self.lab(*words, status=1))

    def test_down_and_delete(self):
        """Leave a stopped lab stopped, and remove a deleted one."""
        there, _ = self.new_lab('a')
        self.assertEqual(
            'Lab a was stopped already.\n', self.lab('down', '--name', 'a')
        )
        self.lab('delete', '--name', 'a')
        self.assertEqual(
            [], list(there.path.parent.iterdir())
        )
        self.assertIn('no lab named a; labs: none',
                      self.lab('delete', '--name', 'a', status=1))

    def test_logs(self):
        """Print a service's log, and a part of nova's by its loggers."""
        there, _ = self.new_lab('a')
        line = '2026-11-21 13:09:58.598 1 INFO {} [-] words\n'
        there.log('nova').write_text(
            line.format('nova.scheduler.manager')
            + line.format('nova.compute.manager')
        )
        self.assertEqual(
            2, self.lab('logs', '--name', 'a', 'nova').count('words')
        )
        self.assertEqual(
            line.format('nova.scheduler.manager'),
            self.lab('logs', '--name', 'a', 'scheduler'),
        )
        self.assertIn('no service nove; services: api',
                      self.lab('logs', '--name', 'a', 'nove', status=1))
