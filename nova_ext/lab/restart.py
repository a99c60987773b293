"""Restarting one service, without losing what it has in hand."""

import time

from nova_ext.lab import phase, processes
from nova_ext.lab.errors import LabError
from nova_ext.lab.place import Place
from nova_ext.lab.progress import Progress
from nova_ext.lab.states import State

# Services give up waiting for their work after 60 s.
_PATIENCE_S = 90


def stop_gracefully(
    place: Place, state: State, service: str, progress: Progress
) -> None:
    """Let a service finish what it has in hand, and end.

    :raises LabError: when it does not end.
    """
    process = processes.alive(state.processes[service])
    if process is None:
        return
    with progress.step(f'stopping {service}'):
        process.terminate()
        deadline = time.monotonic() + _PATIENCE_S
        while processes.alive(state.processes[service]) is not None:
            progress.detail(phase.read(place, service, process.pid).text)
            if time.monotonic() > deadline:
                raise LabError(
                    f'{service} does not end; '
                    f'"nova-ext lab down --name {place.name}" kills it'
                )
            time.sleep(0.05)
