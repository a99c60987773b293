"""Run all benches, or what is asked of the one of whole requests.

Without words all run, one after another. With words, ``--quick`` for instance,
``tests.bench.select`` runs alone and gets them.
"""

import subprocess
import sys

ALL = (
    'recording', 'capacity', 'second_look', 'zones', 'members', 'select',
)


def main(words):
    """Run them as processes of their own.

    :returns: the exit status: that of one that failed, or 0.
    """
    status = 0
    for name in ('select',) if words else ALL:
        command = [sys.executable, '-m', f'tests.bench.{name}', *words]
        status = subprocess.call(command) or status
    return status


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
