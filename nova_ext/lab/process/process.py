"""Run a service of a lab in this process, until SIGTERM."""

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

from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.phase import Reporter

_GRACE_S = 60

LOG = logging.getLogger(__name__)

#: Refuses new requests and finishes those in hand; takes the deadline, by
#: time.monotonic().
Stop = Callable[[float], object]


@dataclasses.dataclass(frozen=True)
class Arguments:
    """Hold the arguments of a service's process.

    :param service: its name.
    :param lab: the lab.
    :param listener: the socket that it inherits; None without HTTP.
    :param foreground: whether it has a terminal, to be stopped there.
    """

    service: str
    lab: LabFolder
    listener: socket.socket | None
    foreground: bool

    @property
    def reporter(self) -> Reporter:
        """Return the writer of this service's phases."""
        return Reporter(self.lab, self.service)


def parse_command_line() -> Arguments:
    """Return the arguments of this process."""
    parser = argparse.ArgumentParser(prog='nova_ext.lab.services.serve')
    parser.add_argument('service')
    parser.add_argument('--folder', required=True, type=Path)
    parser.add_argument('--socket', type=int)
    parser.add_argument('--foreground', action='store_true')
    parsed = parser.parse_args()
    return Arguments(
        parsed.service, LabFolder(parsed.folder),
        None if parsed.socket is None
        else socket.socket(fileno=parsed.socket),
        parsed.foreground,
    )


def serve(args: Arguments, start: Callable[[Arguments], Stop]) -> NoReturn:
    """Serve until SIGTERM, then finish what is in hand.

    :param start: starts the service and returns how to stop it, or
        replaces this process by another program.
    """
    with args.reporter.starting():
        args.reporter.report('importing')
        # Imports make hardly any garbage.
        gc.disable()
        stop = start(args)
        gc.enable()
        # Until now either signal ends the process at once.
        ending = catch_signals(args.foreground)
        args.reporter.report('serving', ready=True)
    if args.foreground:
        sys.stderr.write(
            f'{args.service} serves at this terminal; Ctrl-C sends it back '
            f'to the background\nits log: {args.lab.log(args.service)}\n'
        )
    ending.wait()
    args.reporter.report('finishing requests in hand')
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
    """Raise the limit of open files as far as the system allows."""
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
