"""Run all modules with one seed, each in a process of its own."""

import argparse
import os
import subprocess
import sys

from tests.hostile import drawing

ALL = ('bodies', 'messages', 'lines', 'files', 'keystone')


def main():
    """Run them one after another.

    :returns: the exit status: 0, or that of one that failed.
    """
    parser = argparse.ArgumentParser(
        prog='python -m tests.hostile', description=__doc__
    )
    parser.add_argument('--seed', type=int, default=drawing.SEED)
    # argparse takes a default of several words for one that is no choice.
    parser.add_argument('modules', nargs='*', choices=[*ALL, []])
    arguments = parser.parse_args()
    print(f'seed {arguments.seed}', flush=True)
    environment = {**os.environ, drawing.VARIABLE: str(arguments.seed)}
    status = 0
    for name in arguments.modules or ALL:
        command = [
            sys.executable, '-m', 'testtools.run', f'tests.hostile.test_{name}'
        ]
        status = subprocess.call(command, env=environment) or status
    return status


if __name__ == '__main__':
    sys.exit(main())
