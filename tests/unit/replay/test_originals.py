"""Read what journals say, damaged ones too."""

from importlib import metadata
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.replay import originals
from nova_ext.replay.selection import Selection
from tests.unit.replay import journals


class RecordedTest(testtools.TestCase):
    """Journals that a scheduler has written."""

    def setUp(self):
        """Have an empty folder; no version differs."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.useFixture(fixtures.MonkeyPatch(
            'importlib.metadata.version',
            lambda package: {'nova': '34.0.0', 'nova-ext': '1.0'}[package],
        ))

    def write(self, *numbers, **fields):
        """Write a file, and return its path."""
        return journals.write(self.folder, *numbers, **fields)

    def read(self, *paths, **selection):
        """Read files, or else the folder; return the IDs, too."""
        self.journals = originals.read(
            paths or [self.folder], Selection(**selection)
        )
        return [number for _, number in self.journals.originals]

    def refuse(self, *paths, **selection):
        """Return why nothing can be read."""
        return str(self.assertRaises(
            NovaExtError, self.read, *paths, **selection
        ))

    def test_decision(self):
        """Of a decision it is known what a report names."""
        path = self.write(7)
        self.assertEqual([7], self.read())
        each = self.journals.originals[path.name, 7]
        self.assertEqual(
            ('req-7', 1007.0, 'create', 'p', 'small', ['server-7'], 'placed'),
            (each.request_id, each.time, each.operation, each.project,
             each.flavor, each.servers, each.outcome),
        )
        self.assertEqual([[('a', 'a'), ('b', 'b')]], each.chosen)
        # Of the host that was chosen, and of no alternate.
        self.assertEqual({('a', 'a'): ['fast', 'rack-2']}, each.aggregates)
        self.assertEqual(
            {'fast', 'rack-2'}, {name for name, _ in self.journals.aggregates}
        )
        self.assertTrue(each.shows_refusals)
        self.assertEqual([], self.journals.notes)

    def test_stock(self):
        """A stock scheduler shows no refused claim."""
        self.write(1, mode='plugin')
        self.read()
        (each,) = self.journals.originals.values()
        self.assertFalse(each.shows_refusals)

    def test_order(self):
        """Several files are one list by time, and one configuration each."""
        first = self.write(1, 4)
        second = self.write(2, 3, host='ctl-2')
        third = self.write(5, host='ctl-3', options={'host': 'x'})
        self.assertEqual([1, 2, 3, 4, 5], self.read())
        self.assertEqual(
            [[first, second], [third]], list(self.journals.groups.values())
        )
        self.assertEqual([2, 3], self.read(second))
        self.assertEqual([3, 4], self.read(since=1003, until=1005))

    def test_damaged(self):
        """What stands before is read; what follows is counted."""
        path = self.write(1, 2, 3, 4)
        data = bytearray(path.read_bytes())
        # The third frame is decision 2: the first one is the process.
        offset = [
            at for at in range(len(data)) if data[at:at + 4] == b'\x93NXJ'
        ][2]
        data[offset + 20] ^= 0xff
        path.write_bytes(data)
        self.assertEqual([1], self.read())
        self.assertEqual([
            f'{path}: damaged at byte {offset}',
            f'{path}: 2 decisions can\'t be read, as they depend on what is '
            f'damaged or missing before them',
        ], self.journals.notes)

    def test_clocks(self):
        """A clock that differs is told, of several machines alone."""
        seen = []
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.replay.originals.ClockSkew.add',
            lambda _, machine, *__: seen.append(machine),
        ))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.replay.originals.ClockSkew.list_notes',
            lambda _: ['a clock differs'],
        ))
        self.write(1)
        self.read()
        self.assertEqual([], seen)
        self.write(2, host='ctl-2')
        self.read()
        self.assertEqual(['ctl-1', 'ctl-2'], seen)
        self.assertEqual(['a clock differs'], self.journals.notes)

    def test_cut_off(self):
        """A file that is still written, or was cut off, is read so far."""
        path = self.write(1, 2)
        path.write_bytes(path.read_bytes()[:-3])
        self.assertEqual([1], self.read())
        (note,) = self.journals.notes
        self.assertIn('cut off at byte', note)

    def test_losses(self):
        """What was not written is told, with the reason."""
        path = self.write(1, loss=(3, 'No space left on device'))
        self.read()
        (note,) = self.journals.notes
        self.assertIn(f'{path}: 3 decisions were not written until ', note)
        self.assertTrue(note.endswith(': No space left on device'), note)

    def test_versions(self):
        """Other versions are named, each once; those of here are not."""
        for host, nova, ours in (
            ('one', '31.0.0', '1.0'), ('two', '31.0.0', '0.9'),
            ('three', '34.0.0', '1.0'),
        ):
            self.write(
                1, host=host, versions={'nova': nova, 'nova_ext': ours}
            )
        self.read()
        self.assertEqual([
            'the journal is of nova 31.0.0, nova 34.0.0 decides here',
            'the journal is of nova-ext 0.9, nova-ext 1.0 decides here',
        ], self.journals.notes)

    def test_no_nova(self):
        """Nova may not be installed, and a version may be unknown."""
        def find(package):
            raise metadata.PackageNotFoundError(package)

        self.useFixture(
            fixtures.MonkeyPatch('importlib.metadata.version', find)
        )
        self.write(1, versions={'nova': '34.0.0'})
        self.read()
        self.assertEqual([
            'the journal is of nova 34.0.0, nova none decides here',
            'the journal is of nova-ext unknown, nova-ext none decides here',
        ], self.journals.notes)

    def test_others(self):
        """A file that is no journal is noted, and the others are read."""
        self.write(1)
        other = self.folder / 'x.journal'
        other.write_bytes(b'hello')
        self.assertEqual([1], self.read())
        (note,) = self.journals.notes
        self.assertIn(f'{other}: not a journal', note)
        self.assertIn('not a journal', self.refuse(other))

    def test_none(self):
        """Where there is nothing to replay, it says why."""
        self.assertEqual(
            f'{self.folder}: no file *.journal is in it', self.refuse()
        )
        self.write(1)
        self.assertIn(
            'there is no decision to replay in this time',
            self.refuse(since=2000),
        )

    def test_selected(self):
        """What limits a selection is named where it takes nothing."""
        for selection, text in (
            (Selection(), ''), (Selection(until=1.0), ' in this time'),
            (Selection(share=0.5), ' in this sample'),
        ):
            self.assertEqual(text, selection.describe())

    def test_aggregates(self):
        """An aggregate of no host is refused, and those of hosts named."""
        journals = originals.Journals({}, {}, aggregates=[('fast', 'uuid')])
        originals.check_aggregates(journals, ['fast', 'uuid'])
        for known, text in (
            (journals, 'aggregates of hosts: fast'),
            (originals.Journals({}, {}), 'aggregates of hosts: none'),
        ):
            error = self.assertRaises(
                NovaExtError, originals.check_aggregates, known, ['slow'],
            )
            self.assertIn('in an aggregate slow; ' + text, str(error))
