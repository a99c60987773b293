"""Restart services after they have finished their work."""

import time

from nova_ext.core.base.progress import Progress
from nova_ext.lab.configuration import broker
from nova_ext.lab.lifecycle import processes, start, status
from nova_ext.lab.nova import program
from nova_ext.lab.services import layout
from nova_ext.lab.services.layout import LabService
from nova_ext.lab.state import lock, phase, ports
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
            start.start(lab, state, [service]).wait(service, progress)


def stop_gracefully(
    lab: LabFolder, state: State, service: LabService, progress: Progress
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
    lab: LabFolder, service: LabService, known: Process, progress: Progress
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


def _wait_forgotten(lab: LabFolder, state: State, service: LabService) -> None:
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
