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
    problem = json.loads(answer.stdout)
    if problem is not None:
        raise LabError(problem)


def main() -> None:
    """Read settings from standard input, write the first problem."""
    print(json.dumps(_problem(json.load(sys.stdin), _options())))


def _options() -> dict[str, dict[str, Any]]:
    """Options by name by group."""
    from stevedore import NamedExtensionManager

    found: dict[str, dict[str, Any]] = {}
    manager: NamedExtensionManager[Any] = NamedExtensionManager(
        'oslo.config.opts', _NAMESPACES, invoke_on_load=True
    )
    for extension in manager:
        for group, options in extension.obj or ():
            name = getattr(group, 'name', group) or 'DEFAULT'
            found.setdefault(name, {}).update(
                (option.dest, option) for option in options
            )
    return found


def _problem(
    settings: Settings, options: dict[str, dict[str, Any]]
) -> str | None:
    for name, values in settings.items():
        group, _, option = name.partition('.')
        if group not in options:
            return (
                f'--set {name}: nova.conf has no group {group}; '
                f'{errors.available(group, options)}'
            )
        declared = options[group].get(option)
        if declared is None:
            return (
                f'--set {name}: group {group} has no option {option}; '
                f'{errors.available(option, options[group])}'
            )
        for value in values:
            try:
                declared.type(value)
            except ValueError as error:
                return f'--set {name}={value}: {error}'
    return None


if __name__ == '__main__':
    main()
