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
from nova_ext.lab.state.phase import PhaseReporter

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
    """

    service: str
    lab: LabFolder
    listener: socket.socket | None

    @property
    def reporter(self) -> PhaseReporter:
        """Return the writer of this service's phases."""
        return PhaseReporter(self.lab, self.service)


def parse_command_line() -> Arguments:
    """Return the arguments of this process."""
    parser = argparse.ArgumentParser(prog='nova_ext.lab.services.serve')
    parser.add_argument('service')
    parser.add_argument('--folder', required=True, type=Path)
    parser.add_argument('--socket', type=int)
    parsed = parser.parse_args()
    return Arguments(
        parsed.service, LabFolder(parsed.folder),
        None if parsed.socket is None
        else socket.socket(fileno=parsed.socket),
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
        ending = threading.Event()
        # Until now it ends the process at once.
        signal.signal(signal.SIGTERM, lambda *_: ending.set())
        args.reporter.report('serving', ready=True)
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
