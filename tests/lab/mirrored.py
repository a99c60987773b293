"""Run tests on labs whose schedulers decide from a mirror.

``python -m tests.lab.mirrored [REGEX]`` in the environment of ``tox -e
lab-tests``. It prints the share of requests that the mirror decided, and why
it did not decide the others. The exit status is 1 if a test fails, if it
decided fewer than 60 % of boots, or for a fallback that is not expected.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.novas import mirror_share

#: The tests of the usual life of a cloud, and Tempest's.
USUAL = (
    r'test_tempest_servers|test_tempest_plugin'
    r'|test_cloud.CloudTest.test_(40|the_command|why)'
    r'|rabbit[.]RabbitTest.test_(40|hint|killed_scheduler)'
)
SETTINGS = ('nova_ext.mirror=on', 'nova_ext.mirror_refresh_s=1')
#: Some schedulers are killed, restarted or Nova's own.
EXPECTED = mirror_share.EXPECTED | {
    'no word of the mirror', 'not_loaded', 'too_old',
}


def main(words):
    """Run the tests, and count.

    :param words: what stestr's ``run`` is to select; empty: the usual ones.
    :returns: the exit status.
    """
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder, 'decisions.jsonl')
        status = subprocess.run(
            [sys.executable, '-m', 'stestr', '--test-path', './tests/lab',
             'run', *(words or [USUAL])], check=False,
            env=os.environ | {
                'NOVA_EXT_LAB_SET': ' '.join(SETTINGS),
                'NOVA_EXT_LAB_RECORDS': str(records),
            },
        ).returncode
        lines = records.read_text().splitlines() if records.exists() else []
    problem = mirror_share.report(lines, EXPECTED)
    if problem:
        print(f'The mirror: {problem}')
    return int(bool(status) or bool(problem))


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
