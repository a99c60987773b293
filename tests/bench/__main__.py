"""Run all benches, or what is asked of the one of whole requests.

Without words all run, one after another. With ``--quick`` those run that have
a smaller form. Other words are for ``tests.bench.select``, which runs alone.
"""

import subprocess
import sys

ALL = (
    'recording', 'journal', 'capacity', 'second_look', 'zones', 'members',
    'survive', 'racks', 'traces', 'select',
)

#: Those that have a smaller form.
QUICK = ('journal', 'survive', 'racks', 'traces', 'select')


def main(words):
    """Run them as processes of their own.

    :returns: the exit status: that of one that failed, or 0.
    """
    status = 0
    some = QUICK if words == ['--quick'] else ('select',)
    for name in some if words else ALL:
        command = [sys.executable, '-m', f'tests.bench.{name}', *words]
        status = subprocess.call(command) or status
    return status


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
