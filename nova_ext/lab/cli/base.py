"""Provide the base of the lab's commands."""

import argparse
import importlib.util
from importlib import metadata
from typing import Any

from cliff import command

from nova_ext.lab.process import nova_threads
from nova_ext.lab.services import layout
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import NONE, State

DEFAULT_NAME = 'default'

# Packages that the lab needs for more than one service.
_PACKAGES = ('waitress', 'psutil')

#: The one release of Nova that a lab runs on eventlet.
ON_EVENTLET = 31


class LabCommand(command.Command):
    """Run a command that needs the lab extra."""

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command.

        :raises LabError: see :func:`require`.
        """
        require()
        return super().run(parsed_args)


class NamedCommand(LabCommand):
    """Run a command for one lab."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        add_name(parser)
        return parser


def require() -> None:
    """Refuse to go on without the lab extra.

    :raises LabError: when it is not installed, or for a Nova that no lab
        runs.
    """
    services = {row.package for row in layout.TABLE if row.package}
    if any(map(_absent, services.union(_PACKAGES))):
        raise LabError("the lab needs: pip install 'nova-ext[lab]'")
    version = metadata.version('nova')
    if int(version.partition('.')[0]) == ON_EVENTLET:
        return
    if not nova_threads.available():
        raise LabError(
            f'the lab needs Nova {ON_EVENTLET}, or {nova_threads.FIRST} or '
            f'later, and Nova {version} is installed; an environment of its '
            'own may have another'
        )


def _absent(package: str) -> bool:
    return importlib.util.find_spec(package) is None


def add_service(parser: Any) -> None:
    """Add ``<service>``."""
    names = [row.name for row in layout.TABLE if NONE in row.brokers]
    parser.add_argument(
        'service', metavar='<service>',
        help=f'{", ".join(names)}, or a part of nova: '
        f'{", ".join(layout.LOGGERS)}; with a broker also rabbit, and '
        'scheduler-1 and so on where there are several',
    )


def add_name(parser: Any) -> None:
    """Add ``--name``."""
    parser.add_argument(
        '--name', default=DEFAULT_NAME, metavar='<name>',
        help=f'the lab (default: {DEFAULT_NAME})',
    )


def format_command(name: str, verb: str) -> str:
    """Return a lab command as a person types it."""
    suffix = '' if name == DEFAULT_NAME else f' --name {name}'
    return f'nova-ext lab {verb}{suffix}'


def format_boot(state: State) -> str:
    """Return an openstack command that boots a server."""
    host = state.hosts[min(1, len(state.hosts) - 1)].name
    return (
        'openstack server create --flavor 1 --image cirros --nic none '
        f'--hint requested_host={host} t'
    )
