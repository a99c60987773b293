"""The writer's files, and what becomes of a full disk."""

import os
from pathlib import Path

import fixtures
import testtools

from nova_ext.journal import writer
from nova_ext.journal.reader import JournalReader
from tests.unit.journal import samples

HOSTS = {'a': {'free_ram_mb': 1}, 'b': {'free_ram_mb': 2}}


class JournalWriterTest(testtools.TestCase):
    """Write decisions of a small cloud."""

    def setUp(self):
        """Begin without a folder."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).join('j', 'k'))
        self.now = 1_000_000_000.0

    def write(self, made, *numbers):
        """Write decisions by their numbers."""
        for number in numbers:
            made.write(samples.make_decision(number, HOSTS))

    def make(self, **limits):
        """Return a writer whose clock stands still."""
        return samples.make_writer(
            self.folder, clock=lambda: self.now, limits=writer.JournalLimits(
                **{'file_mb': 16, 'day_mb': 64, 'total_mb': 64, 'age_days': 7,
                   **limits}
            ),
        )

    def read(self):
        """Return what is read of all files, and what is damaged."""
        readers = list(map(JournalReader, writer.list_files(self.folder)))
        numbers = [[each.id for each in reader] for reader in readers]
        return numbers, [each for reader in readers for each in reader.damage]

    def test_modes(self):
        """Others than the group read nothing."""
        self.write(self.make(), 1)
        (path,) = writer.list_files(self.folder)
        self.assertEqual(0o640, path.stat().st_mode & 0o777)
        self.assertEqual(0o750, self.folder.stat().st_mode & 0o777)

    def test_disk_full(self):
        """Nothing of a decision stays; the next ones are whole."""
        made = self.make()
        self.write(made, 1, 2)
        write = os.write

        def write_half(descriptor, data):
            return write(descriptor, data[:len(data) // 2])

        with fixtures.MonkeyPatch('os.write', write_half):
            error = self.assertRaises(OSError, self.write, made, 3)
        self.assertIn('No space left', str(error))
        self.write(made, 4, 5)
        self.assertEqual(([[1, 2, 4, 5]], []), self.read())

    def test_removed(self):
        """A file that somebody removes is begun anew."""
        made = self.make()
        self.write(made, 1)
        writer.list_files(self.folder)[0].unlink()
        self.now += 1
        self.write(made, 2)
        self.assertEqual(([[2]], []), self.read())

    def test_days_and_age(self):
        """A day has a file of its own; old ones are removed."""
        made = self.make()
        self.write(made, 1)
        self.now += 86400
        self.write(made, 2)
        self.assertEqual(([[1], [2]], []), self.read())
        old = writer.list_files(self.folder)[0]
        os.utime(old, (self.now, self.now - 8 * 86400))
        self.now += 3600
        self.write(made, 3)
        self.assertEqual(([[2, 3]], []), self.read())

    def test_full_day(self):
        """No more is written than may be; the next day goes on."""
        made = self.make(day_mb=0)
        self.assertRaises(writer.FullError, self.write, made, 1)
        made = self.make()
        self.now += 1
        self.write(made, 2)
        self.assertEqual(([[], [2]], []), self.read())
