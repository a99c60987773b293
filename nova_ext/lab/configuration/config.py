"""Write what the configuration files of a lab's services share."""

import importlib.metadata
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder

REGION = 'RegionOne'

#: The value of an option; a sequence is that of a multi-valued one.
Value = str | int | bool | Sequence[str]

#: Values by option by section.
Sections = dict[str, dict[str, Value]]

#: Text of configuration files, by path in the lab's folder.
Files = dict[str, str]

#: Standard error is a process's log.
LOGGING: dict[str, Value] = {'use_stderr': True, 'debug': False}


def render(sections: Mapping[str, Mapping[str, Value]]) -> str:
    """Return the text of a file for oslo.config, with values unescaped."""
    lines = []
    for section, options in sections.items():
        lines.append(f'[{section}]')
        for name, value in options.items():
            lines += [f'{name} = {text}' for text in _render_value(value)]
        lines.append('')
    return '\n'.join(lines)


def _render_value(value: Value) -> Sequence[str]:
    if isinstance(value, bool):
        return [str(value).lower()]
    if isinstance(value, str | int):
        return [str(value)]
    return value


def escape(value: object) -> str:
    """Return a value in which ``$`` is no reference to another option."""
    return str(value).replace('$', '$$')


def database_url(lab: LabFolder, name: str) -> str:
    """Return the URL of a service's database."""
    path = escape(lab.databases / name)
    return f'sqlite:///{path}.sqlite?timeout=60&plugin=nova_ext_lab'


def credential_options(state: State, username: str) -> dict[str, Value]:
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


def authtoken_options(state: State, username: str) -> dict[str, Value]:
    """Return the options of keystonemiddleware."""
    return {
        **credential_options(state, username),
        'www_authenticate_uri': state.url('keystone', '/v3'),
        'service_token_roles': 'service',
        'service_token_roles_required': True,
    }


def read_shipped_file(project: str, name: str) -> str:
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
