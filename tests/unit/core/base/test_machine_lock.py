"""Lock a file between processes, and create its folder."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.machine_lock import MachineLock, make_folder

PATIENCE_S = 60
HOLDER = """
import sys
from pathlib import Path
from nova_ext.core.base.machine_lock import MachineLock

lock = MachineLock(Path(sys.argv[1]))
print(lock.acquire(), flush=True)
sys.stdin.read()
"""


class MachineLockTest(testtools.TestCase):
    """Use a file that is absent at first."""

    def setUp(self):
        """Choose a path."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.path = self.folder / 'lock'

    def test_two_processes(self):
        """Let one have it at a time, and the other once the first ends."""
        mine = MachineLock(self.path)
        with subprocess.Popen(
            [sys.executable, '-c', HOLDER, str(self.path)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        ) as holder:
            self.addCleanup(holder.kill)
            self.assertEqual('True\n', holder.stdout.readline())
            self.assertFalse(mine.acquire())
            self.assertFalse(mine.acquire(0.05))
            holder.stdin.close()
            self.assertTrue(mine.acquire(PATIENCE_S))
        self.assertFalse(MachineLock(self.path).acquire())
        mine.release()
        self.assertTrue(MachineLock(self.path).acquire())

    def test_private(self):
        """Let no other user open the file, also one that was there."""
        self.path.touch(0o644)
        self.assertTrue(MachineLock(self.path).acquire())
        self.assertEqual(0o600, stat.S_IMODE(self.path.stat().st_mode))

    def test_link(self):
        """Follow no symbolic link."""
        self.path.symlink_to(self.folder / 'other')
        self.assertRaises(OSError, MachineLock(self.path).acquire)
        self.assertFalse((self.folder / 'other').exists())

    def test_folder(self):
        """Create parents for the group; change no folder that exists."""
        self.addCleanup(os.umask, os.umask(0))
        self.folder.chmod(0o755)
        deep = self.folder / 'a' / 'b'
        for mode in 0o700, 0o750:
            make_folder(deep, mode)
        modes = [
            stat.S_IMODE(path.stat().st_mode)
            for path in (self.folder, deep.parent, deep)
        ]
        self.assertEqual([0o755, 0o750, 0o700], modes)
