"""What ``nova-ext journal show`` says of files that are broken."""

import io
from dataclasses import replace
from pathlib import Path

import fixtures
import testtools

from nova_ext.cmd import journal
from nova_ext.journal import frames
from nova_ext.journal.runs import from_counts, from_runs
from tests.unit.journal import samples


class _App:
    def __init__(self):
        self.stdout = io.StringIO()


class ShowTest(testtools.TestCase):
    """Show a folder with a whole file and others."""

    def setUp(self):
        """Write a file of five decisions."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        made = samples.make_writer(self.folder)
        for number in range(5):
            made.write(samples.make_decision(
                number, {'a': {'free_ram_mb': number}}
            ))
        made.close()
        self.data = made._path.read_bytes()

    def show(self, *words):
        """Run the command; return its exit status and what it prints."""
        app = _App()
        command = journal.ShowJournal(app, None)
        parser = command.get_parser('nova-ext journal show')
        status = command.run(parser.parse_args([str(self.folder), *words]))
        return status, app.stdout.getvalue()

    def test_whole(self):
        """It counts decisions."""
        status, text = self.show()
        self.assertEqual(0, status)
        self.assertIn('5 decisions, 5 of them exact', text)

    def test_cut_off(self):
        """One line says so; what stands before is counted."""
        (self.folder / 'x.journal').write_bytes(self.data[:-20])
        status, text = self.show()
        self.assertEqual(3, status)
        self.assertIn('9 decisions, 9 of them exact', text)
        self.assertEqual(1, text.count('cut off at byte'))

    def test_others(self):
        """Each file that is none has one line."""
        (self.folder / 'x.journal').write_bytes(b'hello')
        (self.folder / 'y.journal').write_bytes(
            self.data.replace(b'journal 1', b'journal 9', 1)
        )
        status, text = self.show()
        self.assertEqual(1, status)
        self.assertEqual(1, text.count('not a journal'))
        self.assertEqual(1, text.count('format 9 of the journal'))

    def test_no_beginning(self):
        """Decisions are counted that lack what stood before them."""
        header = len(frames.HEADER)
        epoch = next(iter(frames.FrameReader(self.data[header:], header)))
        (self.folder / 'x.journal').write_bytes(
            frames.HEADER + self.data[epoch.end:]
        )
        status, text = self.show()
        self.assertEqual(3, status)
        self.assertIn('5 decisions can\'t be read', text)

    def test_nothing(self):
        """Of no decision nothing is claimed."""
        for path in self.folder.glob('*.journal'):
            path.write_bytes(frames.HEADER)
        status, text = self.show()
        self.assertEqual(0, status)
        self.assertIn('There is no decision that can be read.', text)
        self.assertNotIn('exact:', text)

    def test_made_up(self):
        """Values that are wrong are damage, whatever the checksum says."""
        for name, value in (
            ('spec', 'x'), ('time', float('nan')), ('time', 1e300),
            ('time', 'x'),
        ):
            decision = samples.make_decision(9, {'a': {'free_ram_mb': 9}})
            made = samples.make_writer(self.folder)
            made.write(replace(decision, body={**decision.body, name: value}))
            made.close()
        status, text = self.show()
        self.assertEqual(3, status)
        self.assertEqual(4, text.count('not understood at byte'))
        self.assertIn('5 decisions, 5 of them exact', text)

    def test_many_rows(self):
        """Runs of rows that there are not do not fill the memory."""
        for runs in ([0, 10 ** 12], [0, 5, 0, -2]):
            self.assertRaises(ValueError, from_runs, runs, 6)
            self.assertRaises(ValueError, from_counts, runs, 6)
