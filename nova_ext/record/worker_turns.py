"""Limit how often the workers of a scheduler ask placement again.

Workers are processes, and many failures at a time reach all of them. A small
file beside the record holds when each query was last asked about. Where that
file can't be kept, each worker counts for itself.
"""

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from nova_ext.core.base.machine_lock import MachineLock

#: Seconds to wait for the file, which others lock only to read and write it.
WAIT_S = 10.0


class WorkerTurns:
    """Grant one turn for each key and interval.

    :param record: the record's current file.
    :param every_s: seconds from one turn of a key to the next.
    :param clock: seconds since 1970.
    """

    def __init__(
        self, record: Path, every_s: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._path = Path(f'{record}.asked')
        self._every_s = every_s
        self._clock = clock
        self._lock = MachineLock(Path(f'{self._path}.lock'))
        self._taken: dict[str, float] = {}

    def take(self, key: str, since: float) -> float | None:
        """Take a turn, if one is due.

        :param since: seconds since 1970. A turn that another worker took
            after it will do.
        :returns: 0 if it is taken; else the seconds until the next. None:
            another took it since.
        """
        key = hashlib.sha256(key.encode()).hexdigest()
        with self._locked() as locked:
            now = self._clock()
            taken = self._read(now) if locked else self._taken
            last = taken.get(key, 0.0)
            if since < last <= now:
                return None
            if 0 <= now - last < self._every_s:
                return self._every_s - (now - last)
            taken[key] = now
            self._taken = taken
            if locked:
                self._write(taken)
        return 0.0

    @contextlib.contextmanager
    def _locked(self) -> Iterator[bool]:
        locked = self._acquire()
        try:
            yield locked
        finally:
            if locked:
                self._lock.release()

    def _acquire(self) -> bool:
        """Lock the file, if its folder is this user's own.

        Another user who simulates must leave nothing there that the
        scheduler could not open.
        """
        try:
            return self._path.parent.stat().st_uid == os.geteuid() and (
                self._lock.acquire(WAIT_S)
            )
        except OSError:  # no locks there
            return False

    def _read(self, now: float) -> dict[str, float]:
        """Return the turns that still count; none of a damaged file."""
        try:
            taken = json.loads(self._path.read_bytes())
            return {
                key: float(at) for key, at in taken.items()
                if abs(now - at) < self._every_s
            }
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def _write(self, taken: dict[str, float]) -> None:
        with contextlib.suppress(OSError):
            self._path.touch(0o640)
            self._path.write_text(json.dumps(taken))
