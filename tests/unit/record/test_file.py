"""The record's file: appending and rotation."""

import os
import stat
import time
from pathlib import Path

import fixtures
import testtools

from nova_ext.record import file

DAY_S = 86400.0


class FileTestCase(testtools.TestCase):
    """Has a path for a record, and a clock."""

    def setUp(self):
        """Make a folder that goes away."""
        super().setUp()
        self.now = time.time()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.path = folder / 'deep' / 'nova-ext' / 'decisions.jsonl'

    def record(self, max_bytes=1000, max_files=2, max_age_s=DAY_S):
        """A record file, closed at the end."""
        made = file.RecordFile(
            self.path, max_bytes, max_files, max_age_s, lambda: self.now
        )
        self.addCleanup(made.close)
        return made

    def lines(self):
        """All lines as a reader meets them."""
        with file.opened(self.path) as files:
            return [line for each in files for line in each]


class AppendTest(FileTestCase):
    """What is in the file is whole lines."""

    def test_modes(self):
        """Owner writes, group reads, others see nothing."""
        self.addCleanup(os.umask, os.umask(0))
        self.record().append(b'{}\n')
        self.assertEqual(0o640, stat.S_IMODE(self.path.stat().st_mode))
        self.assertEqual(0o750, stat.S_IMODE(self.path.parent.stat().st_mode))

    def test_mends_a_torn_end(self):
        """A line that a killed process left torn does not spoil the next."""
        record = self.record()
        record.append(b'{"a":1}\n')
        with self.path.open('ab') as torn:
            torn.write(b'{"b":')
        record.append(b'{"c":1}\n')
        self.assertEqual([b'{"a":1}\n', b'{"b":\n', b'{"c":1}\n'],
                         self.lines())

    def test_disk_full(self):
        """What can't be written is an error that names the file."""
        self.path.parent.mkdir(parents=True)
        self.path.symlink_to('/dev/full')
        error = self.assertRaises(OSError, self.record().append, b'{}\n')
        self.assertIn(str(self.path), str(error))
        self.assertIn('No space left', str(error))

    def test_half_a_line(self):
        """A line that fits in part only leaves nothing behind."""
        record = self.record()
        record.append(b'{"a":1}\n')
        written = os.write
        self.patch(os, 'write', lambda fd, data: written(fd, data[:3]))
        self.assertRaises(OSError, record.append, b'{"b":1}\n')
        self.patch(os, 'write', written)
        record.append(b'{"c":1}\n')
        self.assertEqual([b'{"a":1}\n', b'{"c":1}\n'], self.lines())

    def test_unwritable_folder(self):
        """A path below a file is an error and no more."""
        self.path = Path('/dev/null/decisions.jsonl')
        self.assertRaises(OSError, self.record().append, b'{}\n')

    def test_removed_meanwhile(self):
        """Removing the file begins a new one."""
        record = self.record()
        record.append(b'{"a":1}\n')
        self.path.unlink()
        record.append(b'{"b":1}\n')
        self.assertEqual([b'{"b":1}\n'], self.lines())


class RotationTest(FileTestCase):
    """Files are bounded in size, number and age."""

    def test_size(self):
        """A line that would not fit goes into a new file."""
        record = self.record(max_bytes=20)
        for name in b'abc':
            record.append(b'{"%c":1}\n' % name)
        self.assertEqual(b'{"c":1}\n', self.path.read_bytes())
        (older,) = file.rotated(self.path)
        self.assertEqual(b'{"a":1}\n{"b":1}\n', older.read_bytes())

    def test_number(self):
        """Only so many rotated files are kept, the newest."""
        record = self.record(max_bytes=1, max_files=2)
        for name in b'abcde':
            self.now += 1
            record.append(b'{"%c":1}\n' % name)
        self.assertEqual(
            [b'{"c":1}\n', b'{"d":1}\n', b'{"e":1}\n'], self.lines()
        )

    def test_age_of_the_current_file(self):
        """A file is rotated when its first line is too old."""
        self.path.parent.mkdir(parents=True)
        self.path.write_text(
            '{"version":1,"at":"2026-11-21T12:00:00.000Z","request_id":"r"}\n'
        )
        self.now = 1795262400.0 + DAY_S - 1  # a second before it is old
        self.record().append(b'{"b":1}\n')
        self.assertEqual([], file.rotated(self.path))
        self.now += 2
        self.record().append(b'{"c":1}\n')
        self.assertEqual(b'{"c":1}\n', self.path.read_bytes())
        self.assertEqual(1, len(file.rotated(self.path)))

    def test_age_of_rotated_files(self):
        """A rotated file is removed when it is too old."""
        record = self.record(max_bytes=1)
        record.append(b'{"a":1}\n')
        record.append(b'{"b":1}\n')
        (older,) = file.rotated(self.path)
        os.utime(older, (self.now, self.now))
        self.now += file.PRUNE_INTERVAL_S + DAY_S
        self.record().append(b'{"c":1}\n')
        self.assertFalse(older.exists())

    def test_same_moment(self):
        """Two rotations at once overwrite nothing."""
        record = self.record(max_bytes=1, max_files=5)
        for name in b'abc':
            record.append(b'{"%c":1}\n' % name)
        self.assertEqual(3, len(self.lines()))

    def test_strangers_stay(self):
        """Files that only look alike are neither read nor removed."""
        record = self.record(max_bytes=1, max_files=1)
        record.append(b'{"a":1}\n')
        for name in ('.bak', '.1', '.20261121T124930.123456Z.gz'):
            (self.path.parent / f'{self.path.name}{name}').write_text('x\n')
        for _ in range(3):
            self.now += 1
            record.append(b'{"b":1}\n')
        self.assertEqual([b'{"b":1}\n'] * 2, self.lines())
        self.assertEqual(6, len(list(self.path.parent.iterdir())))

    def test_rotated_by_another_process(self):
        """A writer whose file was rotated away writes to the new one."""
        first, second = self.record(max_bytes=20), self.record(max_bytes=20)
        first.append(b'{"a":1}\n')
        second.append(b'{"b":1}\n')
        second.append(b'{"c":1}\n')
        first.append(b'{"d":1}\n')
        self.assertEqual(b'{"c":1}\n{"d":1}\n', self.path.read_bytes())

    def test_reader_in_between(self):
        """A reader that opened before a rotation sees each line once."""
        record = self.record(max_bytes=1)
        record.append(b'{"a":1}\n')
        looked = file.rotated

        def rotating(path):
            self.patch(file, 'rotated', looked)
            record.append(b'{"b":1}\n')
            return looked(path)

        self.patch(file, 'rotated', rotating)
        self.assertEqual([b'{"a":1}\n'], self.lines())
