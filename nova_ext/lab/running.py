"""What of a lab runs."""

from nova_ext.lab import layout, processes, states
from nova_ext.lab import phase as phases
from nova_ext.lab import place as places
from nova_ext.lab.errors import LabError
from nova_ext.lab.layout import Service
from nova_ext.lab.phase import Phase
from nova_ext.lab.place import Place
from nova_ext.lab.states import State

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
    state = states.load(place)
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
