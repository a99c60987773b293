"""Write decisions to the record, in a thread of the scheduler.

Put a decision into a bounded queue; the thread completes it, shortens it and
appends it to the file. No request fails here, or waits for the file. Count
the decisions that could not be recorded: in a warning, at most once a minute,
and in the record, as a line with ``dropped`` before the next decision or the
end.
"""

import atexit
import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nova_ext.core.decision.decision import Decision
from nova_ext.record import shortening
from nova_ext.record.drops import Drops, encode_drops
from nova_ext.record.file import RecordFile

#: Decisions that may wait for the thread; a scheduler worker makes a few a
#: second.
MAX_QUEUED = 200
#: Host states that may wait with them, or those of one decision. Each takes
#: 8 KiB, and several times that with NUMA cells.
MAX_HOSTS = 50_000
#: Seconds that the end of the process waits for what is queued.
EXIT_S = 2.0
#: Seconds between two attempts to wait behind a full queue.
_RETRY_S = 0.01

DAY_S = 86400

Make = Callable[[], Decision | bytes | None]


class Writer:
    """Record decisions in every process that uses it.

    It may be created before a fork: a process opens the file and starts its
    thread with its first decision.

    :param conf: a configuration with the group ``nova_ext_record``.
    :cvar queue_class: holds the queue, thread and file of a process.
    """

    queue_class: 'type[WriteQueue]'

    def __init__(self, conf: Any) -> None:
        self._conf = conf
        self._queues: dict[int, WriteQueue] = {}
        atexit.register(self.flush, EXIT_S)

    def put(self, make: Make, hosts: int = 0) -> bool:
        """Record a decision; returns at once and never raises.

        :param make: returns the decision, or a line of another kind; called
            in the writer's thread. None: there is nothing to record.
        :param hosts: how many host states it holds until then.
        :returns: False if it was dropped, as too many wait.
        """
        return self._queue().put(make, hosts)

    def flush(self, timeout_s: float) -> bool:
        """Wait until what this process has put is written or dropped.

        :returns: False when the time was up first.
        """
        mine = self._queues.get(os.getpid())
        return mine.flush(timeout_s) if mine else True

    def close(self, timeout_s: float) -> int:
        """Wait as :meth:`flush` does, and end the thread.

        What is put later is written, too: by a new thread.

        :returns: how many decisions are not written when the time is up.
        """
        mine = self._queues.get(os.getpid())
        return mine.close(timeout_s) if mine else 0

    def _queue(self) -> 'WriteQueue':
        # A forked child finds its parent's queue, whose thread it lacks.
        pid = os.getpid()
        mine = self._queues.get(pid)
        if mine is None:
            mine = self._queues.setdefault(pid, self.queue_class(self._conf))
        return mine


class WriteQueue:
    """Hold one process's queue, thread and file; warn of what it drops."""

    written, thread_name = 'recorded', 'nova-ext-record'

    def __init__(self, conf: Any) -> None:
        self._conf = conf
        self._waiting: queue.Queue[tuple[Make, int]] = queue.Queue(MAX_QUEUED)
        self._hosts = 0
        self._lock = threading.Lock()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._file: RecordFile | None = None
        self._drops = Drops(self.written)

    def put(self, make: Make, hosts: int) -> bool:
        """See :meth:`Writer.put`."""
        try:
            self._reserve(hosts)
            try:
                self._enqueue(make, hosts)
            except Exception:
                self._release(hosts)
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
        return self._run_last(lambda: None, timeout_s)

    def close(self, timeout_s: float) -> int:
        """See :meth:`Writer.close`."""
        self._closing = True
        is_done = self._run_last(self._count_drops, timeout_s)
        return 0 if is_done else self._waiting.qsize()

    def _run_last(self, work: Callable[[], None], timeout_s: float) -> bool:
        """Wait until the thread has done what waits, and this after it.

        :returns: False when the time was up first.
        """
        done = threading.Event()

        def mark() -> None:
            work()
            done.set()

        ends = time.monotonic() + timeout_s
        while True:
            with self._starting:
                if self._thread is None:
                    return True
                with contextlib.suppress(queue.Full):
                    self._waiting.put_nowait((mark, 0))
                    break
            if time.monotonic() > ends:
                return False
            time.sleep(_RETRY_S)
        return done.wait(max(0.0, ends - time.monotonic()))

    def _reserve(self, hosts: int) -> None:
        # No queue of another bound: eventlet's has other methods.
        with self._lock:
            if self._hosts and self._hosts + hosts > MAX_HOSTS:
                raise queue.Full
            self._hosts += hosts

    def _release(self, hosts: int) -> None:
        with self._lock:
            self._hosts -= hosts

    def _enqueue(self, make: Make, hosts: int) -> None:
        # A thread ends under this lock, too, so that nothing waits for none.
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                thread = threading.Thread(
                    target=self._run, name=self.thread_name, daemon=True
                )
                thread.start()
                self._thread, self._closing = thread, False
            self._waiting.put_nowait((make, hosts))

    def _may_end(self) -> bool:
        """Say whether the thread is to end, as nothing waits for it."""
        with self._starting:
            if self._closing and self._waiting.empty():
                self._thread = None
            return self._thread is None

    def _run(self) -> None:
        while not self._may_end():
            try:
                self._next()
            except queue.Empty:
                self._drops.warn()

    def _next(self) -> None:
        """Record the next decision.

        :raises queue.Empty: there was none before a warning was due.
        """
        make, hosts = self._waiting.get(timeout=self._drops.warn_in_s())
        self._release(hosts)
        try:
            self._record(make)
        except Exception as error:
            self._drops.add(error)

    def _record(self, make: Make) -> None:
        entry = make()
        if entry is None:
            return
        options = self._conf.nova_ext_record
        file = self._file = self._file or _file(options)
        line = entry if isinstance(entry, bytes) else shortening.to_line(
            entry, options.max_decision_kb * 1024,
            in_full=options.successes_in_full,
        )
        self._write_drops()
        file.append(line)

    def _count_drops(self) -> None:
        """Say what is missing at the end, where no decision follows."""
        with contextlib.suppress(Exception):  # as the decisions themselves
            self._write_drops()
        self._drops.warn()

    def _write_drops(self) -> None:
        if (count := self._drops.unwritten) and self._file is not None:
            self._file.append(encode_drops(count))
            self._drops.subtract(count)


Writer.queue_class = WriteQueue


def _file(options: Any) -> RecordFile:
    return RecordFile(
        Path(options.file), options.max_size_mb * 1024 * 1024,
        options.max_files, options.max_age_days * DAY_S,
    )
