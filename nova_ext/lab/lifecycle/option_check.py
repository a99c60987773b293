"""Check that nova.conf has the options that ``--set`` names.

Nova's declarations are read in a process of its own: the commands import no
Nova.
"""

import json
import os
import subprocess
import sys

from nova_ext.core.base import errors
from nova_ext.lab.configuration import environment
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import Settings
from nova_ext.nova_releases.declared_options import Options, list_options


def check(settings: Settings) -> None:
    """Refuse options that nobody declares, and values of a wrong type.

    :raises LabError: with the first problem.
    """
    answer = subprocess.run(
        [sys.executable, '-P', '-m', __name__], input=json.dumps(settings),
        capture_output=True, text=True, check=False,
        env=environment.keep_bytecode(os.environ),
    )
    if answer.returncode:
        last = answer.stderr.strip().rpartition('\n')[2]
        raise LabError(f'Nova\'s options can\'t be read: {last}')
    problem = json.loads(answer.stdout)
    if problem is not None:
        raise LabError(problem)


def main() -> None:
    """Read settings from standard input, write the first problem."""
    print(json.dumps(find_problem(json.load(sys.stdin), list_options())))


def find_problem(settings: Settings, options: Options) -> str | None:
    """Return the first option that is unknown, or refuses its value.

    :returns: one line, or None.
    """
    for name, values in settings.items():
        group, _, option = name.partition('.')
        if group not in options:
            return (
                f'--set {name}: nova.conf has no group {group}; '
                f'{errors.suggest_names(group, options)}'
            )
        if option not in options[group]:
            return (
                f'--set {name}: group {group} has no option {option}; '
                f'{errors.suggest_names(option, options[group])}'
            )
        for value in values:
            try:
                options[group][option].type(value)
            except ValueError as error:
                return f'--set {name}={value}: {error}'
    return None


if __name__ == '__main__':
    main()
