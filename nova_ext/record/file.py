"""Append whole lines from many processes to the record, and rotate it.

The current file bears the record's name; a rotated one adds the time at
which it was rotated, ``decisions.jsonl.20261121T124930.123456Z``.
"""

import contextlib
import datetime
import errno
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from nova_ext.core.base.machine_lock import MachineLock, make_folder

#: Seconds to wait for the other processes' lines; each takes microseconds.
LOCK_TIMEOUT_S = 5.0
#: Seconds between two looks for rotated files that are too old.
PRUNE_INTERVAL_S = 600.0

_ROTATED = re.compile(r'\.\d{8}T\d{6}\.\d{6}Z')
_STAMP = '%Y%m%dT%H%M%S.%fZ'
_STEP = datetime.timedelta(microseconds=1)
_AT = re.compile(rb'"at":"([^"]{1,40})"')


class RecordFile:
    """Append lines, whole or not at all; not for several threads.

    :param path: the current file; its folder is created if it is absent.
    :param max_bytes: size at which the file is rotated.
    :param max_files: rotated files to keep.
    :param max_age_s: age at which the file is rotated, and a rotated one
        removed.
    :param clock: seconds since 1970.
    """

    def __init__(
        self, path: Path, max_bytes: int, max_files: int, max_age_s: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._max_files = max_files
        self._max_age_s = max_age_s
        self._clock = clock
        self._fd = -1
        self._began = 0.0
        self._pruned = float('-inf')
        self._lock = MachineLock(Path(f'{path}.lock'))

    def append(self, line: bytes) -> None:
        """Write one line to the end, in one write.

        :param line: with its end-of-line.
        :raises OSError: nothing of the line is in the file then.
        """
        make_folder(self._path.parent)
        with self._locked():
            self._open()
            size = os.fstat(self._fd).st_size
            if size and (
                size + len(line) > self._max_bytes
                or self._clock() - self._began > self._max_age_s
            ):
                self._rotate()
                self._open()
                size = 0
            self._prune()
            self._write(line, size)

    def close(self) -> None:
        """Close the file; the next line opens it again."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        if not self._lock.acquire(LOCK_TIMEOUT_S):
            raise TimeoutError(
                errno.ETIMEDOUT, 'locked by another process', str(self._path)
            )
        try:
            yield
        finally:
            self._lock.release()

    def _open(self) -> None:
        """Open the current file; another process may have rotated it."""
        if self._fd >= 0:
            with contextlib.suppress(FileNotFoundError):
                current = self._path.stat()
                if os.path.samestat(os.fstat(self._fd), current):
                    return
            self.close()
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
        try:
            self._fd = os.open(self._path, flags, 0o640)
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            raise OSError(
                error.errno, 'a symbolic link, which may lead to any file; '
                'name the file itself', str(self._path),
            ) from None
        self._began = self._first_line_at()

    def _first_line_at(self) -> float:
        """Return the time that the file's first line bears."""
        match = _AT.search(os.pread(self._fd, 200, 0))
        if match:
            with contextlib.suppress(ValueError):
                text = match[1].decode('ascii', 'replace')
                return datetime.datetime.fromisoformat(text).timestamp()
        return self._clock()

    def _write(self, line: bytes, size: int) -> None:
        if size and os.pread(self._fd, 1, size - 1) != b'\n':
            line = b'\n' + line  # a process was killed while it wrote
        try:
            if os.write(self._fd, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, size)
            raise OSError(
                error.errno, error.strerror, str(self._path)
            ) from error

    def _rotate(self) -> None:
        self.close()
        now = datetime.datetime.fromtimestamp(self._clock(), datetime.UTC)
        if rotated := list_rotated(self._path):
            # Their names tell their order, also after a clock was set back.
            now = max(now, _read_stamp(rotated[-1]) + _STEP)
        self._path.rename(f'{self._path}.{now.strftime(_STAMP)}')
        self._pruned = float('-inf')

    def _prune(self) -> None:
        """Remove rotated files that are too many or too old."""
        now = self._clock()
        if now - self._pruned < PRUNE_INTERVAL_S:
            return
        self._pruned = now
        newest_first = sorted(list_rotated(self._path), reverse=True)
        for position, path in enumerate(newest_first):
            with contextlib.suppress(FileNotFoundError):
                age = now - path.stat().st_mtime
                if position >= self._max_files or age > self._max_age_s:
                    path.unlink()


def _read_stamp(rotated: Path) -> datetime.datetime:
    stamp = '.'.join(rotated.name.rsplit('.', 2)[-2:])
    return datetime.datetime.strptime(stamp, _STAMP).replace(
        tzinfo=datetime.UTC
    )


def list_rotated(path: Path) -> list[Path]:
    """Return the rotated files of a record, oldest first.

    :param path: the current file.
    """
    return sorted(
        other for other in path.parent.glob(f'{path.name}.*')
        if _ROTATED.fullmatch(other.name[len(path.name):])
    )
