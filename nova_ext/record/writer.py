"""Writes decisions from inside the scheduler, behind its back.

A decision goes into a bounded queue; a thread of this process completes it,
shortens it and appends it to the file. Nothing here fails a request, or
has one wait for the file. What could not be recorded is counted: in a
warning, at most once a minute, and in the record itself, as a line with
``dropped`` before the next decision that could.

Measured with Nova's 14 weighers, four of which tell the hosts apart: a success
takes 3.0 to 3.8 KiB however many hosts there are; a failure of 100 hosts 2.8
to 4.3 KiB, of 1000 hosts 12 to 28 KiB, for host names of 8 and of 24 letters.
"""

import atexit
import datetime
import json
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nova_ext.core.decision.decision import VERSION, Decision
from nova_ext.record import shortening
from nova_ext.record.file import RecordFile

#: Decisions that may wait for the thread; a scheduler worker makes a few a
#: second.
QUEUED = 200
#: Host states that may wait with them, or those of one decision. Each takes
#: 8 KiB, and several times that with NUMA cells.
HOSTS = 50_000
#: Seconds between two warnings.
WARN_INTERVAL_S = 60.0
#: Seconds that the end of the process waits for what is queued.
EXIT_S = 2.0

DAY_S = 86400

LOG = logging.getLogger(__name__)

Make = Callable[[], Decision | bytes | None]


class Writer:
    """Records decisions in every process that it is used in.

    Cheap to make, and safe to make before a fork: a process opens the file
    and starts its thread with its first decision.

    :param conf: a configuration with the group ``nova_ext_record``.
    """

    def __init__(self, conf: Any) -> None:
        self._conf = conf
        self._queues: dict[int, _Queue] = {}
        atexit.register(self.flush, EXIT_S)

    def put(self, make: Make, hosts: int = 0) -> bool:
        """Record a decision; returns at once and never raises.

        :param make: makes the decision, or a line of another kind, in the
            writer's thread; None: there is nothing to record after all.
        :param hosts: how many host states it holds until then.
        :returns: False where it was dropped, as too many wait.
        """
        return self._queue().put(make, hosts)

    def flush(self, timeout_s: float) -> bool:
        """Wait until what this process put so far is written or dropped.

        :returns: False when the time was up first.
        """
        mine = self._queues.get(os.getpid())
        return mine.flush(timeout_s) if mine else True

    def _queue(self) -> '_Queue':
        # A forked child finds its parent's queue, whose thread it lacks.
        pid = os.getpid()
        mine = self._queues.get(pid)
        if mine is None:
            mine = self._queues.setdefault(pid, _Queue(self._conf))
        return mine


class _Room:
    """Room for the host states that wait.

    Not in a queue of its own kind, as eventlet's has other methods.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = 0

    def take(self, hosts: int) -> bool:
        """Take room, if there is so much."""
        with self._lock:
            if self._taken and self._taken + hosts > HOSTS:
                return False
            self._taken += hosts
            return True

    def give(self, hosts: int) -> None:
        """Give it back."""
        with self._lock:
            self._taken -= hosts


class _Queue:
    """One process's queue, thread and file."""

    def __init__(self, conf: Any) -> None:
        self._conf = conf
        self._waiting: queue.Queue[tuple[Make, int]] = queue.Queue(QUEUED)
        self._room = _Room()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._file: RecordFile | None = None
        self._drops = _Drops()

    def put(self, make: Make, hosts: int) -> bool:
        """See :meth:`Writer.put`."""
        try:
            self._start()
            if not self._room.take(hosts):
                raise queue.Full
            try:
                self._waiting.put_nowait((make, hosts))
            except queue.Full:
                self._room.give(hosts)
                raise
        except queue.Full:
            self._drops.add('the many that wait already')
        except Exception as error:
            self._drops.add(error)
        else:
            return True
        return False

    def flush(self, timeout_s: float) -> bool:
        """See :meth:`Writer.flush`."""
        deadline = time.monotonic() + timeout_s
        done = threading.Event()
        try:
            self._waiting.put((done.set, 0), timeout=timeout_s)
        except queue.Full:
            return False
        return done.wait(max(0.0, deadline - time.monotonic()))

    def _start(self) -> None:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                thread = threading.Thread(
                    target=self._run, name='nova-ext-record', daemon=True
                )
                thread.start()
                self._thread = thread

    def _run(self) -> None:
        while True:
            try:
                self._next()
            except queue.Empty:
                self._drops.warn()

    def _next(self) -> None:
        """Record the next decision.

        :raises queue.Empty: there was none before a warning was due.
        """
        make, hosts = self._waiting.get(timeout=self._drops.warn_in_s())
        self._room.give(hosts)
        try:
            self._record(make)
        except Exception as error:
            self._drops.add(error)

    def _record(self, make: Make) -> None:
        made = make()
        if made is None:
            return
        options = self._conf.nova_ext_record
        file = self._file = self._file or _file(options)
        line = made if isinstance(made, bytes) else shortening.to_line(
            made, options.max_decision_kb * 1024,
            in_full=options.successes_in_full,
        )
        self._append_drops(file)
        file.append(line)

    def _append_drops(self, file: RecordFile) -> None:
        count = self._drops.unwritten
        if count:
            file.append(dropped_line(count))
            self._drops.written(count)


class _Drops:
    """Decisions that could not be recorded, and who has been told.

    Counted in the scheduler's threads and in the writer's own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.unwritten = 0
        self._unsaid = 0
        self._said_at = float('-inf')
        self._last: object = ''

    def add(self, why: object) -> None:
        """Count one; warn if it is time."""
        if isinstance(why, Exception):
            # Its traceback would keep the decision.
            why = f'{type(why).__name__}: {why}'
        with self._lock:
            self.unwritten += 1
            self._unsaid += 1
            self._last = why
        if not self.warn_in_s():
            self.warn()

    def written(self, count: int) -> None:
        """Take off what the record tells now."""
        with self._lock:
            self.unwritten -= count

    def warn_in_s(self) -> float | None:
        """Seconds until the next warning is due; None: nothing to say."""
        if not self._unsaid:
            return None
        due = self._said_at + WARN_INTERVAL_S
        return max(0.0, due - time.monotonic())

    def warn(self) -> None:
        """Say how many were dropped since the last warning."""
        with self._lock:
            count, self._unsaid = self._unsaid, 0
            self._said_at = time.monotonic()
            why = self._last
        if count:
            LOG.warning(
                '%d decisions could not be recorded, the last because of '
                '%s; scheduling goes on', count, why,
            )


def dropped_line(count: int) -> bytes:
    """The line that tells how many decisions are missing before it."""
    now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
    line = {
        'version': VERSION,
        'at': now.isoformat(timespec='milliseconds') + 'Z',
        'dropped': count,
    }
    return json.dumps(line, separators=(',', ':')).encode() + b'\n'


def _file(options: Any) -> RecordFile:
    return RecordFile(
        Path(options.file), options.max_size_mb * 1024 * 1024,
        options.max_files, options.max_age_days * DAY_S,
    )
