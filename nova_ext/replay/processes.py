"""Have decisions made again on all cores, each process with its share."""

import contextlib
import multiprocessing
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from nova_ext.core.base.errors import NovaExtError
from nova_ext.journal.replayed import Replayed
from nova_ext.replay.share import Share, run

#: How long a process may be silent before it is looked after, seconds.
_LOOK_S = 1.0

Results = dict[tuple[str, int], Replayed]


def count_cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def decide(
    share: Share, processes: int, report: Callable[[int], None],
    target: Callable[..., None] = run,
) -> Results:
    """Decide again, in several processes.

    :param share: of one process alone; it is divided.
    :param report: takes how many decisions were made so far.
    :param target: what a process runs.
    :returns: by file name and ID.
    :raises NovaExtError: for a configuration that can't be used, or a process
        that was ended or does not start.
    """
    spawning = multiprocessing.get_context('spawn')
    results = spawning.Queue()
    children = [
        spawning.Process(
            target=target, daemon=True,
            args=(replace(share, number=number, count=processes), results),
        ) for number in range(processes)
    ]
    try:
        with _uninterrupted():
            for child in children:
                _start(child)
        return _gather(results, children, report)
    finally:
        for child in children:
            if child.pid is not None:
                child.terminate()
                child.join()
        results.close()


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Have children that start inside ignore an interrupt: we end them.

    A terminal sends it to them, too.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _start(child: multiprocessing.process.BaseProcess) -> None:
    """Start a process.

    A pipe that breaks here is the process's, and not that of our output.
    """
    try:
        child.start()
    except OSError as error:
        raise NovaExtError(
            f'a process that decides again did not start: {error.strerror}; '
            f'try whether {sys.executable} starts for this user'
        ) from error


def _gather(
    results: 'multiprocessing.Queue[Sequence[Replayed] | str | None]',
    children: Sequence[multiprocessing.process.BaseProcess],
    report: Callable[[int], None],
) -> Results:
    by_decision: Results = {}
    running = len(children)
    silent = False
    while running:
        try:
            batch = results.get(timeout=_LOOK_S)
        except queue.Empty:
            silent = _check_alive(children, running, silent=silent)
            continue
        silent = False
        if batch is None:
            running -= 1
        elif isinstance(batch, str):
            raise NovaExtError(batch)
        else:
            by_decision |= {(each.source, each.id): each for each in batch}
            report(len(by_decision))
    return by_decision


def _check_alive(
    children: Sequence[multiprocessing.process.BaseProcess], running: int, *,
    silent: bool,
) -> bool:
    """Look whether a process has ended without a word.

    What one sends at last may still be on its way when it has ended with 0.

    :param running: number of those that have not said that they are done.
    :param silent: what the last look returned, if nothing has come since.
    :returns: whether more have ended than have said so.
    :raises NovaExtError: for one that will say nothing more.
    """
    codes = [
        child.exitcode for child in children if child.exitcode is not None
    ]
    ended = len(codes) > len(children) - running
    if any(codes) or (ended and silent):
        raise NovaExtError(
            f'a process that decides again ended with status '
            f'{next(filter(None, codes), 0)}; a plugin may have ended it, or '
            f'the machine ran out of memory'
        )
    return ended
