"""Stop a lab, or delete it."""

import contextlib
import shutil

import psutil

from nova_ext.core.base.progress import Progress
from nova_ext.lab.configuration import broker
from nova_ext.lab.lifecycle import processes
from nova_ext.lab.services import layout
from nova_ext.lab.state import lab_state, lock, ports
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder

_NOVA_GRACE_S = 5
_GRACE_S = 2
# A process may start another while it ends.
_ROUNDS = 3


def down(lab: LabFolder, progress: Progress) -> bool:
    """End every process of a lab; its state stays.

    :returns: False when none ran.
    :raises LabError: when a process is left.
    """
    with lock.hold(lab, progress):
        try:
            state = lab_state.load(lab)
        except LabError:
            # Its processes are known by their environment.
            end_all(lab, None, progress)
            raise
        ended = end_all(lab, state, progress)
        state.processes = {}
        lab_state.save(lab, state)
        return ended


def delete(lab: LabFolder, progress: Progress) -> None:
    """End a lab and remove its folder.

    :raises LabError: when a process of it is left.
    """
    with lock.hold(lab, progress):
        state = None
        # Those of a damaged lab are known by their environment alone.
        with contextlib.suppress(LabError):
            state = lab_state.load(lab)
        end_all(lab, state, progress)
        # Another command may have deleted it meanwhile.
        if lab.path.exists():
            shutil.rmtree(lab.path)
        lab.lock_file.unlink(missing_ok=True)


def end_all(lab: LabFolder, state: State | None, progress: Progress) -> bool:
    """End every process of a lab.

    :param state: the lab's state; None when it can't be read.
    :returns: False when none ran.
    :raises LabError: when a process is left.
    """
    known = state.processes.values() if state else ()
    running = processes.find(lab, known)
    if not running:
        return False
    with progress.step(f'stopping {len(running)} processes'):
        if state:
            # Nova needs the other services to finish its work.
            processes.end(_nova_processes(lab, state), _NOVA_GRACE_S)
        for _ in range(_ROUNDS):
            processes.end(processes.find(lab, known), _GRACE_S)
        left = processes.find(lab, known)
        if left:
            raise LabError(
                f'process {left[0].pid} of lab {lab.name} does not end'
            )
        if state:
            _wait_closed(state, progress)
    broker.delete_queue_counters(lab)
    return True


def _nova_processes(lab: LabFolder, state: State) -> list[psutil.Process]:
    """Return Nova's processes; each ends its own children."""
    known = [
        state.processes[service.name]
        for service in layout.list_services(state)
        if service.matches(layout.NOVA) and service.name in state.processes
    ]
    return processes.find_known(lab, known)


def _wait_closed(state: State, progress: Progress) -> None:
    """Wait until the next ``up`` can have the ports again."""
    for service, port in state.ports.items():
        if not ports.wait_closed(port):
            # Another program took it after the service had ended.
            progress.say(
                f'port {port} of {service} is still open, though no process '
                'of the lab is left: the next up takes another'
            )
