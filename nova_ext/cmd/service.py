"""Check the extras of programs, and end them on a signal."""

import importlib.util
import signal
import sys
import threading
from pathlib import Path


def require_extra(extra: str, *modules: str) -> None:
    """Exit with one line where an extra is not installed.

    :param modules: what the extra installs.
    """
    for module in modules:
        if importlib.util.find_spec(module) is None:
            sys.exit(
                f'{Path(sys.argv[0]).name}: {module} is not installed here: '
                f'pip install \'nova-ext[{extra}]\''
            )


def catch_signals() -> threading.Event:
    """Return an event that SIGTERM and SIGINT set from now on."""
    end = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: end.set())
    return end
