"""What every process of a lab does alike."""

import argparse
import contextlib
import dataclasses
import gc
import logging
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from nova_ext.lab.state.paths import Place
from nova_ext.lab.state.phase import Reporter

_GRACE_S = 60

LOG = logging.getLogger(__name__)


#: Refuses new requests and finishes those in hand; takes the deadline, by
#: time.monotonic().
Stop = Callable[[float], object]


@dataclasses.dataclass(frozen=True)
class Call:
    """How a process was called.

    :param service: the service that it is.
    :param place: the lab.
    :param listener: the socket that it was handed; None for a process that
        serves no HTTP.
    :param foreground: it has a terminal, at which a person may stop it.
    """

    service: str
    place: Place
    listener: socket.socket | None
    foreground: bool

    @property
    def reporter(self) -> Reporter:
        """Return what tells how far the process is."""
        return Reporter(self.place, self.service)


def parse_call() -> Call:
    """Return how this process was called."""
    parser = argparse.ArgumentParser(prog='nova_ext.lab.services.serve')
    parser.add_argument('service')
    parser.add_argument('--folder', required=True, type=Path)
    parser.add_argument('--socket', type=int)
    parser.add_argument('--foreground', action='store_true')
    args = parser.parse_args()
    return Call(
        args.service, Place(args.folder),
        None if args.socket is None else socket.socket(fileno=args.socket),
        args.foreground,
    )


def serve(here: Call, start: Callable[[Call], Stop]) -> NoReturn:
    """Serve until SIGTERM, then finish what is in hand.

    :param start: returns how to stop when it serves, or becomes another
        program.
    """
    with here.reporter.starting():
        here.reporter.tell('importing')
        # Nothing of what an import makes is garbage soon.
        gc.disable()
        stop = start(here)
        gc.enable()
        # Until now either signal ends the process at once.
        ending = catch_signals(here.foreground)
        here.reporter.tell('serving', ready=True)
    if here.foreground:
        sys.stderr.write(
            f'{here.service} serves at this terminal; Ctrl-C sends it back '
            f'to the background\nits log: {here.place.log(here.service)}\n'
        )
    ending.wait()
    here.reporter.tell('finishing requests in hand')
    status = 0
    try:
        stop(time.monotonic() + _GRACE_S)
    except Exception:
        # Its database may be gone; the process has to end all the same.
        LOG.exception('Stopping without knowing what is in hand')
        status = 1
    logging.shutdown()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    # Thread pools of libraries would hold the process back.
    os._exit(status)


def allow_many_files() -> None:
    """Raise the limit of open files to the most that the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def catch_signals(foreground: bool) -> threading.Event:
    """Return an event that the first ending signal sets.

    A second Ctrl-C at the terminal ends the process at once.
    """
    ending = threading.Event()

    def end(number: int, frame: object) -> None:
        if ending.is_set() and number == signal.SIGINT:
            os._exit(130)
        if foreground:
            sys.stderr.write(
                '\nfinishing requests in hand; Ctrl-C again ends at once\n'
            )
        ending.set()

    signal.signal(signal.SIGTERM, end)
    if foreground:
        signal.signal(signal.SIGINT, end)
    return ending
