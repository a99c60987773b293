"""What programs that run until they are told to end have in common."""

import importlib.util
import signal
import sys
import threading
from pathlib import Path


def need(*modules: str, extra: str) -> None:
    """End with one line where an extra is not installed.

    :param modules: what the extra brings.
    """
    for module in modules:
        if importlib.util.find_spec(module) is None:
            sys.exit(
                f'{Path(sys.argv[0]).name}: {module} is not installed here: '
                f'pip install \'nova-ext[{extra}]\''
            )


def told_to_end() -> threading.Event:
    """Set by SIGTERM and SIGINT from now on."""
    end = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: end.set())
    return end
