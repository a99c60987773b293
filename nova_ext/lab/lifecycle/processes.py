"""Start, find and end the processes of a lab."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
)

import psutil

from nova_ext.lab.configuration import broker, environment
from nova_ext.lab.services.layout import LabService
from nova_ext.lab.state.lab_state import Process, Settings, State
from nova_ext.lab.state.paths import MARKER, SERVICE_MARKER, LabFolder

_KILL_S = 10


def start(
    lab: LabFolder, state: State, service: LabService,
    listener: socket.socket | None,
) -> subprocess.Popen[bytes]:
    """Start a service.

    :param listener: the listening socket that it inherits, if it has any.
    """
    lab.phase(service.name).unlink(missing_ok=True)
    inherited = [] if listener is None else [listener.fileno()]
    command = [
        # Without -P the lab's folder would be searched for modules.
        sys.executable, '-P', '-m', 'nova_ext.lab.services.serve',
        service.name, '--folder', str(lab.path),
        *(f'--socket={number}' for number in inherited),
    ]
    with lab.log(service.name).open('ab') as log:
        return subprocess.Popen(
            command, cwd=lab.path, pass_fds=inherited,
            env=build_environment(lab, service, state.settings),
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def build_environment(
    lab: LabFolder, service: LabService, settings: Settings
) -> dict[str, str]:
    """Return the environment of a service."""
    variables = {
        name: value
        for name, value in os.environ.items()
        # oslo.config would take OS_GROUP__OPTION for the service's own.
        if not name.startswith('OS_')
    }
    return {
        **environment.bypass_proxies(environment.keep_bytecode(variables)),
        # Keystone imports eventlet, which would import a resolver of names.
        'EVENTLET_NO_GREENDNS': 'yes',
        **broker.queue_options(lab, service.name, settings),
        MARKER: str(lab.path), SERVICE_MARKER: service.name,
        # Programs that give themselves a title would write it over that.
        'SPT_NOENV': '1',
        'PYTHONUNBUFFERED': '1',
    }


def identify(process: subprocess.Popen[bytes]) -> Process:
    """Return the id and start time of a process, to find it by later."""
    return Process(process.pid, psutil.Process(process.pid).create_time())


def find_running(lab: LabFolder, known: Process) -> psutil.Process | None:
    """Return a process of a lab's state, if it still runs."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(known.pid)
        # Where the system's clock is set, the start time moves with it;
        # where the folder is moved, the mark names another one.
        same = abs(process.create_time() - known.started) < 1 or _has(
            process, {MARKER: str(lab.path)}
        )
        if same and _is_running(process):
            return process
    return None


def find_known(
    lab: LabFolder, known: Iterable[Process]
) -> list[psutil.Process]:
    """Return those processes of a lab's state that still run."""
    running = (find_running(lab, process) for process in known)
    return [process for process in running if process is not None]


def find(
    lab: LabFolder, known: Iterable[Process] = (), service: str | None = None,
) -> list[psutil.Process]:
    """Return the running processes of a lab, or of one of its services.

    :param known: processes in the lab's state. All others are found by their
        environment, which services hand to their children.
    """
    marks = {MARKER: str(lab.path)}
    if service is not None:
        marks[SERVICE_MARKER] = service
    running = set(find_known(lab, known))
    return list(running.union(_find_marked(marks)))


def _find_marked(marks: Mapping[str, str]) -> Iterator[psutil.Process]:
    """Return processes that have these variables in their environment."""
    for process in psutil.process_iter():
        if _has(process, marks) and _is_running(process):
            yield process


def _has(process: psutil.Process, marks: Mapping[str, str]) -> bool:
    # Some are another user's, or gone in the meantime.
    with contextlib.suppress(psutil.Error, OSError):
        return marks.items() <= process.environ().items()
    return False


def end(
    processes: Collection[psutil.Process], grace_s: float
) -> list[psutil.Process]:
    """End processes, gracefully at first.

    :param grace_s: seconds between SIGTERM and SIGKILL.
    :returns: the processes that had to be killed.
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
    """Wait for processes to end, and return those that did not."""
    deadline = time.monotonic() + timeout_s
    left = list(processes)
    while True:
        left = [process for process in left if _is_running(process)]
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.02)


def _is_running(process: psutil.Process) -> bool:
    """Say whether a process has not ended; a zombie has."""
    try:
        return process.is_running() and (
            process.status() != psutil.STATUS_ZOMBIE
        )
    except psutil.NoSuchProcess:
        return False


def _send(signal: Callable[[], None]) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        signal()
