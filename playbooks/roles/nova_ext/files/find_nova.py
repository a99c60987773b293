"""Print what a unit starts and by which Python, as JSON.

Arguments: the unit, its command where the unit starts a wrapper, and the
folder for packages where pip may not change the environment.
"""

import json
import pathlib
import re
import subprocess
import sys

MANAGED = """
import os, sys, sysconfig
mark = os.path.join(sysconfig.get_path('stdlib'), 'EXTERNALLY-MANAGED')
print(sys.prefix == sys.base_prefix and os.path.exists(mark))
"""


def main(unit, command, target):
    """Print one JSON object."""
    words = command.split() or ask_systemd(unit)
    if not words or words[0].startswith('/etc/'):
        sys.exit(
            f'{unit} starts "{" ".join(words)}", which is no program of '
            'Nova\'s; name that, with its options, in nova_ext_command'
        )
    program = pathlib.Path(words[0])
    with program.open('rb') as file:
        first = file.readline().decode(errors='replace').strip()
    # Options of Python may follow, as in Fedora's -sP.
    interpreter = re.fullmatch(r'#! *(\S*/python[0-9.]*)( +-.*)?', first)
    if not interpreter:
        sys.exit(
            f'{program} does not begin with the path of a Python; name '
            'another program of its environment in nova_ext_command'
        )
    python = interpreter[1]
    apart = run(python, '-c', MANAGED).strip() == 'True'
    print(json.dumps({
        'words': words, 'python': python, 'path': target if apart else '',
        'bin': f'{target}/bin' if apart else str(program.parent),
    }))


def ask_systemd(unit):
    """Return the words of the unit's ExecStart, the last if it has several."""
    answer = run('systemctl', 'show', '--property=ExecStart', '--value', unit)
    starts = re.findall(r'argv\[\]=(.*?) ;', answer)
    return starts[-1].split() if starts else []


def run(*words):
    """Return what a command prints; end with its own words if it fails."""
    done = subprocess.run(  # noqa: S603
        words, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f'{" ".join(words[:2])} failed: {done.stderr.strip()}')
    return done.stdout


if __name__ == '__main__':
    main(*sys.argv[1:])
