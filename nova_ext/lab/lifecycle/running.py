"""What of a lab runs."""

from nova_ext.lab.lifecycle import processes
from nova_ext.lab.services import layout
from nova_ext.lab.services.layout import Service
from nova_ext.lab.state import lab_state
from nova_ext.lab.state import paths as places
from nova_ext.lab.state import phase as phases
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import Place
from nova_ext.lab.state.phase import Phase

STOPPED = Phase('stopped')


def all_services(place: Place, state: State) -> bool:
    """Return whether every service of a lab serves."""
    return all(
        phase(place, state, service).ready
        for service in layout.services(state)
    )


def phase(place: Place, state: State, service: Service) -> Phase:
    """Return what a service does at the moment."""
    known = state.processes.get(service.name)
    if known is None or processes.alive(known) is None:
        return STOPPED
    if service.serves is not None and service.serves(state, service.name):
        return Phase('serving', ready=True)
    return phases.read(place, service.name, known.pid)


def condition(place: Place, state: State) -> str:
    """Return a lab's condition: ``running``, ``stopped`` or ``degraded``."""
    known = state.processes.values()
    if not any(processes.alive(process) for process in known):
        return 'stopped'
    return 'running' if all_services(place, state) else 'degraded'


def load(place: Place) -> State:
    """Return the state of a lab that runs.

    :raises LabError: for one that is stopped.
    """
    state = lab_state.load(place)
    if condition(place, state) == 'stopped':
        raise LabError(
            f'lab {place.name} is stopped; '
            f'"nova-ext lab up --name {place.name}" starts it'
        )
    return state


def required(name: str) -> Place:
    """Return the place of a lab that runs.

    :raises LabError: for an unknown lab, or one that is stopped.
    """
    there = places.existing(name)
    load(there)
    return there
