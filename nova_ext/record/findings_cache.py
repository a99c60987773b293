"""What placement answered lately, for all workers of a scheduler.

Each is a process, and a storm of failures reaches all of them. So whoever
asks holds a small file beside the record meanwhile, and leaves there what it
found. Where that file can't be kept, each worker asks for itself.
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
from nova_ext.core.decision.placement_diagnosis import AskedAgain

#: Seconds to wait for another worker, which may ask 20 questions.
WAIT_S = 120.0
#: Findings that are kept at most, each of up to 84 KB.
KEPT = 50


@dataclass
class _Told:
    """One finding.

    :param at: when it was asked for, seconds since 1970.
    :param recorded: whether it is in the record.
    """

    at: float
    found: AskedAgain
    recorded: bool


class Lately:
    """Findings by what they are about.

    :param record: the record's current file.
    :param every_s: seconds for which a finding holds.
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

    def once(
        self, about: str, ask: Callable[[], AskedAgain],
        record: Callable[[AskedAgain], bool] | None,
    ) -> AskedAgain:
        """What was found lately, else what asking finds; one at a time.

        :param record: records the finding, unless another worker has, and
            returns whether that went well; None: nobody needs it there.
        :raises TimeoutError: another worker has been asking for too long.
        """
        with self._held() as held:
            told = self._read() if held else {}
            known = told.pop(about, None)
            if known is None:
                known = _Told(self._clock(), ask(), False)
            if record is not None and not known.recorded:
                known.recorded = record(known.found)
            if held:
                self._write({**told, about: known})
        return known.found

    @contextlib.contextmanager
    def _held(self) -> Iterator[bool]:
        held = self._hold()
        try:
            yield held
        finally:
            if held:
                self._lock.release()

    def _hold(self) -> bool:
        """Hold the file, if it is the scheduler's own.

        Another user who simulates must leave nothing there that the
        scheduler could not open.
        """
        try:
            if self._path.parent.stat().st_uid != os.geteuid():
                return False
            held = self._lock.acquire(
                delay=0.01, max_delay=0.5, timeout=WAIT_S
            )
        except (OSError, threading.ThreadError):  # no locks there
            return False
        if not held:
            raise TimeoutError(f'another worker has asked for {WAIT_S:g} s')
        return True

    def _read(self) -> dict[str, _Told]:
        """What still holds; nothing where the file is no such file."""
        now = self._clock()
        try:
            told = {
                about: plain_data.read(_Told, one)
                for about, one in json.loads(self._path.read_bytes()).items()
            }
        except (OSError, ValueError, TypeError, AttributeError):
            return {}
        return {
            about: one for about, one in told.items()
            if abs(now - one.at) < self._every_s
        }

    def _write(self, told: dict[str, _Told]) -> None:
        newest = sorted(told.items(), key=lambda each: each[1].at)[-KEPT:]
        data = json.dumps({about: asdict(one) for about, one in newest})
        with contextlib.suppress(OSError):
            self._path.touch(0o640)
            self._path.write_text(data)
