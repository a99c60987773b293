"""A lab's end: down and delete."""

import shutil

import psutil

from nova_ext.core.base.progress import Progress
from nova_ext.lab.configuration import queue_names
from nova_ext.lab.lifecycle import processes
from nova_ext.lab.services import layout
from nova_ext.lab.state import lab_state, lock, ports
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import Place

_NOVA_GRACE_S = 5
_GRACE_S = 2
# What is ended may be starting another process meanwhile.
_ROUNDS = 3


def down(place: Place, progress: Progress) -> bool:
    """End every process of a lab; its state stays.

    :returns: False when none ran.
    :raises LabError: when something of it is left.
    """
    with lock.held(place, progress):
        return _down(place, progress)


def delete(place: Place, progress: Progress) -> None:
    """End a lab and remove its folder.

    :raises LabError: when a process of it is left.
    """
    with lock.held(place, progress):
        end_all(place, None, progress)
        shutil.rmtree(place.folder)
        place.lock_file.unlink(missing_ok=True)


def end_all(place: Place, state: State | None, progress: Progress) -> bool:
    """End every process of a lab, recorded or not.

    :param state: None when it can't be read.
    :returns: False when none ran.
    :raises LabError: when a process or one of its ports is left.
    """
    known = state.processes.values() if state else ()
    found = processes.find(place, known)
    if not found:
        return False
    with progress.step(f'stopping {len(found)} processes'):
        if state:
            # Nova ends what it has in hand with the help of the others.
            processes.end(_nova_processes(place, state), _NOVA_GRACE_S)
        for _ in range(_ROUNDS):
            processes.end(processes.find(place, known), _GRACE_S)
        left = processes.find(place, known)
        if left:
            raise LabError(
                f'process {left[0].pid} of lab {place.name} does not end'
            )
        if state:
            _expect_closed(state)
    queue_names.forget(place)
    return True


def _nova_processes(place: Place, state: State) -> list[psutil.Process]:
    """Return Nova's processes; each ends its own children."""
    recorded = [
        state.processes.get(service.name)
        for service in layout.services(state) if service.means(layout.NOVA)
    ]
    found = [processes.alive(one) for one in recorded if one is not None]
    return [one for one in found if one is not None]


def _down(place: Place, progress: Progress) -> bool:
    try:
        state = lab_state.load(place)
    except LabError:
        # Its processes carry the lab's mark.
        end_all(place, None, progress)
        raise
    ended = end_all(place, state, progress)
    state.processes = {}
    lab_state.save(place, state)
    return ended


def _expect_closed(state: State) -> None:
    for service, port in state.ports.items():
        if not ports.wait_closed(port):
            raise LabError(
                f'port {port} of {service} is still open, '
                'though no process of the lab is left'
            )
