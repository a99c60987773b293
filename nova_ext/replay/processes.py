"""Have decisions made again on all cores, each process with its share."""

import contextlib
import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
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
        that was ended.
    """
    spawning = multiprocessing.get_context('spawn')
    results = spawning.Queue()
    children = [
        spawning.Process(
            target=target, daemon=True,
            args=(replace(share, number=number, count=processes), results),
        ) for number in range(processes)
    ]
    with _uninterrupted():
        for child in children:
            child.start()
    try:
        return _gather(results, children, report)
    finally:
        for child in children:
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


def _gather(
    results: 'multiprocessing.Queue[Sequence[Replayed] | str | None]',
    children: Iterable[multiprocessing.process.BaseProcess],
    report: Callable[[int], None],
) -> Results:
    by_decision: Results = {}
    children = list(children)
    running = len(children)
    while running:
        try:
            batch = results.get(timeout=_LOOK_S)
        except queue.Empty:
            _check_alive(children)
            continue
        if batch is None:
            running -= 1
        elif isinstance(batch, str):
            raise NovaExtError(batch)
        else:
            by_decision |= {(each.source, each.id): each for each in batch}
            report(len(by_decision))
    return by_decision


def _check_alive(
    children: Iterable[multiprocessing.process.BaseProcess]
) -> None:
    for child in children:
        if child.exitcode:
            raise NovaExtError(
                f'a process that decides again ended with status '
                f'{child.exitcode}; a plugin may have ended it, or the '
                f'machine ran out of memory'
            )
