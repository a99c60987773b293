"""What the configuration files of a lab's services have in common."""

import importlib.metadata
import sys
from pathlib import Path

from nova_ext.lab.configuration import ini
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import Place

REGION = 'RegionOne'

#: What a process writes to standard error is its log.
LOGGING: dict[str, ini.Value] = {'use_stderr': True, 'debug': False}

#: Text of configuration files, by path in the lab's folder.
Files = dict[str, str]


def database(place: Place, name: str) -> str:
    """Return the URL of a service's database."""
    path = ini.literal(place.databases / name)
    return f'sqlite:///{path}.sqlite?timeout=60&plugin=nova_ext_lab'


def credentials(state: State, username: str) -> dict[str, ini.Value]:
    """Return the options with which a service authenticates."""
    return {
        'auth_type': 'password',
        'auth_url': state.url('keystone', '/v3'),
        'username': username,
        'password': state.passwords['service'],
        'project_name': 'service',
        'user_domain_name': 'Default',
        'project_domain_name': 'Default',
        'region_name': REGION,
    }


def authtoken(state: State, username: str) -> dict[str, ini.Value]:
    """Return the options of keystonemiddleware."""
    return {
        **credentials(state, username),
        'www_authenticate_uri': state.url('keystone', '/v3'),
        'service_token_roles': 'service',
        'service_token_roles_required': True,
    }


def shipped(project: str, name: str) -> str:
    """Return the text of a file that a wheel installs below ``<prefix>/etc``.

    :raises LabError: when the wheel did not install it.
    """
    # A user install, or a distribution's scheme, has another prefix.
    for file in importlib.metadata.files(project) or []:
        if file.name == name:
            return Path(str(file.locate())).read_text()
    path = Path(sys.prefix, 'etc', project, name)
    if path.exists():
        return path.read_text()
    raise LabError(f'{project} lacks its {name}; reinstall {project}')
