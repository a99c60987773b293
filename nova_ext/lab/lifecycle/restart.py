"""Restart services after they have finished their work."""

import signal
import time

from nova_ext.core.base.progress import Progress
from nova_ext.lab.configuration import broker
from nova_ext.lab.lifecycle import processes, start, status
from nova_ext.lab.nova import program
from nova_ext.lab.services import layout
from nova_ext.lab.services.layout import Service
from nova_ext.lab.state import lab_state, lock, phase, ports
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import Process, State
from nova_ext.lab.state.paths import LabFolder

# Services wait for their work 60 s at most.
_PATIENCE_S = 90
_HELPER_GRACE_S = 5


def restart(lab: LabFolder, word: str, progress: Progress) -> None:
    """Restart services of a running lab gracefully.

    Several schedulers restart one after another: the others go on meanwhile.

    :param word: a service, or a word for several.
    :raises LabError: when one does not end, or does not come back.
    """
    with lock.hold(lab, progress):
        state = status.load_running(lab)
        for service in layout.find(state, word):
            stop_gracefully(lab, state, service, progress)
            _start(lab, state, service, progress)


def run_in_foreground(lab: LabFolder, word: str, progress: Progress) -> None:
    """Run a scheduler at the terminal until it ends, then in the background.

    If another command stops or restarts it meanwhile, it is left so.

    :param word: the service that the scheduler is, or is part of.
    :raises LabError: when it does not end, or does not come back.
    """
    with lock.hold(lab, progress):
        state = status.load_running(lab)
        service = layout.find_one(state, word)
        if not service.matches(layout.SCHEDULER):
            raise LabError(
                f'--foreground is for a scheduler, {word} has no plugins'
            )
        stop_gracefully(lab, state, service, progress)
        with start.open_sockets(lab, state, [service]) as listeners:
            child = processes.start(
                lab, state, service, listeners.get(service.port or ''),
                foreground=True,
            )
        state.processes[service.name] = processes.identify(child)
        lab_state.save(lab, state)
    # The terminal may be closed: the scheduler ends by that, this does not.
    with lock.ignore_signals((signal.SIGHUP,)):
        with lock.ignore_signals((signal.SIGINT,)):
            child.wait()
        with lock.hold(lab, progress):
            state = lab_state.load(lab)
            mine = state.processes.get(service.name)
            if mine is None or mine.pid != child.pid:
                return
            progress.say(f'{service.name} goes on in the background')
            _start(lab, state, service, progress)


def stop_gracefully(
    lab: LabFolder, state: State, service: Service, progress: Progress
) -> None:
    """Let a service finish its work and end.

    :raises LabError: when it does not end.
    """
    known = state.processes.get(service.name)
    running = processes.find(lab, [known] if known else [], service.name)
    if not running:
        return
    with progress.step(f'stopping {service.name}'):
        if known:
            _end_gracefully(lab, service, known, progress)
        # Children that it has not ended itself.
        processes.end(running, _HELPER_GRACE_S)
        for name in (*service.own_ports, service.port):
            # A thread may hold it for a moment after the process's end.
            if name is not None:
                ports.wait_closed(state.ports[name])
        if service.serves is not None:
            _wait_forgotten(lab, state, service)
    state.processes.pop(service.name, None)


def _end_gracefully(
    lab: LabFolder, service: Service, known: Process, progress: Progress
) -> None:
    process = processes.find_running(lab, known)
    if process is None:
        return
    process.terminate()
    deadline = time.monotonic() + _PATIENCE_S
    while processes.find_running(lab, known) is not None:
        if service.serves is None:
            progress.detail(phase.read(lab, service.name, known.pid).text)
        if time.monotonic() > deadline:
            raise LabError(
                f'{service.name} does not end; '
                f'"nova-ext lab down --name {lab.name}" kills it'
            )
        time.sleep(0.05)


def _wait_forgotten(lab: LabFolder, state: State, service: Service) -> None:
    """Wait until the broker has seen that a service's processes ended.

    They would count as those of its next start.
    """
    deadline = time.monotonic() + _PATIENCE_S
    while broker.count_consumers(state, program.queue_name(service.name)):
        if time.monotonic() > deadline:
            raise LabError(
                f'the broker still knows {service.name}; '
                f'"nova-ext lab down --name {lab.name}" ends both'
            )
        time.sleep(0.05)


def _start(
    lab: LabFolder, state: State, service: Service, progress: Progress
) -> None:
    start.start(lab, state, [service]).wait(service, progress)
