"""Find out which services of a lab run."""

from nova_ext.lab.lifecycle import processes
from nova_ext.lab.services import layout
from nova_ext.lab.services.layout import LabService
from nova_ext.lab.state import lab_state
from nova_ext.lab.state import paths as places
from nova_ext.lab.state import phase as phases
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.phase import Phase

STOPPED = Phase('stopped')


def all_serve(lab: LabFolder, state: State) -> bool:
    """Say whether every service of a lab serves."""
    return all(
        find_phase(lab, state, service).ready
        for service in layout.list_services(state)
    )


def find_phase(lab: LabFolder, state: State, service: LabService) -> Phase:
    """Return the phase that a service is in."""
    known = state.processes.get(service.name)
    if known is None or processes.find_running(lab, known) is None:
        return STOPPED
    if service.serves is not None and service.serves(state, service.name):
        return Phase('serving', ready=True)
    return phases.read(lab, service.name, known.pid)


def describe(lab: LabFolder, state: State) -> str:
    """Return ``running``, ``stopped`` or ``degraded``."""
    if not processes.find_known(lab, state.processes.values()):
        return 'stopped'
    return 'running' if all_serve(lab, state) else 'degraded'


def load_running(lab: LabFolder) -> State:
    """Return the state of a lab that runs.

    :raises LabError: for one that is stopped.
    """
    state = lab_state.load(lab)
    if describe(lab, state) == 'stopped':
        raise LabError(
            f'lab {lab.name} is stopped; '
            f'"nova-ext lab up --name {lab.name}" starts it'
        )
    return state


def find_lab(name: str) -> LabFolder:
    """Return the folder of a lab that runs.

    :raises LabError: for an unknown lab, or one that is stopped.
    """
    lab = places.find(name)
    load_running(lab)
    return lab
