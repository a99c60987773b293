"""Signals while a command has something to clean up."""

import contextlib
import signal
from collections.abc import Collection, Iterator

_ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def as_interrupt() -> Iterator[None]:
    """Let the signals that end a command raise KeyboardInterrupt."""
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    with _handled(dict.fromkeys(_ENDING, interrupt)):
        yield


@contextlib.contextmanager
def ignored(
    signals: Collection[signal.Signals] = (*_ENDING, signal.SIGINT),
) -> Iterator[None]:
    """Let signals not interrupt what follows.

    :param signals: by default all but SIGKILL that end a command.
    """
    with _handled(dict.fromkeys(signals, signal.SIG_IGN)):
        yield


@contextlib.contextmanager
def _handled(handlers: dict[signal.Signals, object]) -> Iterator[None]:
    before = {
        number: signal.signal(number, handler)  # type: ignore[arg-type]
        for number, handler in handlers.items()
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
