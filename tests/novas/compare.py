"""Run Nova's own tests with its manager and with ours, and compare.

``python -m tests.novas.compare [REGEX]``: exit status 1 if a test ends in
another way with ours, or if nothing was recorded. Where a few fail with one of
them, each is run again with either, alone, and has to succeed with both: some
of Nova's tests fail now and then, on a busy machine.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import subunit
from testtools import StreamToDict

_STESTR = (sys.executable, '-m', 'stestr', '--test-path', './tests/novas')
_NOVAS, _OURS = 'Nova\'s', 'Our'
#: Tests wait now and then, so that two cores are not busy with two of them;
#: of four, more of Nova's fail now and then.
_WORKERS = os.environ.get('NOVA_EXT_TEST_WORKERS', '3')
#: After so many tests a line says how far it is.
_TOLD = 20
#: So many are run again at most.
_FEW = 5
#: The last letters that are printed of each thing that a failed test tells.
_LETTERS = 4000


def main(words):
    """Run twice and compare.

    :param words: what stestr's ``run`` is to select; empty: all.
    :returns: the exit status.
    """
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, 'decisions.jsonl')

        def both(workers, *select):
            return (
                _results(_NOVAS, workers, select, NOVA_EXT_STOCK='1'),
                _results(
                    _OURS, workers, select,
                    OS_NOVA_EXT_RECORD__FILE=str(record),
                ),
            )

        stock, ours = both(_WORKERS, *words)
        lines = record.read_text().splitlines() if record.exists() else []
        differing = [
            name for name in sorted(stock.keys() | ours.keys())
            if stock.get(name) != ours.get(name)
        ]
        again = [
            name for name in differing
            if {stock.get(name), ours.get(name)} == {'success', 'fail'}
        ]
        succeed = [
            name for name in again if len(again) <= _FEW
            if both('1', f'^{re.escape(name)}$') == (_succeeds(name),) * 2
        ]
    print(f'Nova\'s: {_sum(stock)}; ours: {_sum(ours)}; '
          f'{len(lines)} decisions recorded')
    for name in differing:
        print(f'{name}: {stock.get(name)} with Nova\'s manager, '
              f'{ours.get(name)} with ours'
              + ', success alone with both' * (name in succeed))
    return int(succeed != differing or not stock or not lines)


def _succeeds(name):
    return {name: 'success'}


def _results(whose, workers, words, **environment):
    """How each test ended, by its name; says now and then how many have.

    What a failed one says is printed.

    :param whose: Nova's manager or ours.
    :param workers: how many processes run them.
    :param words: what stestr's ``run`` is to select; empty: all.
    """
    results = {}

    def note(test):
        results[test['id']] = test['status']
        if test['status'] == 'fail':
            print(f'{whose} manager: {test["id"]} fails', flush=True)
            for detail in test['details'].values():
                print(detail.as_text()[-_LETTERS:], flush=True)
        if len(results) % _TOLD == 0:
            print(f'{whose} manager: {_sum(results)}', flush=True)

    taken = StreamToDict(note)
    taken.startTestRun()
    with subprocess.Popen(
        [*_STESTR, 'run', '--subunit', '--concurrency', workers, *words],
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
