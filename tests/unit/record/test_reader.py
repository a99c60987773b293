"""Test finding decisions in the record."""

import io
import json

from nova_ext.core.base import errors
from nova_ext.core.decision import decision as d
from nova_ext.record import drops, file, reader
from tests.unit.record import samples
from tests.unit.record.samples import failure_line as line


class ReaderTestCase(samples.RecordTestCase):
    """Write a record, and search it."""

    def write(self, *lines):
        """Write these lines as the current file."""
        self.path.write_bytes(b''.join(lines))

    def find(self, wanted=samples.SERVER):
        """Find decisions."""
        return reader.find(self.path, wanted)

    def refused(self, wanted=samples.SERVER):
        """Return the one line of an error."""
        message = str(self.assertRaises(errors.RecordError, self.find, wanted))
        self.assertNotIn('\n', message)
        return message


class _Growing(io.RawIOBase):
    """Stand for a file that another process appends to between two reads.

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
    """Find decisions, and order them."""

    def test_by_server_and_by_request(self):
        """Find a decision by either id."""
        self.write(line(server='other', request_id='req-other'), line())
        for wanted in (samples.SERVER, samples.REQUEST):
            found = self.find(wanted)
            self.assertEqual([samples.failure()], found.decisions)
            self.assertEqual((1, 2), (found.matches, found.lines))

    def test_surrogates(self):
        """Show U+FFFD for what no terminal or answer takes."""
        written = line(request_id='req-\ud800', project_id='p-{}')
        self.write(written.replace(b'{}', b'\xed\xa0\x80'))
        decision, = self.find().decisions
        self.assertEqual(
            ('req-\ufffd', 'p-\ufffd'),
            (decision.request_id, decision.project_id),
        )

    def test_newest_first(self):
        """Take rotated files for older; sort neighbours by time.

        Another worker may have written a decision a little later.
        """
        rotated = self.path.with_name(
            f'{self.path.name}.20261121T124930.123456Z'
        )
        rotated.write_bytes(line(at='2026-01-01T00:00:00.000Z'))
        self.write(line(at='2026-01-01T00:00:03.000Z'),
                   line(at='2026-01-01T00:00:02.000Z'),
                   line(at='2026-01-01T00:00:01.000Z'))
        found = self.find()
        self.assertEqual(
            ['03', '02', '01', '00'],
            [decision.at[17:19] for decision in found.decisions],
        )
        self.assertEqual([], found.notes())

    def test_clock_set_back(self):
        """What is written last is the newest, and a note says so."""
        self.write(line(at='2026-01-01T00:00:00.000Z'),
                   line(at='2026-01-03T00:00:00.000Z'),
                   line(at='2026-01-01T00:02:02.000Z'),
                   line(at='2026-01-01T00:02:01.000Z'))
        found = self.find()
        self.assertEqual(
            ['1T00:02:02', '1T00:02:01', '3T00:00:00', '1T00:00:00'],
            [decision.at[9:19] for decision in found.decisions],
        )
        (note,) = found.notes()
        self.assertIn('was set back', note)

    def test_clock_ahead(self):
        """Note a time that is still to come."""
        self.write(line(at='once'), line(at='2999-01-01T00:00:00.000Z'))
        found = self.find()
        self.assertEqual('2999', found.decisions[0].at[:4])
        (note,) = found.notes()
        self.assertIn('2999-01-01T00:00:00.000Z is still to come', note)

    def test_bounded(self):
        """Keep only so many decisions, and count all."""
        self.write(*(
            line(at=f'2026-01-01T00:00:00.{n:03}Z')
            for n in range(reader.MAX_DECISIONS + 5)
        ))
        found = self.find()
        self.assertEqual(reader.MAX_DECISIONS + 5, found.matches)
        self.assertEqual(reader.MAX_DECISIONS, len(found.decisions))
        self.assertIn('.104Z', found.decisions[0].at)

    def test_id_in_other_fields(self):
        """Ignore an id that stands in another field."""
        self.write(line(server='a', request_id='r',
                        **{'project_id': samples.SERVER}))
        self.assertIn('no decision about', self.refused())

    def test_later_version(self):
        """Read a later version as far as it is known, and say so."""
        data = json.loads(line())
        data['version'] = 2
        data['attempts'][0]['colour'] = 'blue'
        self.write(json.dumps(data).encode() + b'\n')
        found = self.find()
        self.assertEqual(d.NO_VALID_HOST, found.decisions[0].outcome)
        self.assertIn('later nova-ext', found.notes()[0])


class DamageTest(ReaderTestCase):
    """Read damaged files."""

    def test_torn_last_line(self):
        """Ignore a line that is being written."""
        self.write(line(), line()[:100])
        found = self.find()
        self.assertEqual((1, 0), (found.lines, found.garbage))

    def test_last_line_without_end(self):
        """Count a whole decision without its end-of-line."""
        self.write(line()[:-1])
        self.assertEqual(1, self.find().matches)

    def test_line_that_grows(self):
        """Ignore the rest of a line that was half there."""
        whole = line()
        with io.BufferedReader(_Growing([whole[:100], b'', whole[100:]])) as f:
            found = reader.search([f], samples.SERVER)
        self.assertEqual((0, 0), (found.lines, found.garbage))

    def test_garbage(self):
        """Count garbage of any kind, and find what is good."""
        self.write(
            line(), b'\n', b'garbage\n', b'\xff\xfe\n', b'[]\n', b'7\n',
            b'{}\n',
            line()[:80] + b'\n', b'[' * 100000 + b'\n',
            json.dumps({'at': 'x', 'request_id': samples.SERVER,
                        'attempts': [5]}).encode() + b'\n',
        )
        found = self.find()
        self.assertEqual((1, 9), (found.matches, found.garbage))
        self.assertEqual(['9 lines that are no decision'], found.notes())

    def test_endless_line(self):
        """Skip a line that is too long."""
        self.patch(reader, 'LINE_BYTES', 4096)
        self.write(b'x' * 100000 + b'\n', line(
            placement=d.Placement('q', 0), attempts=[]
        ))
        found = self.find()
        self.assertEqual((1, 1), (found.matches, found.garbage))

    def test_dropped(self):
        """Add up what the scheduler could not record."""
        self.write(drops.encode_drops(3), line(), drops.encode_drops(4))
        found = self.find()
        self.assertEqual((7, 1), (found.dropped, found.lines))
        self.assertEqual(['7 decisions dropped'], found.notes())


class RefusalTest(ReaderTestCase):
    """Refuse in one clear line."""

    def test_absent(self):
        """Say where the file was looked for, and who writes it."""
        message = self.refused()
        self.assertIn(f'there is no record {self.path}', message)
        self.assertIn('--record', message)

    def test_absent_but_rotated(self):
        """Read a rotated file alone."""
        self.path.with_name(
            f'{self.path.name}.20261121T124930.123456Z'
        ).write_bytes(line())
        self.assertEqual(1, self.find().matches)

    def test_unreadable(self):
        """Name the file that can't be read, and what to do."""
        for path in (
            self.path.with_name(f'{self.path.name}.20261121T124930.123456Z'),
            self.path,
        ):
            path.mkdir()
            self.assertIn(
                f'{path} can\'t be read: Is a directory', self.refused()
            )

    def test_empty(self):
        """Say that the file is empty, and what was dropped."""
        self.write()
        self.assertIn('no decision is recorded yet', self.refused())
        self.write(drops.encode_drops(2))
        self.assertIn('2 decisions dropped', self.refused())

    def test_no_such_decision(self):
        """Say what was searched."""
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
