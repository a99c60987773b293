"""What a whole record tells at a glance."""

import pathlib

import fixtures
import testtools

from nova_ext.core.base import errors
from nova_ext.record import shortening, summary, writer
from tests.unit.record import samples

AT = '2026-11-2{}T12:00:00.000Z'


class SummaryTest(testtools.TestCase):
    """Reads a record of a few lines."""

    def setUp(self):
        """A place for it."""
        super().setUp()
        self.path = pathlib.Path(
            self.useFixture(fixtures.TempDir()).join('decisions.jsonl')
        )

    def summarize(self, *lines, failures=0):
        """The summary of these lines."""
        self.path.write_bytes(b''.join(lines))
        return summary.summarize(self.path, failures)

    def failure(self, day=1, **fields):
        """The line of a decision that found no host."""
        return shortening.to_line(
            samples.failure(at=AT.format(day), **fields), 65536
        )

    def test_counts(self):
        """Decisions, drops, garbage, and the time they span."""
        found = self.summarize(
            self.failure(1), writer.dropped_line(3), b'oops\n', b'[]\n',
            self.failure(2), writer.dropped_line(4),
        )
        self.assertEqual(
            (2, 7, 2, AT.format(1), AT.format(2)),
            (found.decisions, found.dropped, found.garbage, found.first_at,
             found.last_at),
        )
        self.assertTrue(found.dropped_at.endswith('Z'))

    def test_line_in_the_making(self):
        """The end of a file that is being written is no garbage."""
        found = self.summarize(self.failure(1), b'{"version":1,"at')
        self.assertEqual((1, 0), (found.decisions, found.garbage))

    def test_makers(self):
        """The last of each host."""
        found = self.summarize(
            self.failure(by={'host': 'a', 'nova': '33'}),
            self.failure(by={'host': 'b', 'nova': '33'}),
            self.failure(by={'host': 'a', 'nova': '34'}),
        )
        self.assertEqual({'a': '34', 'b': '33'}, {
            host: by['nova'] for host, by in found.makers.items()
        })

    def test_failures(self):
        """The last few, newest first, and no success."""
        found = self.summarize(
            *(self.failure(day) for day in range(1, 6)),
            shortening.to_line(samples.success(), 65536), failures=2,
        )
        self.assertEqual(
            [AT.format(5), AT.format(4)], [each.at for each in found.failures]
        )

    def test_none(self):
        """An error that names the file."""
        error = self.assertRaises(
            errors.RecordError, summary.summarize, self.path
        )
        self.assertIn(f'there is no record {self.path}', str(error))

    def test_unreadable(self):
        """An error that names the file and the reason."""
        self.path.mkdir()
        error = self.assertRaises(
            errors.RecordError, summary.summarize, self.path
        )
        self.assertIn('Is a directory', str(error))
