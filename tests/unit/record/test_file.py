"""Test appending to the record's file, and its rotation."""

import os
import stat
import time
from pathlib import Path

from nova_ext.record import file, open_files
from tests.unit.record import samples

DAY_S = 86400.0


class FileTestCase(samples.RecordTestCase):
    """Have a path for a record, and a clock."""

    def setUp(self):
        """Begin now."""
        super().setUp()
        self.now = time.time()
        self.path = self.folder / 'deep' / 'nova-ext' / 'decisions.jsonl'

    def record(self, max_bytes=1000, max_files=2, max_age_s=DAY_S):
        """Return a record file, closed at the end."""
        record = file.RecordFile(
            self.path, max_bytes, max_files, max_age_s, lambda: self.now
        )
        self.addCleanup(record.close)
        return record

    def lines(self):
        """Return all lines as a reader meets them."""
        with open_files.open_all(self.path) as files:
            return [line for each in files for line in each]


class AppendTest(FileTestCase):
    """Append whole lines, or none."""

    def test_modes(self):
        """Let the owner write and the group read, and nobody else."""
        self.addCleanup(os.umask, os.umask(0))
        self.record().append(b'{}\n')
        self.assertEqual(0o640, stat.S_IMODE(self.path.stat().st_mode))
        for folder in self.path.parents[:2]:
            self.assertEqual(0o750, stat.S_IMODE(folder.stat().st_mode))
        lock = self.path.with_name('decisions.jsonl.lock')
        self.assertEqual(0o600, stat.S_IMODE(lock.stat().st_mode))

    def test_modes_of_others(self):
        """Leave a deployer's folder; keep others out of an older lock."""
        self.path.parent.mkdir(parents=True)
        self.path.parent.chmod(0o755)
        lock = self.path.with_name('decisions.jsonl.lock')
        lock.touch(0o644)
        self.record().append(b'{}\n')
        self.assertEqual(0o755, stat.S_IMODE(self.path.parent.stat().st_mode))
        self.assertEqual(0o600, stat.S_IMODE(lock.stat().st_mode))

    def test_symbolic_link(self):
        """Write to no file that a link leads to."""
        other = self.folder / 'passwords'
        other.write_text('secret\n')
        self.path.parent.mkdir(parents=True)
        self.path.symlink_to(other)
        error = self.assertRaises(OSError, self.record().append, b'{}\n')
        self.assertIn('a symbolic link', str(error))
        self.assertEqual('secret\n', other.read_text())

    def test_mends_a_torn_end(self):
        """End a line that a killed process left torn."""
        record = self.record()
        record.append(b'{"a":1}\n')
        with self.path.open('ab') as torn:
            torn.write(b'{"b":')
        record.append(b'{"c":1}\n')
        self.assertEqual([b'{"a":1}\n', b'{"b":\n', b'{"c":1}\n'],
                         self.lines())

    def test_disk_full(self):
        """Raise an error that names the file."""
        self.path.parent.mkdir(parents=True)
        self.path.symlink_to('/dev/full')
        self.patch(os, 'O_NOFOLLOW', 0)  # no other file is always full
        error = self.assertRaises(OSError, self.record().append, b'{}\n')
        self.assertIn(str(self.path), str(error))
        self.assertIn('No space left', str(error))

    def test_half_a_line(self):
        """Leave nothing of a line that fits in part only."""
        record = self.record()
        record.append(b'{"a":1}\n')
        written = os.write
        self.patch(os, 'write', lambda fd, data: written(fd, data[:3]))
        self.assertRaises(OSError, record.append, b'{"b":1}\n')
        self.patch(os, 'write', written)
        record.append(b'{"c":1}\n')
        self.assertEqual([b'{"a":1}\n', b'{"c":1}\n'], self.lines())

    def test_unwritable_folder(self):
        """Raise an error for a path below a file."""
        self.path = Path('/dev/null/decisions.jsonl')
        self.assertRaises(OSError, self.record().append, b'{}\n')

    def test_removed_meanwhile(self):
        """Begin a new file when the old one was removed."""
        record = self.record()
        record.append(b'{"a":1}\n')
        self.path.unlink()
        record.append(b'{"b":1}\n')
        self.assertEqual([b'{"b":1}\n'], self.lines())


class RotationTest(FileTestCase):
    """Bound files in size, number and age."""

    def test_size(self):
        """Begin a new file for a line that would not fit."""
        record = self.record(max_bytes=20)
        for name in b'abc':
            record.append(b'{"%c":1}\n' % name)
        self.assertEqual(b'{"c":1}\n', self.path.read_bytes())
        (older,) = file.list_rotated(self.path)
        self.assertEqual(b'{"a":1}\n{"b":1}\n', older.read_bytes())

    def test_number(self):
        """Keep only so many rotated files, the newest."""
        record = self.record(max_bytes=1, max_files=2)
        for name in b'abcde':
            self.now += 1
            record.append(b'{"%c":1}\n' % name)
        self.assertEqual(
            [b'{"c":1}\n', b'{"d":1}\n', b'{"e":1}\n'], self.lines()
        )

    def test_clock_set_back(self):
        """Keep the newest files, in their order."""
        record = self.record(max_bytes=10, max_age_s=10000 * DAY_S)
        self.now += 1000 * DAY_S
        for letter in b'ab':
            record.append(b'{"%c":1}\n' % letter)
        self.now -= 1000 * DAY_S
        for letter in b'cde':
            record.append(b'{"%c":1}\n' % letter)
        self.assertEqual(
            [b'{"c":1}\n', b'{"d":1}\n', b'{"e":1}\n'], self.lines()
        )

    def test_age_of_the_current_file(self):
        """Rotate a file when its first line is too old."""
        self.path.parent.mkdir(parents=True)
        self.path.write_text(
            '{"version":1,"at":"2026-11-21T12:00:00.000Z","request_id":"r"}\n'
        )
        self.now = 1795262400.0 + DAY_S - 1  # a second before it is old
        self.record().append(b'{"b":1}\n')
        self.assertEqual([], file.list_rotated(self.path))
        self.now += 2
        self.record().append(b'{"c":1}\n')
        self.assertEqual(b'{"c":1}\n', self.path.read_bytes())
        self.assertEqual(1, len(file.list_rotated(self.path)))

    def test_age_of_rotated_files(self):
        """Remove a rotated file when it is too old."""
        record = self.record(max_bytes=1)
        record.append(b'{"a":1}\n')
        record.append(b'{"b":1}\n')
        (older,) = file.list_rotated(self.path)
        os.utime(older, (self.now, self.now))
        self.now += file.PRUNE_INTERVAL_S + DAY_S
        self.record().append(b'{"c":1}\n')
        self.assertFalse(older.exists())

    def test_same_moment(self):
        """Overwrite nothing when two rotations coincide."""
        record = self.record(max_bytes=1, max_files=5)
        for name in b'abc':
            record.append(b'{"%c":1}\n' % name)
        self.assertEqual(3, len(self.lines()))

    def test_strangers_stay(self):
        """Neither read nor remove files of similar names."""
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
        """Write to the new file after another process rotated the old one."""
        first, second = self.record(max_bytes=20), self.record(max_bytes=20)
        first.append(b'{"a":1}\n')
        second.append(b'{"b":1}\n')
        second.append(b'{"c":1}\n')
        first.append(b'{"d":1}\n')
        self.assertEqual(b'{"c":1}\n{"d":1}\n', self.path.read_bytes())

    def test_reader_in_between(self):
        """Yield each line once to a reader amid a rotation."""
        record = self.record(max_bytes=1)
        record.append(b'{"a":1}\n')
        looked = open_files.list_rotated

        def rotating(path):
            self.patch(open_files, 'list_rotated', looked)
            record.append(b'{"b":1}\n')
            return looked(path)

        self.patch(open_files, 'list_rotated', rotating)
        self.assertEqual([b'{"a":1}\n'], self.lines())
        self.assertEqual([b'{"a":1}\n', b'{"b":1}\n'], self.lines())
