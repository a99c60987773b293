"""The processes of a lab: started, found again and ended."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable

import psutil

from nova_ext.lab import bytecode
from nova_ext.lab import environment as environments
from nova_ext.lab.place import MARKER, Place
from nova_ext.lab.states import Process

NOVA = 'nova'
_KILL_S = 10


def start(
    place: Place, service: str, listener: socket.socket
) -> subprocess.Popen[bytes]:
    """Start a service in the background.

    :param listener: the listening socket that it inherits.
    """
    place.phase(service).unlink(missing_ok=True)
    with place.log(service).open('ab') as log:
        return subprocess.Popen(
            command(place, service, listener), stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
            cwd=place.folder, env=environment(place),
            pass_fds=[listener.fileno()],
        )


def command(
    place: Place, service: str, listener: socket.socket
) -> list[str]:
    """The command line of a service; it names the lab and no secret."""
    module = ['nova_process'] if service == NOVA else ['serve', service]
    return [
        # Without -P the lab's folder would be searched for modules.
        sys.executable, '-P', '-m', f'nova_ext.lab.{module[0]}', *module[1:],
        '--folder', str(place.folder), '--socket', str(listener.fileno()),
    ]


def environment(place: Place) -> dict[str, str]:
    """The environment of a service."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        # oslo.config would take OS_GROUP__OPTION for the service's own.
        if not name.startswith('OS_')
    }
    return {
        **environments.direct(bytecode.environment(inherited)),
        MARKER: str(place.folder), 'PYTHONUNBUFFERED': '1',
    }


def record(process: subprocess.Popen[bytes]) -> Process:
    """What finds a started process again."""
    return Process(process.pid, psutil.Process(process.pid).create_time())


def alive(known: Process) -> psutil.Process | None:
    """A recorded process, if it still runs."""
    with contextlib.suppress(psutil.NoSuchProcess):
        found = psutil.Process(known.pid)
        # Clock adjustments move the start time a little.
        same = abs(found.create_time() - known.started) < 1
        if same and _runs(found):
            return found
    return None


def of_lab(
    place: Place, known: Iterable[Process] = ()
) -> list[psutil.Process]:
    """Every process of a lab that runs, recorded or not.

    A process belongs to the lab if it was recorded, or if its environment
    names the lab's folder, as that of each service and its children does.
    """
    found = {one for one in map(alive, known) if one is not None}
    for process in psutil.process_iter():
        try:
            marked = process.environ().get(MARKER) == str(place.folder)
            if marked and _runs(process):
                found.add(process)
        except (psutil.Error, OSError):
            # Another user's, or gone in the meantime.
            continue
    return list(found)


def end(
    processes: Collection[psutil.Process], grace_s: float
) -> list[psutil.Process]:
    """End processes, gracefully at first.

    :param grace_s: seconds between SIGTERM and SIGKILL.
    :returns: those that had to be killed.
    """
    for process in processes:
        _send(process.terminate)
    stubborn = _wait(processes, grace_s)
    for process in stubborn:
        _send(process.kill)
    _wait(stubborn, _KILL_S)
    return stubborn


def _wait(
    processes: Collection[psutil.Process], timeout_s: float
) -> list[psutil.Process]:
    """Wait for processes to end; those that did not."""
    deadline = time.monotonic() + timeout_s
    left = list(processes)
    while True:
        left = [process for process in left if _runs(process)]
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.02)


def _runs(process: psutil.Process) -> bool:
    """Whether a process has not ended; a zombie has."""
    try:
        return process.is_running() and (
            process.status() != psutil.STATUS_ZOMBIE
        )
    except psutil.NoSuchProcess:
        return False


def _send(signal: Callable[[], None]) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        signal()
