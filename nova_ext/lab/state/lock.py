"""Guard a change of a lab against other commands and against signals."""

import contextlib
import os
import signal
from collections.abc import Collection, Iterator

import fasteners

from nova_ext.core.base.progress import Progress
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import LabFolder

_PATIENCE_S = 600
_ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def hold(lab: LabFolder, progress: Progress) -> Iterator[None]:
    """Hold the lab's lock; the system frees it if the command dies.

    :raises LabError: when another command keeps it too long.
    """
    lab.lock_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = fasteners.InterProcessLock(lab.lock_file)
    _acquire(lock, lab, progress)
    while not _is_in_place(lock, lab):
        lock.release()
        _acquire(lock, lab, progress)
    try:
        yield
    finally:
        lock.release()


def _acquire(
    lock: fasteners.InterProcessLock, lab: LabFolder, progress: Progress
) -> None:
    if lock.acquire(blocking=False):
        return
    with progress.step(f'waiting for another command on {lab.name}'):
        if not lock.acquire(timeout=_PATIENCE_S):
            raise LabError(f'another command still changes lab {lab.name}')


def _is_in_place(lock: fasteners.InterProcessLock, lab: LabFolder) -> bool:
    """Say whether others would wait for this lock.

    Who waits during a ``delete`` gets the lock of a file that is gone.
    """
    if lock.lockfile is None:
        return False
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(
            os.fstat(lock.lockfile.fileno()), lab.lock_file.stat()
        )
    return False


@contextlib.contextmanager
def interrupt_on_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt at the signals that end a command.

    Those that are ignored, as with nohup, stay so.
    """
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    with _handle({
        number: interrupt for number in _ENDING
        if signal.getsignal(number) != signal.SIG_IGN
    }):
        yield


@contextlib.contextmanager
def ignore_signals(
    signals: Collection[signal.Signals] = (*_ENDING, signal.SIGINT),
) -> Iterator[None]:
    """Ignore signals, by default all but SIGKILL that end a command."""
    with _handle(dict.fromkeys(signals, signal.SIG_IGN)):
        yield


@contextlib.contextmanager
def _handle(handlers: dict[signal.Signals, object]) -> Iterator[None]:
    before = {
        number: signal.signal(number, handler)  # type: ignore[arg-type]
        for number, handler in handlers.items()
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
