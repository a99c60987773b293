"""Import a journal, and replay it rolling, up to what needs Nova."""

import tempfile
from pathlib import Path
from types import SimpleNamespace

from nova_ext.cmd import journal_import
from nova_ext.replay import rolling
from tests.unit.cmd import base
from tests.unit.replay import rolling_samples, samples


class ImportTest(base.CommandTestCase):
    """Tables become a journal."""

    def setUp(self):
        """Have tables."""
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.hosts = self.folder / 'hosts.csv'
        self.hosts.write_text('name,vcpus,memory_mb,disk_gb\na,1,1,1\n')
        self.requests = self.folder / 'requests.csv'
        self.requests.write_text('when,vcpus,memory_mb,count\n0,1,1,3\n')
        self.error = None

    def write(self, path, hosts, requests, report):
        """Write a journal."""
        if self.error:
            raise self.error
        path.write_text('x')
        report(len(requests))

    def run_import(self, name='x.journal'):
        """Run the command."""
        self.patch(journal_import, '_load_writer', lambda: SimpleNamespace(
            write=self.write
        ))
        return self.run_command(
            'journal', 'import', str(self.hosts), str(self.requests), '-o',
            str(self.folder / name),
        )

    def test_written(self):
        """The journal is there, and a line says what is in it."""
        status, out, _ = self.run_import()
        self.assertEqual(0, status)
        self.assertIn('1 host, 1 request for 3 servers', out)
        self.assertEqual('x', (self.folder / 'x.journal').read_text())

    def test_refused(self):
        """One line; what was there stays, and no part is left."""
        old = self.folder / 'x.journal'
        old.write_text('old')
        for error, name, text in (
            (None, 'x', 'ends with .journal'),
            (OSError(28, 'No space left on device'), 'x.journal',
             'No space left on device'),
        ):
            self.error = error
            status, out, err = self.run_import(name)
            self.assertEqual((1, ''), (status, out))
            self.assertIn(text, err.strip().splitlines()[-1])
        self.hosts.write_text('name\n')
        status, _, err = self.run_import()
        self.assertEqual(1, status)
        self.assertIn('hosts.csv: row 1', err)
        self.assertEqual('old', old.read_text())
        self.assertEqual([], list(self.folder.glob('*.part')))

    def test_loads(self):
        """The writer is Nova's own objects'."""
        self.assertTrue(callable(journal_import._load_writer().write))

    def test_no_nova(self):
        """Without Nova a line says what to install."""
        self.patch(journal_import, 'import_module', self.fail_to_import)
        status, _, err = self.run_command(
            'journal', 'import', str(self.hosts), str(self.requests), '-o',
            str(self.folder / 'x.journal'),
        )
        self.assertEqual(1, status)
        self.assertIn('pip install \'nova-ext[scheduler]\'', err)

    def fail_to_import(self, name):
        """Have no such module."""
        raise ImportError(f'no module {name}')


class RollingCommandTest(base.CommandTestCase):
    """What is asked for, and what is refused in one line."""

    def setUp(self):
        """Have a journal and a configuration."""
        super().setUp()
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.journal = rolling_samples.write_journal(
            folder / 'x.journal', ['small']
        )
        self.new = folder / 'new.conf'
        self.new.write_text('')
        self.days = None

    def replay(self, *words):
        """Run the command on a replay that is made up."""
        change = samples.changes()[0]

        def answer(paths, setups, own, progress):
            key = 'x.journal', 1
            cloud = rolling_samples.FakeReplayer({}).cloud
            state = rolling.CloudState(2, 1, len(cloud.servers), {}, {})
            self.days = list(setups)
            return rolling.RollingResult(
                rolling.Journals({}, {key: change.original}, ['a note']), 1,
                [
                    rolling.RollingDay(name, {
                        key: samples.replayed(cloud=state)
                    }, [change] if number else [])
                    for number, name in enumerate(setups)
                ],
            )

        self.patch(rolling, 'replay', answer)
        return self.run_command('replay', str(self.journal), *words)

    def test_rolling(self):
        """Two configurations in one table; something is lost."""
        status, out, _ = self.replay(
            '--rolling', '--config-file', str(self.new), '--set',
            'filter_scheduler.host_subset_size=2', '--against', str(self.new),
        )
        self.assertEqual(3, status)
        self.assertEqual(['new.conf host_subset_size=2', 'new.conf'],
                         self.days)
        self.assertIn('placed → none', out)
        self.assertIn('a note', out)

    def test_refused(self):
        """Each question has options of its own."""
        given = '--config-file', str(self.new)
        for words, text in (
            (given, 'give --rolling'),
            (('--rolling', *given, '--sample', '0.5'), '--sample is about'),
        ):
            status, out, err = self.replay(*words)
            self.assertEqual((1, ''), (status, out))
            self.assertIn(text, err)
