"""Lock files among the processes of a machine, and create their folders."""

import fcntl
import os
import time
from pathlib import Path

_RETRY_S = 0.005


class MachineLock:
    """Hold a lock on a file, until it is released or the process ends.

    :param path: of the file, which is created if it is absent. Other users
        can't open it, and so they can't hold the lock.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self, timeout_s: float = 0) -> bool:
        """Wait for the lock; say whether it is held now.

        :raises OSError: where the file can't be opened.
        """
        if self._file is not None:
            return True
        ends = time.monotonic() + timeout_s
        flags = os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW
        opened = os.open(self._path, flags, 0o600)
        try:
            os.fchmod(opened, 0o600)
            while not _lock(opened):
                if time.monotonic() >= ends:
                    return False
                time.sleep(_RETRY_S)
            self._file, opened = opened, -1
        finally:
            if opened >= 0:
                os.close(opened)
        return True

    def release(self) -> None:
        """Release the lock, if it is held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def make_folder(path: Path, mode: int = 0o750) -> None:
    """Create a folder and its absent parents; leave one that exists.

    :param mode: the folder's; its group may list the parents.
    """
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(mode, exist_ok=True)


def _lock(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
