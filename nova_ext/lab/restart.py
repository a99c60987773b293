"""Restarting one service, without losing what it has in hand."""

import signal
import subprocess
import time

from nova_ext.core.progress import Progress
from nova_ext.lab import (
    interrupts,
    lock,
    phase,
    ports,
    processes,
    running,
    services,
    states,
)
from nova_ext.lab.errors import LabError
from nova_ext.lab.place import Place
from nova_ext.lab.states import SERVICES, State

#: Parts of Nova that share the process ``nova``.
PARTS = ('api', 'compute', 'conductor', 'scheduler')

# Services give up waiting for their work after 60 s.
_PATIENCE_S = 90


def process_of(service: str) -> str:
    """The lab's process that a service runs in.

    :raises LabError: for an unknown service.
    """
    if service in PARTS:
        return 'nova'
    if service not in SERVICES:
        raise LabError(
            f'no service {service}; services: '
            f'{", ".join(sorted((*SERVICES, *PARTS)))}'
        )
    return service


def restart(place: Place, service: str, progress: Progress) -> None:
    """Restart a process of a running lab gracefully.

    :param service: one of SERVICES.
    :raises LabError: when it does not end, or does not come back.
    """
    with lock.held(place, progress):
        state = _running_state(place)
        stop_gracefully(place, state, service, progress)
        _start(place, state, service, progress)


def foreground(place: Place, progress: Progress) -> None:
    """Run nova at the terminal until it ends, then in the background.

    Other commands may change the lab meanwhile; if one has stopped it, or
    restarted nova, that stands.

    :raises LabError: when it does not end, or does not come back.
    """
    with lock.held(place, progress):
        state = _running_state(place)
        stop_gracefully(place, state, 'nova', progress)
        child = _start_here(place, state)
    with interrupts.ignored((signal.SIGINT,)):
        child.wait()
    with lock.held(place, progress):
        state = states.load(place)
        mine = state.processes.get('nova')
        if mine is None or mine.pid != child.pid:
            return
        progress.say('nova goes on in the background')
        _start(place, state, 'nova', progress)


def stop_gracefully(
    place: Place, state: State, service: str, progress: Progress
) -> None:
    """Let a service finish what it has in hand, and end.

    :raises LabError: when it does not end.
    """
    known = state.processes.get(service)
    process = processes.alive(known) if known else None
    if known is None or process is None:
        return
    with progress.step(f'stopping {service}'):
        process.terminate()
        deadline = time.monotonic() + _PATIENCE_S
        while processes.alive(known) is not None:
            progress.detail(phase.read(place, service, known.pid).text)
            if time.monotonic() > deadline:
                raise LabError(
                    f'{service} does not end; '
                    f'"nova-ext lab down --name {place.name}" kills it'
                )
            time.sleep(0.05)
        # Threads may outlive what looks like the process's end.
        ports.wait_closed(state.ports[service])


def _running_state(place: Place) -> State:
    state = states.load(place)
    if running.word(place, state) == 'stopped':
        raise LabError(
            f'lab {place.name} is stopped; '
            f'"nova-ext lab up --name {place.name}" starts it'
        )
    return state


def _start(
    place: Place, state: State, service: str, progress: Progress
) -> None:
    with progress.step(f'starting {service}'):
        starting = services.start(place, state, (service,))
        starting.wait(service, progress)


def _start_here(place: Place, state: State) -> 'subprocess.Popen[bytes]':
    """Start nova with this terminal as its own."""
    place.phase('nova').unlink(missing_ok=True)
    with services.sockets(place, state, ('nova',)) as listeners:
        child = subprocess.Popen(
            [*processes.command(place, 'nova', listeners['nova']),
             '--foreground'],
            cwd=place.folder, env=processes.environment(place),
            pass_fds=[listeners['nova'].fileno()],
        )
    state.processes['nova'] = processes.record(child)
    states.save(place, state)
    return child
