"""Run nova-ext report."""

import json
import os
import pathlib
import tarfile

import fixtures

from nova_ext.core.base import errors
from nova_ext.record import shortening
from tests.unit.cmd import base
from tests.unit.doctor import fake_cloud
from tests.unit.record import samples


class ReportTest(base.CommandTestCase):
    """Report on a cloud of three hosts."""

    def setUp(self):
        """Set up the cloud, a configuration and a record."""
        super().setUp()
        self.cloud = self.useFixture(fake_cloud.FakeCloud())
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.doctor.cloud.connect', lambda: self.cloud.facts().cloud
        ))
        # Importing all of Nova takes seconds.
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.nova_releases.declared_options.query_nova',
            lambda settings: None,
        ))
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        record = self.folder / 'decisions.jsonl'
        record.write_bytes(b''.join(
            shortening.to_line(samples.failure(), 65536) for _ in range(3)
        ))
        self.conf = self.folder / 'nova.conf'
        self.conf.write_text(
            f'[nova_ext_record]\nfile = {record}\n'
            '[filter_scheduler]\nenabled_filters = ComputFilter\n'
        )
        self.path = self.folder / 'r.tar.gz'

    def report(self, *words, status=0):
        """Return both streams of the command."""
        left, out, err = self.run_command(
            'report', '--config-file', str(self.conf), '--output',
            str(self.path), *words,
        )
        self.assertEqual(status, left, err)
        return out, err

    def read(self, name):
        """Return the text of a file of the archive."""
        with tarfile.open(self.path) as opened:
            return opened.extractfile(f'r/{name}').read().decode()

    def test_written(self):
        """List what is in the archive, and where it is."""
        self.cloud.service('cmp-1')['state'] = 'down'
        out, _ = self.report('--failures', '2')
        with tarfile.open(self.path) as opened:
            for name in opened.getnames():
                self.assertIn(f'| {name.removeprefix("r/")}', out)
        self.assertIn(f'\n{self.path}\n', out)
        self.assertEqual(2, self.read('failures.jsonl').count('\n'))
        (found,) = json.loads(self.read('doctor.json'))['findings']
        self.assertEqual('compute-down', found['id'])
        self.assertIn('ComputFilter', self.read('lint.json'))

    def test_in_a_lab(self):
        """Read the lab's nova.conf where no other is named."""
        folder = self.folder / 'labs' / 'one' / 'etc' / 'nova'
        folder.mkdir(parents=True)
        (self.folder / 'labs' / 'one' / 'lab.json').touch()
        self.conf.rename(folder / 'nova.conf')
        for variable, value in (
            ('NOVA_EXT_LAB', 'one'),
            ('NOVA_EXT_LAB_HOME', str(self.folder / 'labs')),
        ):
            self.useFixture(fixtures.EnvironmentVariable(variable, value))
        status, _, err = self.run_command('report', '--output',
                                          str(self.path))
        self.assertEqual(0, status, err)
        self.assertIn('ComputFilter', self.read('lint.json'))
        self.assertEqual(3, self.read('failures.jsonl').count('\n'))

    def test_json(self):
        """Print the same as JSON."""
        out, _ = self.report('-f', 'json')
        told = json.loads(out)
        self.assertEqual(str(self.path), told['archive'])
        self.assertEqual('README.txt', told['files'][0]['file'])

    def test_existing(self):
        """Refuse to overwrite, in one line."""
        self.path.write_text('mine')
        out, err = self.report(status=1)
        self.assertEqual('', out)
        self.assertIn('is there already', err.splitlines()[-1])
        self.assertEqual('mine', self.path.read_text())

    def test_cloud_away(self):
        """Report without a cloud, and say why doctor could not look."""
        def connect():
            raise errors.NovaExtError('the cloud can\'t be asked: http://c')

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.doctor.cloud.connect', connect
        ))
        self.report()
        said = json.loads(self.read('doctor.json'))['error']
        self.assertIn('can\'t be asked', said)
        self.assertNotIn('http://c', said)

    def test_no_cloud(self):
        """Send the cloud nothing."""
        self.report('--no-cloud')
        self.assertEqual([], self.cloud.asked)
        self.assertIn('--no-cloud', self.read('doctor.json'))

    def test_default_name(self):
        """Write into the current folder, with the time."""
        before = pathlib.Path.cwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        status, _, err = self.run_command(
            'report', '--no-cloud', '--config-file', str(self.conf)
        )
        self.assertEqual(0, status, err)
        (made,) = self.folder.glob('nova-ext-report-*.tar.gz')
        self.assertRegex(made.name, r'-\d{8}T\d{6}Z\.tar\.gz$')
