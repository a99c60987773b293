"""Run RabbitMQ, by the distribution's program.

The broker has its own ports, folders, password and cookie, and is reachable
on this machine only. The service that the package may have started is neither
used nor touched.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from nova_ext.lab.configuration import broker, config
from nova_ext.lab.process import process
from nova_ext.lab.process.process import Arguments
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.ports import ADDRESS

# In Debian and Fedora the program on PATH insists on the service's user.
_FOLDER = '/usr/lib/rabbitmq/bin'
_PROGRAM = 'rabbitmq-server'
_CONFIG = 'rabbit/rabbitmq.conf'


def start(args: Arguments, state: State) -> NoReturn:
    """Become the broker."""
    process.allow_many_files()
    args.reporter.report('starting')
    os.execve(  # noqa: S606  the distribution's program
        find_program(), [_PROGRAM, '-noinput'],
        build_environment(args.lab, state, os.environ),
    )


def configure(lab: LabFolder, state: State) -> config.Files:
    """Return the broker's file."""
    lines = (
        f'listeners.tcp.1 = {ADDRESS}:{state.ports["rabbit"]}',
        f'default_user = {broker.USER}',
        f'default_pass = {state.passwords[broker.USER]}',
        # Each connection of a lab command would be two lines.
        'log.connection.level = warning',
    )
    return {_CONFIG: '\n'.join(lines) + '\n'}


def find_program() -> Path:
    """Return the installed program.

    :raises LabError: when there is none, saying how to install it.
    """
    path = f'{_FOLDER}{os.pathsep}{os.environ.get("PATH", os.defpath)}'
    program = shutil.which(_PROGRAM, path=path)
    if program is None:
        raise LabError(
            '--broker rabbit needs RabbitMQ: apt-get install '
            'rabbitmq-server, as root; the service that this starts is not '
            'needed'
        )
    return Path(program)


def delete_state(lab: LabFolder) -> None:
    """Delete the broker's files, messages among them."""
    shutil.rmtree(_home(lab), ignore_errors=True)


def build_environment(
    lab: LabFolder, state: State, inherited: Mapping[str, str]
) -> dict[str, str]:
    """Return the broker's environment; nothing in it is secret.

    :param inherited: kept but for variables of other brokers.
    """
    home = _home(lab)
    _, distribution, epmd = (state.ports[name] for name in broker.PORTS)
    return {
        **{
            name: value
            for name, value in inherited.items()
            if not name.startswith(('RABBITMQ_', 'ERL_'))
        },
        # Erlang keeps its cookie there.
        'HOME': str(home),
        'ERL_EPMD_ADDRESS': ADDRESS,
        'ERL_EPMD_PORT': str(epmd),
        # Its script is replaced by the broker, and does not wait for it; the
        # option -noinput keeps input away all the same.
        'RABBITMQ_ALLOW_INPUT': 'true',
        'RABBITMQ_NODENAME': 'lab@localhost',
        'RABBITMQ_DIST_PORT': str(distribution),
        'RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS':
            f'-kernel inet_dist_use_interface {_as_tuple(ADDRESS)}',
        'RABBITMQ_CONFIG_FILE': str(lab.path / _CONFIG),
        'RABBITMQ_CONFIG_FILES': str(home / 'conf.d'),
        'RABBITMQ_ADVANCED_CONFIG_FILE': str(home / 'advanced.config'),
        'RABBITMQ_CONF_ENV_FILE': str(home / 'rabbitmq-env.conf'),
        'RABBITMQ_ENABLED_PLUGINS_FILE': str(home / 'enabled_plugins'),
        'RABBITMQ_MNESIA_BASE': str(home / 'mnesia'),
        'RABBITMQ_LOG_BASE': str(home / 'log'),
        'RABBITMQ_LOGS': '-',
        'RABBITMQ_LOG': 'info,-color',
    }


def _home(lab: LabFolder) -> Path:
    return lab.path / 'rabbit'


def _as_tuple(address: str) -> str:
    """Return an address in Erlang's notation."""
    return '{' + address.replace('.', ',') + '}'
