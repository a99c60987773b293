"""Have one process of a machine do what one is enough for."""

import fcntl
import os
from pathlib import Path


class MachineLock:
    """Hold a lock on a file, until it is let go or the process ends.

    :param path: of the file, which is made where it is absent.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self) -> bool:
        """Take the lock if no other holds it; say whether it is held now.

        :raises OSError: where the file can't be made.
        """
        if self._file is not None:
            return True
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(opened)
            return False
        self._file = opened
        return True

    def release(self) -> None:
        """Let it go, if it is held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
