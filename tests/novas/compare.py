"""Run Nova's own tests with its manager and with ours, and compare.

``python -m tests.novas.compare [REGEX]``: exit status 1 if a test ends in
another way with ours, or if nothing was recorded.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import subunit
from testtools import StreamToDict

_STESTR = (sys.executable, '-m', 'stestr', '--test-path', './tests/novas')
#: Tests wait now and then, so that two cores are not busy with two of them.
_WORKERS = os.environ.get('NOVA_EXT_TEST_WORKERS', '4')
#: After so many tests a line says how far it is.
_TOLD = 20


def main(words):
    """Run twice and compare.

    :param words: what stestr's ``run`` is to select; empty: all.
    :returns: the exit status.
    """
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, 'decisions.jsonl')
        stock = _results('Nova\'s', words, NOVA_EXT_STOCK='1')
        ours = _results(
            'Our', words, OS_NOVA_EXT_RECORD__FILE=str(record)
        )
        lines = record.read_text().splitlines() if record.exists() else []
    differing = [
        f'{name}: {stock.get(name)} with Nova\'s manager, '
        f'{ours.get(name)} with ours'
        for name in sorted(stock.keys() | ours.keys())
        if stock.get(name) != ours.get(name)
    ]
    print(f'Nova\'s: {_sum(stock)}; ours: {_sum(ours)}; '
          f'{len(lines)} decisions recorded')
    for line in differing:
        print(line)
    return int(bool(differing) or not stock or not lines)


def _results(whose, words, **environment):
    """How each test ended, by its name; says now and then how many have."""
    results = {}

    def note(test):
        results[test['id']] = test['status']
        if len(results) % _TOLD == 0:
            print(f'{whose} manager: {_sum(results)}', flush=True)

    taken = StreamToDict(note)
    taken.startTestRun()
    with subprocess.Popen(
        [*_STESTR, 'run', '--subunit', '--concurrency', _WORKERS, *words],
        stdout=subprocess.PIPE,
        env=os.environ | environment,
    ) as run:
        subunit.ByteStreamToStreamResult(run.stdout).run(taken)
    taken.stopTestRun()
    return results


def _sum(results):
    return ', '.join(
        f'{count} {status}'
        for status, count in sorted(Counter(results.values()).items())
    )


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
