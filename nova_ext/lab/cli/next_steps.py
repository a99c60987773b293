"""What to type next."""

from typing import TextIO

from nova_ext.lab.cli.base import DEFAULT_NAME
from nova_ext.lab.nova import program
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import Place

_SHOWN = 12


def after_up(
    place: Place, state: State, changed: bool, stream: TextIO
) -> None:
    """Say that the lab runs, on which hosts, and what to type."""
    names = [host.name for host in state.hosts]
    more = f' and {len(names) - _SHOWN} more' if len(names) > _SHOWN else ''
    programs = sorted(set(program.schedulers(state).values()))
    condition = 'is ready' if changed else 'is running already'
    stream.write(
        f'Lab {place.name} {condition}, with {" and ".join(programs)}. '
        f'Hosts: {" ".join(names[:_SHOWN])}{more}\n\n'
        'Boot a server on a host of your choice:\n\n'
        f'  {command(place.name, "run")} -- {boot(state)}\n\n'
        f'or type openstack commands in a shell of their own:\n\n'
        f'  {command(place.name, "shell")}\n'
    )


def boot(state: State) -> str:
    """An openstack command that boots a server."""
    host = state.hosts[min(1, len(state.hosts) - 1)].name
    return (
        'openstack server create --flavor 1 --image cirros --nic none '
        f'--hint requested_host={host} t'
    )


def command(name: str, verb: str) -> str:
    """A lab command as a person types it."""
    suffix = '' if name == DEFAULT_NAME else f' --name {name}'
    return f'nova-ext lab {verb}{suffix}'
