"""Share placement's recent diagnoses between the workers of a scheduler.

Workers are processes, and many failures at a time reach all of them. So the
worker that asks placement locks a small file beside the record meanwhile, and
leaves the answer there. Where that file can't be kept, each worker asks for
itself.
"""

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import fasteners

from nova_ext.core.base import plain_data
from nova_ext.core.decision.decision import PlacementDiagnosis

#: Seconds to wait for another worker, which may ask 20 questions.
WAIT_S = 120.0
#: Diagnoses that are kept at most, each of up to 84 KB.
MAX_DIAGNOSES = 50


@dataclass
class _Entry:
    """Hold one diagnosis.

    :param at: when placement was asked, seconds since 1970.
    :param recorded: it is in the record already.
    """

    at: float
    diagnosis: PlacementDiagnosis
    recorded: bool


class DiagnosisCache:
    """Keep diagnoses by a key, which says what they are about.

    :param record: the record's current file.
    :param every_s: seconds for which a diagnosis holds.
    :param clock: seconds since 1970.
    """

    def __init__(
        self, record: Path, every_s: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._path = Path(f'{record}.asked')
        self._every_s = every_s
        self._clock = clock
        self._lock = fasteners.InterProcessLock(f'{self._path}.lock')

    def get_or_ask(
        self, key: str, ask: Callable[[], PlacementDiagnosis],
        record: Callable[[PlacementDiagnosis], bool] | None,
    ) -> PlacementDiagnosis:
        """Return the diagnosis of a key; ask if none holds, one at a time.

        :param record: records the diagnosis, unless another worker has;
            returns whether it could. None: nobody needs it there.
        :raises TimeoutError: another worker has been asking for too long.
        """
        with self._locked() as locked:
            entries = self._read() if locked else {}
            entry = entries.pop(key, None)
            if entry is None:
                entry = _Entry(self._clock(), ask(), False)
            if record is not None and not entry.recorded:
                entry.recorded = record(entry.diagnosis)
            if locked:
                self._write({**entries, key: entry})
        return entry.diagnosis

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
            if self._path.parent.stat().st_uid != os.geteuid():
                return False
            acquired = self._lock.acquire(
                delay=0.01, max_delay=0.5, timeout=WAIT_S
            )
        except (OSError, threading.ThreadError):  # no locks there
            return False
        if not acquired:
            raise TimeoutError(f'another worker has asked for {WAIT_S:g} s')
        return True

    def _read(self) -> dict[str, _Entry]:
        """Return the entries that still hold; none of a damaged file."""
        now = self._clock()
        try:
            entries = {
                key: plain_data.load(_Entry, entry) for key, entry
                in json.loads(self._path.read_bytes()).items()
            }
        except (OSError, ValueError, TypeError, AttributeError):
            return {}
        return {
            key: entry for key, entry in entries.items()
            if abs(now - entry.at) < self._every_s
        }

    def _write(self, entries: dict[str, _Entry]) -> None:
        oldest_first = sorted(entries.items(), key=lambda item: item[1].at)
        data = json.dumps({
            key: asdict(entry)
            for key, entry in oldest_first[-MAX_DIAGNOSES:]
        })
        with contextlib.suppress(OSError):
            self._path.touch(0o640)
            self._path.write_text(data)
