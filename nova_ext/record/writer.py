"""Write decisions to the record, in a thread of the scheduler.

Put a decision into a bounded queue; the thread completes it, shortens it and
appends it to the file. No request fails here, or waits for the file. Count
the decisions that could not be recorded: in a warning, at most once a minute,
and in the record itself, as a line with ``dropped`` before the next decision.
"""

import atexit
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
        self._file: RecordFile | None = None
        self._drops = Drops(self.written)

    def put(self, make: Make, hosts: int) -> bool:
        """See :meth:`Writer.put`."""
        try:
            self._start()
            self._reserve(hosts)
            try:
                self._waiting.put_nowait((make, hosts))
            except queue.Full:
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
        deadline = time.monotonic() + timeout_s
        done = threading.Event()
        try:
            self._waiting.put((done.set, 0), timeout=timeout_s)
        except queue.Full:
            return False
        return done.wait(max(0.0, deadline - time.monotonic()))

    def _reserve(self, hosts: int) -> None:
        # No queue of another bound: eventlet's has other methods.
        with self._lock:
            if self._hosts and self._hosts + hosts > MAX_HOSTS:
                raise queue.Full
            self._hosts += hosts

    def _release(self, hosts: int) -> None:
        with self._lock:
            self._hosts -= hosts

    def _start(self) -> None:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                thread = threading.Thread(
                    target=self._run, name=self.thread_name, daemon=True
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
        if count := self._drops.unwritten:
            file.append(encode_drops(count))
            self._drops.subtract(count)
        file.append(line)


Writer.queue_class = WriteQueue


def _file(options: Any) -> RecordFile:
    return RecordFile(
        Path(options.file), options.max_size_mb * 1024 * 1024,
        options.max_files, options.max_age_days * DAY_S,
    )
