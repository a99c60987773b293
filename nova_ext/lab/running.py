"""What of a lab runs."""

from nova_ext.lab import phase, processes, states
from nova_ext.lab import place as places
from nova_ext.lab.errors import LabError
from nova_ext.lab.place import Place
from nova_ext.lab.states import SERVICES, State


def all_services(place: Place, state: State) -> bool:
    """Whether every service of a lab serves."""
    return all(serves(place, state, service) for service in SERVICES)


def serves(place: Place, state: State, service: str) -> bool:
    """Whether a service runs and has come to serve."""
    known = state.processes.get(service)
    return (
        known is not None
        and processes.alive(known) is not None
        and phase.read(place, service, known.pid).ready
    )


def word(place: Place, state: State) -> str:
    """A lab's condition: ``running``, ``stopped`` or ``degraded``."""
    if all_services(place, state):
        return 'running'
    known = state.processes.values()
    if any(processes.alive(process) for process in known):
        return 'degraded'
    return 'stopped'


def required(name: str) -> Place:
    """The place of a lab that runs.

    :raises LabError: for an unknown lab, or one that is stopped.
    """
    there = places.existing(name)
    if word(there, states.load(there)) == 'stopped':
        raise LabError(
            f'lab {name} is stopped; "nova-ext lab up --name {name}" '
            'starts it'
        )
    return there
