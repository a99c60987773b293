"""Print what a unit starts and by which Python, as JSON.

Arguments: the unit, its command where the unit starts a wrapper, and the
folder for packages where pip may not change the environment.
"""

import json
import os
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
        sys.exit('%s starts "%s", which is no program of Nova\'s; name that, '
                 'with its options, in nova_ext_command'
                 % (unit, ' '.join(words)))
    with open(words[0], 'rb') as program:
        first = program.readline().decode(errors='replace').strip()
    if not re.fullmatch(r'#! *\S*/python[0-9.]*', first):
        sys.exit('%s does not begin with the path of a Python; name another '
                 'program of its environment in nova_ext_command' % words[0])
    python = first[2:].strip()
    managed = subprocess.check_output([python, '-c', MANAGED], text=True)
    apart = managed.strip() == 'True'
    print(json.dumps({
        'words': words, 'python': python,
        'bin': os.path.join(target, 'bin') if apart
        else os.path.dirname(words[0]),
        'path': target if apart else '',
    }))


def ask_systemd(unit):
    """Return the words of the unit's ExecStart, the last if it has several."""
    answer = subprocess.check_output(
        ['systemctl', 'show', '--property=ExecStart', '--value', unit],
        text=True,
    )
    starts = re.findall(r'argv\[\]=(.*?) ;', answer)
    return starts[-1].split() if starts else []


if __name__ == '__main__':
    main(*sys.argv[1:])
