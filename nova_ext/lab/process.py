"""What every process of a lab that is our own program does alike."""

import argparse
import contextlib
import dataclasses
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, Protocol

from nova_ext.lab.phase import Reporter
from nova_ext.lab.place import Place

_GRACE_S = 60

LOG = logging.getLogger(__name__)


class Running(Protocol):
    """What a process runs."""

    def stop(self, deadline: float) -> object:
        """Refuse new requests, and finish those in hand.

        :param deadline: when to give up, by time.monotonic().
        """


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
        """Tells how far the process is."""
        return Reporter(self.place, self.service)


def call(program: str) -> Call:
    """How this process was called."""
    parser = argparse.ArgumentParser(prog=program)
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


def serve(here: Call, start: Callable[[Call], Running]) -> NoReturn:
    """Serve until SIGTERM, then finish what is in hand.

    :param start: starts all and returns when it serves.
    """
    with here.reporter.starting():
        here.reporter.tell('importing')
        # Nothing of what an import makes is garbage soon.
        gc.disable()
        running = start(here)
        gc.enable()
        # Until now either signal ends the process at once.
        ending = signals(here.foreground)
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
        running.stop(time.monotonic() + _GRACE_S)
    except Exception:
        # Its database may be gone; the process has to end all the same.
        LOG.exception('Stopping without knowing what is in hand')
        status = 1
    logging.shutdown()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    # Thread pools of libraries would hold the process back.
    os._exit(status)


def signals(foreground: bool) -> threading.Event:
    """An event that the first ending signal sets.

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
