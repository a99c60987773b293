"""Whether nova.conf has the options that ``--set`` names.

Run as a program it answers from Nova's own declarations, which the command
itself should not have to import.
"""

import json
import os
import subprocess
import sys
from typing import Any

from nova_ext.core import errors
from nova_ext.lab import bytecode
from nova_ext.lab.errors import LabError
from nova_ext.lab.settings import Settings

#: Options by name by group.
Options = dict[str, dict[str, Any]]

# Libraries whose options stand in nova.conf; the list of Nova's own sample.
_NAMESPACES = [
    'nova.conf', 'nova_ext', 'keystonemiddleware.auth_token', 'oslo.log',
    'oslo.messaging', 'oslo.policy', 'oslo.privsep',
    'oslo.service.periodic_task', 'oslo.service.service',
    'oslo.db', 'oslo.db.concurrency', 'oslo.cache', 'oslo.limit',
    'oslo.middleware', 'oslo.concurrency', 'oslo.reports',
    'oslo.versionedobjects', 'osprofiler', 'os_vif',
]


def check(settings: Settings) -> None:
    """Refuse options that nobody declares, and values they don't take.

    :raises LabError: for the first of them.
    """
    answer = subprocess.run(
        [sys.executable, '-P', '-m', __name__], input=json.dumps(settings),
        capture_output=True, text=True, check=False,
        env=bytecode.environment(os.environ),
    )
    if answer.returncode:
        last = answer.stderr.strip().rpartition('\n')[2]
        raise LabError(f'Nova\'s options can\'t be read: {last}')
    found = json.loads(answer.stdout)
    if found is not None:
        raise LabError(found)


def main() -> None:
    """Read settings from standard input, write the first problem."""
    print(json.dumps(problem(json.load(sys.stdin), declared())))


def declared() -> Options:
    """The options that nova.conf may have."""
    from keystoneauth1 import loading
    from stevedore import NamedExtensionManager

    found: Options = {}
    manager: NamedExtensionManager[Any] = NamedExtensionManager(
        'oslo.config.opts', _NAMESPACES, invoke_on_load=True
    )
    for extension in manager:
        for group, options in extension.obj or ():
            name = getattr(group, 'name', group) or 'DEFAULT'
            found.setdefault(name, {}).update(
                (option.dest, option) for option in options
            )
    # How a service authenticates is declared by the way it does.
    credentials = {
        option.dest: option
        for option in loading.get_auth_plugin_conf_options('password')
    }
    for options in found.values():
        if 'auth_type' in options:
            options.update(credentials)
    return found


def problem(settings: Settings, options: Options) -> str | None:
    """The first option that is not declared, or not for its value.

    :returns: one line, or None.
    """
    for name, values in settings.items():
        group, _, option = name.partition('.')
        if group not in options:
            return (
                f'--set {name}: nova.conf has no group {group}; '
                f'{errors.available(group, options)}'
            )
        if option not in options[group]:
            return (
                f'--set {name}: group {group} has no option {option}; '
                f'{errors.available(option, options[group])}'
            )
        for value in values:
            try:
                options[group][option].type(value)
            except ValueError as error:
                return f'--set {name}={value}: {error}'
    return None


if __name__ == '__main__':
    main()
