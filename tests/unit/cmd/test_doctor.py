"""Run nova-ext doctor."""

import csv
import io
import json
import pathlib

import fixtures
import yaml

from tests.unit.cmd import base
from tests.unit.doctor import fake_cloud


class DoctorTest(base.CommandTestCase):
    """Look at a cloud of three hosts."""

    def setUp(self):
        """Set up the cloud and a configuration."""
        super().setUp()
        self.cloud = self.useFixture(fake_cloud.FakeCloud())
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.doctor.cloud.connect', lambda: self.cloud.facts().cloud
        ))
        self.conf = pathlib.Path(
            self.useFixture(fixtures.TempDir()).join('nova.conf')
        )
        self.conf.write_text(
            f'[nova_ext_record]\nfile = {self.conf.parent}/decisions.jsonl\n'
        )

    def doctor(self, *words, status=0):
        """Return what the command prints."""
        left, out, err = self.run_command(
            'doctor', '--config-file', str(self.conf), *words
        )
        self.assertEqual(status, left, err)
        return out

    def test_healthy(self):
        """Print what was checked, what was not, and the requests."""
        out = self.doctor().splitlines()
        self.assertTrue(out[0].startswith('Nothing found: computes, '), out)
        self.assertIn('Not checked (record): there is no record', out[1])
        self.assertIn('requests in', out[-1])

    def test_sick(self):
        """Print what, why and what to do; exit by the worst."""
        self.cloud.service('cmp-1')['state'] = 'down'
        out = self.doctor(status=3)
        self.assertTrue(out.startswith(
            'warning compute-down: 1 of 3 computes down and not disabled: '
            'cmp-1\n    why: Placement still offers them.'
        ), out)
        self.assertIn('\n    fix: Start nova-compute there', out)
        del self.cloud.hypervisors[2]
        out = self.doctor(status=4)
        self.assertLess(out.index('host-unmapped'), out.index('compute-down'))

    def test_json(self):
        """Print all there is, with the same status."""
        self.cloud.service('cmp-1')['state'] = 'down'
        whole = json.loads(self.doctor('-f', 'json', status=3))
        (found,) = whole['findings']
        self.assertEqual(
            ('compute-down', 'warning', 'cmp-1'),
            (found['id'], found['severity'], found['where']),
        )
        self.assertEqual(
            {'record', 'clocks'},
            {gap['check'] for gap in whole['not_checked']},
        )
        self.assertEqual(1, whole['requests']['identity'])

    def test_part_of_the_whole(self):
        """Take a key of YAML as a column."""
        whole = yaml.safe_load(self.doctor('-f', 'yaml', '-c', 'findings'))
        self.assertEqual({'findings': []}, whole)

    def test_csv(self):
        """Print the findings alone."""
        self.cloud.service('cmp-1')['state'] = 'down'
        rows = list(csv.reader(io.StringIO(
            self.doctor('-f', 'csv', status=3)
        )))
        self.assertEqual(
            ['Id', 'Severity', 'What', 'Where', 'Why', 'Fix'], rows[0]
        )
        self.assertEqual(2, len(rows))

    def test_no_cloud(self):
        """Fail in one line, with status 1."""
        self.cloud.refused['/os-services'] = 403
        status, out, err = self.run_command(
            'doctor', '--config-file', str(self.conf)
        )
        self.assertEqual((1, ''), (status, out))
        self.assertIn('compute refuses GET /os-services', err.splitlines()[-1])

    def test_wrong_file(self):
        """Send the cloud nothing."""
        status, _, err = self.run_command(
            'doctor', '--config-file', '/no/such.conf'
        )
        self.assertEqual(1, status)
        self.assertIn('/no/such.conf', err)
        self.assertEqual([], self.cloud.asked)

    def test_unread_file(self):
        """Look at the cloud where the file that is found can't be read."""
        home = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.useFixture(fixtures.EnvironmentVariable('HOME', str(home)))
        (home / '.nova').mkdir()
        (home / '.nova' / 'nova.conf').write_text('[g]\npassword hidden\n')
        status, out, err = self.run_command('doctor')
        self.assertEqual(0, status, err)
        self.assertIn('nova.conf:2', out)
        self.assertNotIn('hidden', out)
        self.assertNotEqual([], self.cloud.asked)
