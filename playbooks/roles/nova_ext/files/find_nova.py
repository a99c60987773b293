"""Print what a unit starts and by which Python, as JSON.

Arguments: the unit, its command where the unit starts a wrapper, and the
folder for packages where pip may not change the environment.
"""

import json
import pathlib
import re
import subprocess
import sys

#: Says whether pip may not change the environment; and, for a distribution's,
#: where pip puts programs: on Fedora that is not beside Nova's.
ENVIRONMENT = """
import os, sys, sysconfig
mark = os.path.join(sysconfig.get_path('stdlib'), 'EXTERNALLY-MANAGED')
base = sys.prefix == sys.base_prefix
print(base and os.path.exists(mark))
print(sysconfig.get_path('scripts') if base else '')
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
    apart, _, scripts = run(python, '-c', ENVIRONMENT).partition('\n')
    apart = apart == 'True'
    print(json.dumps({
        'words': words, 'python': python, 'path': target if apart else '',
        'bin': f'{target}/bin' if apart
               else scripts.strip() or str(program.parent),
    }))


def ask_systemd(unit):
    """Return the words of the unit's ExecStart, the last if it has several."""
    starts = re.findall(r'argv\[\]=(.*?) ;', show('ExecStart', unit))
    if not starts and show('LoadState', unit).strip() == 'not-found':
        sys.exit(
            f'this host has no unit {unit}; name nova-scheduler\'s in '
            'nova_ext_unit: it is openstack-nova-scheduler with RDO'
        )
    return starts[-1].split() if starts else []


def show(name, unit):
    """Return a property of a unit."""
    return run('systemctl', 'show', f'--property={name}', '--value', unit)


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
