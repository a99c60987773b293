"""Decide single decisions of a journal again, in a process of its own.

The process runs filters and weighers that may hang, grow or exit. Whoever
started it ends it, with all processes that they started.
"""

import os
import resource
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.journal.model import JournalDecision, JournalProcess
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.replayed import Replayed
from nova_ext.replay import share
from nova_ext.replay.share import Setup

#: What is sent once a decision has been read, before it is made again.
BEGUN = 'begun'
#: Exit status of a process that may take no more memory.
FULL = 77
#: Bytes of the name of what runs.
NAME_BYTES = 200
#: How much less than the scheduler it is served by the machine: nice(1).
_NICE = 5
_MB = 1 << 20


@dataclass(frozen=True)
class WorkerTask:
    """Represent what a process decides with.

    :param process: wrote the decisions.
    :param memory_mb: how much it may grow once all is loaded, in MiB.
    :param left_out: filters and weighers that are not asked, by class name.
    """

    setup: Setup
    process: JournalProcess
    memory_mb: int
    left_out: Sequence[str] = ()


def run(task: WorkerTask, connection: Any, running: Any) -> None:
    """Answer until the other end is closed.

    :param connection: sends None once all is loaded, or a text: why it can't
        be. Then it takes a path, an ID and hosts; it sends BEGUN, and a
        :class:`Replayed` or a text.
    :param running: a shared array; it gets the name of what runs.
    """
    os.setsid()  # so that all can be ended at once
    os.nice(_NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(
        target=_end_with, args=(os.getppid(),), daemon=True
    ).start()
    warnings.simplefilter('ignore')
    # What plugins print is no part of the report.
    sys.stdout = Path(os.devnull).open('w')  # noqa: SIM115  while it lives
    try:
        _serve(task, connection, running)
    except (EOFError, BrokenPipeError):
        pass
    except MemoryError:
        os._exit(FULL)


def _serve(task: WorkerTask, connection: Any, running: Any) -> None:
    def announce(name: str) -> None:
        running.value = name.encode()[:NAME_BYTES]

    try:
        replayer, gaps = share.make_replayer(task.setup, task.process)
        replayer.leave_out(task.left_out)
        replayer.announce(announce)
    except NovaExtError as error:
        connection.send(str(error))
        return
    connection.send(None)
    decisions = _Decisions()
    _limit_memory(task.memory_mb)
    while True:
        path, number, watched = connection.recv()
        decision = decisions.find(path, number)
        if decision is None:
            connection.send(BEGUN)
            connection.send(f'{path} has no decision {number} any more')
            continue
        running.value = b''
        connection.send(BEGUN)
        replayed: Replayed = replayer.decide(decision, watched)
        if MemoryError.__name__ in replayed.error:
            os._exit(FULL)
        replayed.source = path.name
        replayed.gaps = (*gaps, *replayed.gaps)
        connection.send(replayed)


def _end_with(parent: int) -> None:
    """End this process when its parent has ended, even if a plugin hangs."""
    while os.getppid() == parent:
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


def _limit_memory(more_mb: int) -> None:
    pages = int(Path('/proc/self/statm').read_text().split()[0])
    limit = pages * resource.getpagesize() + more_mb * _MB
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    # It leaves no file behind when it is ended.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class _Decisions:
    """Find decisions in files that grow, each after the one before."""

    def __init__(self) -> None:
        self._files: dict[
            Path, tuple[JournalReader, Iterator[JournalDecision]]
        ] = {}

    def find(self, path: Path, number: int) -> JournalDecision | None:
        """Return a decision; None: it is not there."""
        for _ in range(2):
            reader, decisions = self._files.get(path) or self._open(path)
            for decision in decisions:
                if decision.id == number:
                    return decision
            # The file may have grown since.
            self._files[path] = reader, iter(reader)
        return None

    def _open(
        self, path: Path
    ) -> tuple[JournalReader, Iterator[JournalDecision]]:
        reader = JournalReader(path)
        self._files[path] = reader, iter(reader)
        return self._files[path]
