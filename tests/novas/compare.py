"""Run Nova's own tests with our manager, and what fails with Nova's, too.

``python -m tests.novas.compare [--mirror] [--half] [REGEX]``: exit status 1 if
a test succeeds with Nova's manager alone, or if nothing was recorded. Where a
few fail, each is run again with either manager, alone, and has to succeed with
both: some of Nova's tests fail now and then, on a busy machine. ``--half``
takes every second test, and on the next day the others. ``--mirror`` has our
manager decide from a mirror that is refreshed before each request; where that
decides too few boots, or falls back for a reason that is not expected, the
exit status is 1, too.
"""

import datetime
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import subunit
from testtools import StreamToDict

from tests.novas import mirror_share

_STESTR = (sys.executable, '-m', 'stestr', '--test-path', './tests/novas')
_NOVAS, _OURS = 'Nova\'s', 'Our'
#: Tests wait now and then, so that two cores are not busy with two of them;
#: of four, more of Nova's fail now and then.
_WORKERS = os.environ.get('NOVA_EXT_TEST_WORKERS', '3')
#: After so many tests a line says how far it is.
_TOLD = 20
#: So many are run again at most.
_FEW = 5
#: Seconds of one test. Nova's fixture of cells locks up for ever now and then,
#: where one thread writes and another turns to a cell.
_TEST_TIMEOUT_S = 300
#: The last letters that are printed of each thing that a failed test tells.
_LETTERS = 4000


def main(words):
    """Run with our manager, then what failed with Nova's, and compare.

    :param words: what stestr's ``run`` is to select; empty: all.
    :returns: the exit status.
    """
    mirrored = words[:1] == ['--mirror']
    words = words[mirrored:]
    if words[:1] == ['--half']:
        words = [_regex(_halve(words[1:])), *words[1:]]
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, 'decisions.jsonl')

        def ours_of(workers, *select):
            return _results(
                _OURS, workers, select, OS_NOVA_EXT_RECORD__FILE=str(record),
                **({'NOVA_EXT_MIRROR': '1'} if mirrored else {}),
            )

        def novas_of(workers, *select):
            return _results(_NOVAS, workers, select, NOVA_EXT_STOCK='1')

        ours = ours_of(_WORKERS, *words)
        lines = record.read_text().splitlines() if record.exists() else []
        failed = sorted(name for name in ours if ours[name] == 'fail')
        stock = novas_of(_WORKERS, _regex(failed)) if failed else {}
        differing = [
            name for name in failed if stock.get(name) != ours[name]
        ]
        succeed = [
            name for name in differing if len(differing) <= _FEW
            and ours_of('1', _regex([name])) == {name: 'success'}
            and novas_of('1', _regex([name])) == {name: 'success'}
        ]
    print(f'Ours: {_sum(ours)}; Nova\'s, of what failed: {_sum(stock)}; '
          f'{len(lines)} decisions recorded')
    for name in failed:
        print(f'{name}: fail with our manager, {stock.get(name)} with Nova\'s'
              + ', success alone with both' * (name in succeed))
    problem = mirror_share.report(lines) if mirrored else ''
    if problem:
        print(f'The mirror: {problem}')
    return int(succeed != differing or not ours or not lines or bool(problem))


def _halve(words):
    """Return the names of every second test that stestr selects, by day."""
    names = subprocess.run(
        [*_STESTR, 'list', *words], check=True, text=True,
        stdout=subprocess.PIPE,
    ).stdout.split()
    return sorted(names)[datetime.date.today().toordinal() % 2::2]


def _regex(names):
    return f'^({"|".join(map(re.escape, names))})$'


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
        env=os.environ | {
            'OS_TEST_TIMEOUT': str(_TEST_TIMEOUT_S), **environment,
        },
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
