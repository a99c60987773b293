"""Finding decisions in the record."""

import io
import json
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base import errors
from nova_ext.core.decision import decision as d
from nova_ext.record import file, reader, shortening, writer
from tests.unit.record import samples


def line(**fields):
    """A decision as a line."""
    return shortening.to_line(samples.failure(**fields), 65536)


class ReaderTestCase(testtools.TestCase):
    """Has a path for a record."""

    def setUp(self):
        """Make a folder that goes away."""
        super().setUp()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.path = folder / 'decisions.jsonl'

    def write(self, *lines):
        """Have these lines be the current file."""
        self.path.write_bytes(b''.join(lines))

    def find(self, wanted=samples.SERVER):
        """Find decisions."""
        return reader.find(self.path, wanted)

    def refused(self, wanted=samples.SERVER):
        """The one line of an error."""
        message = str(self.assertRaises(errors.RecordError, self.find, wanted))
        self.assertNotIn('\n', message)
        return message


class _Growing(io.RawIOBase):
    """A file that another process appends to between two reads.

    :param parts: what each read returns; an empty one is the end for now.
    """

    def __init__(self, parts):
        super().__init__()
        self._parts = parts

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=0):
        return offset

    def readinto(self, buffer):
        part = self._parts.pop(0) if self._parts else b''
        buffer[:len(part)] = part
        return len(part)


class FindTest(ReaderTestCase):
    """What is found, and in which order."""

    def test_by_server_and_by_request(self):
        """Either id leads to the decision."""
        self.write(line(server='other', request_id='req-other'), line())
        for wanted in (samples.SERVER, samples.REQUEST):
            found = self.find(wanted)
            self.assertEqual([samples.failure()], found.decisions)
            self.assertEqual((1, 2), (found.matches, found.lines))

    def test_newest_first(self):
        """Rotated files are older; times decide among neighbours."""
        rotated = self.path.with_name(
            f'{self.path.name}.20261121T124930.123456Z'
        )
        rotated.write_bytes(line(at='2026-01-01T00:00:00.000Z'))
        self.write(line(at='2026-01-03T00:00:00.000Z'),
                   line(at='2026-01-02T00:00:00.000Z'))
        days = [decision.at[9] for decision in self.find().decisions]
        self.assertEqual(['3', '2', '1'], days)

    def test_bounded(self):
        """Only so many decisions are kept; all are counted."""
        self.write(*(
            line(at=f'2026-01-01T00:00:00.{n:03}Z')
            for n in range(reader.KEPT + 5)
        ))
        found = self.find()
        self.assertEqual(reader.KEPT + 5, found.matches)
        self.assertEqual(reader.KEPT, len(found.decisions))
        self.assertIn('.104Z', found.decisions[0].at)

    def test_id_in_other_fields(self):
        """An id that only stands in a hint is not about that server."""
        self.write(line(server='a', request_id='r',
                        **{'project_id': samples.SERVER}))
        self.assertIn('no decision about', self.refused())

    def test_later_version(self):
        """A later version is read as far as it is known, and said."""
        data = json.loads(line())
        data['version'] = 2
        data['attempts'][0]['colour'] = 'blue'
        self.write(json.dumps(data).encode() + b'\n')
        found = self.find()
        self.assertEqual(d.NO_VALID_HOST, found.decisions[0].outcome)
        self.assertIn('later nova-ext', found.notes()[0])


class DamageTest(ReaderTestCase):
    """Files are not always as they were written."""

    def test_torn_last_line(self):
        """A line that is being written just now is no garbage."""
        self.write(line(), line()[:100])
        found = self.find()
        self.assertEqual((1, 0), (found.lines, found.garbage))

    def test_last_line_without_end(self):
        """A whole decision counts without its end-of-line, too."""
        self.write(line()[:-1])
        self.assertEqual(1, self.find().matches)

    def test_line_that_grows(self):
        """The rest of a line that was half there is no line of its own."""
        line = shortening.to_line(samples.failure(), 64 * 1024)
        with io.BufferedReader(_Growing([line[:100], b'', line[100:]])) as f:
            found = reader.search([f], samples.SERVER)
        self.assertEqual((0, 0), (found.lines, found.garbage))

    def test_garbage(self):
        """Lines of any kind are counted, and what is good is found."""
        self.write(
            b'\n', b'garbage\n', b'\xff\xfe\n', b'[]\n', b'7\n', b'{}\n',
            line()[:80] + b'\n', b'[' * 100000 + b'\n',
            json.dumps({'at': 'x', 'request_id': samples.SERVER,
                        'attempts': [5]}).encode() + b'\n',
            line(),
        )
        found = self.find()
        self.assertEqual((1, 9), (found.matches, found.garbage))
        self.assertEqual(['9 lines that are no decision'], found.notes())

    def test_endless_line(self):
        """A line beyond all bounds is skipped, not read."""
        self.patch(reader, 'LINE_BYTES', 4096)
        self.write(b'x' * 100000 + b'\n', line())
        found = self.find()
        self.assertEqual((1, 1), (found.matches, found.garbage))

    def test_dropped(self):
        """What the scheduler could not record adds up."""
        self.write(writer.dropped_line(3), line(), writer.dropped_line(4))
        found = self.find()
        self.assertEqual((7, 1), (found.dropped, found.lines))
        self.assertEqual(['7 decisions dropped'], found.notes())


class RefusalTest(ReaderTestCase):
    """One clear line each."""

    def test_absent(self):
        """No file: where it was looked for, and who writes it."""
        message = self.refused()
        self.assertIn(f'there is no record {self.path}', message)
        self.assertIn('--record', message)

    def test_absent_but_rotated(self):
        """A rotated file alone is a record."""
        self.path.with_name(
            f'{self.path.name}.20261121T124930.123456Z'
        ).write_bytes(line())
        self.assertEqual(1, self.find().matches)

    def test_unreadable(self):
        """A file that can't be read is named, with what to do."""
        self.path.mkdir()
        message = self.refused()
        self.assertIn(f'{self.path} can\'t be read: Is a directory', message)

    def test_empty(self):
        """An empty file says so, and what was dropped."""
        self.write()
        self.assertIn('no decision is recorded yet', self.refused())
        self.write(writer.dropped_line(2))
        self.assertIn('2 decisions dropped', self.refused())

    def test_no_such_decision(self):
        """It says what was looked through."""
        record = file.RecordFile(self.path, 1, 5, 1e9)
        self.addCleanup(record.close)
        for day in (1, 2, 3):
            record.append(line(at=f'2026-01-0{day}T00:00:00.000Z'))
        message = self.refused('req-0')
        self.assertIn(
            f'no decision about req-0 in {self.path} and 2 rotated files: 3 '
            'decisions from 2026-01-01T00:00:00.000Z to '
            '2026-01-03T00:00:00.000Z; every host', message,
        )
