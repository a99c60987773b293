"""Whether nova.conf has the options that ``--set`` names.

Run as a program it answers from Nova's own declarations, which the command
itself should not have to import.
"""

import json
import os
import subprocess
import sys

from nova_ext.core.base import errors
from nova_ext.lab.configuration import bytecode
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.settings import Settings
from nova_ext.nova_releases.declared_options import Options, declared


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


def problem(settings: Settings, options: Options) -> str | None:
    """Return the first option that is unknown, or refuses its value.

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
