"""Explain many random clouds, a few in a process, and count the verdicts.

A process of many clouds grows slower with each: Nova's services leave idle
threads, which all wake once a second.
"""

import argparse
import ast
import collections
import concurrent.futures
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence

_MODULE = 'tests.functional_explain.test_generated_situations'
#: Of each mode: the test of its clouds.
_TESTS = {'scheduler': 'GeneratedTest', 'plugin': 'GeneratedStockTest'}
_IN_ONE_PROCESS = 20


def main() -> int:
    """Run what the arguments choose; return the exit status."""
    options = _parse_arguments()
    print(f'seed {options.seed}', flush=True)
    runs = _divide(options.clouds, options.seed)
    verdicts = {mode: collections.Counter[str]() for mode in _TESTS}
    failed = []
    with concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
        waiting = {pool.submit(_run, *run): run for run in runs}
        for number, done in enumerate(
            concurrent.futures.as_completed(waiting), 1
        ):
            mode, clouds, seed = waiting[done]
            found, output = done.result()
            verdicts[mode].update(found)
            if found.total() != clouds:
                failed.append(f'{mode} mode, seed {seed}:\n{output}')
            print(
                f'{number}/{len(runs)}  {mode:9}  seed {seed}  {dict(found)}',
                flush=True,
            )
    for mode, counted in verdicts.items():
        print(f'{mode} mode: {counted.total()} clouds, {dict(counted)}')
    print('\n'.join(failed) or 'Nothing was wrong.')
    return 1 if failed else 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser('tests.truth.clouds', description=__doc__)
    parser.add_argument(
        '--clouds', type=int, default=1000, help='how many, of both modes',
    )
    parser.add_argument(
        '--processes', type=int, default=2, help='how many run at once',
    )
    parser.add_argument(
        '--seed', type=int, default=random.SystemRandom().randrange(10 ** 6),
        help='repeats a run',
    )
    return parser.parse_args()


def _divide(clouds: int, seed: int) -> Sequence[tuple[str, int, str]]:
    """Return (mode, clouds, seed) of each process."""
    half = clouds // 2
    return [
        (mode, min(_IN_ONE_PROCESS, half - first), f'{seed}-{first}')
        for first in range(0, half, _IN_ONE_PROCESS)
        for mode in _TESTS
    ]


def _run(
    mode: str, clouds: int, seed: str
) -> tuple[collections.Counter[str], str]:
    """Run one process; return its verdicts, none if it failed, and output."""
    done = subprocess.run(
        [sys.executable, '-m', 'testtools.run', f'{_MODULE}.{_TESTS[mode]}'],
        env=os.environ | {
            'NOVA_EXT_TRUTH_GENERATED': str(2 * clouds),
            'NOVA_EXT_TRUTH_SEED': seed,
            'OS_STDOUT_CAPTURE': '0',
            'OS_STDERR_CAPTURE': '1',
            'OS_TEST_TIMEOUT': '900',
        },
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False,
    )
    line = re.search(r'^seed \S+: (\{.*\})$', done.stdout, re.MULTILINE)
    found = ast.literal_eval(line[1]) if line and not done.returncode else {}
    return collections.Counter(found), done.stdout


if __name__ == '__main__':
    sys.exit(main())
