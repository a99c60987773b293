"""Test the archive's file."""

import pathlib
import tarfile

import fixtures
import testtools

from nova_ext.core.base import errors
from nova_ext.report import archive


class ArchiveTest(testtools.TestCase):
    """Write into a folder of its own."""

    def setUp(self):
        """Create the folder."""
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.path = self.folder / 'r.tar.gz'

    def test_written(self):
        """Write it for its owner alone, without a user's name."""
        archive.write(self.path, {'a.txt': b'A', 'b.json': b'{}'})
        self.assertEqual(0o600, self.path.stat().st_mode & 0o777)
        self.assertEqual([self.path], list(self.folder.iterdir()))
        with tarfile.open(self.path) as opened:
            self.assertEqual(['r/a.txt', 'r/b.json'], opened.getnames())
            self.assertEqual(b'A', opened.extractfile('r/a.txt').read())
            for member in opened.getmembers():
                self.assertEqual(
                    (0, 0, '', ''),
                    (member.uid, member.gid, member.uname, member.gname),
                )

    def refused(self):
        """Return the one line of an error."""
        error = self.assertRaises(
            errors.NovaExtError, archive.write, self.path, {'a': b''}
        )
        return str(error)

    def test_nothing_is_overwritten(self):
        """Overwrite nothing, not even a dangling link."""
        self.path.write_text('mine')
        self.assertIn(f'{self.path} is there already', self.refused())
        self.assertEqual('mine', self.path.read_text())
        self.path.unlink()
        self.path.symlink_to('nowhere')
        self.assertIn('is there already', self.refused())
        self.assertEqual([self.path], list(self.folder.iterdir()))

    def test_no_folder(self):
        """Give the reason."""
        self.path = self.folder / 'none' / 'r.tar.gz'
        self.assertIn('No such file', self.refused())

    def test_full_disk(self):
        """Leave nothing behind."""
        def fail(*args):
            raise OSError(28, 'No space left on device')

        self.useFixture(fixtures.MonkeyPatch('os.link', fail))
        self.assertIn('No space left', self.refused())
        self.assertEqual([], list(self.folder.iterdir()))
