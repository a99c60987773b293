"""Make situations in labs, judge what explain says, and print a table."""

import argparse
import concurrent.futures
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

from tests.truth import run_mode, situations, table
from tests.truth.model import Situation
from tests.truth.run_mode import MODES, Result
from tests.truth.verdict import RIGHT, SILENT


def main() -> int:
    """Run what the arguments choose; return the exit status."""
    options = _parse_arguments()
    chosen = _choose(options.names, tenth=options.tenth)
    if options.list:
        print('\n'.join(f'{s.configuration:10} {s.name}' for s in chosen))
        return 0
    if options.results:
        _run_here(chosen, options.mode, Path(options.results))
        return 0
    modes = [options.mode] if options.mode else MODES
    results = _run_in_processes(modes, options.labs)
    print(f'\n{table.format_table(results)}\n')
    if options.keep:
        _write(results, Path(options.keep))
    if options.page:
        Path(options.page).write_text(table.format_page(results), 'utf-8')
    whole = not (options.names or options.tenth)
    problems = list(table.list_problems(results, whole=whole))
    expected = len(chosen) * len(modes)
    if len(results) != expected:
        problems.append(f'{len(results)} of {expected} were made')
    print('\n'.join(problems) or 'All goals are met.')
    return 1 if problems else 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser('tests.truth', description=__doc__)
    parser.add_argument(
        'names', nargs='*', help='regular expressions of names',
    )
    parser.add_argument('--tenth', action='store_true', help='a fixed tenth')
    parser.add_argument('--mode', choices=MODES, help='one mode only')
    parser.add_argument(
        '--labs', type=int, default=2, help='how many run at once',
    )
    parser.add_argument('--list', action='store_true', help='list the names')
    parser.add_argument('--keep', metavar='FILE', help='write results there')
    parser.add_argument(
        '--page', metavar='FILE', help='write the table as reStructuredText',
    )
    parser.add_argument('--results', help=argparse.SUPPRESS)
    return parser.parse_args()


def _choose(names: Collection[str], *, tenth: bool) -> Sequence[Situation]:
    chosen = situations.load()
    if tenth:
        chosen = [
            *[s for s in chosen if s.configuration == 'usual'][::12],
            *[s for s in chosen if s.configuration == 'foreign'][::8],
        ]
    if names:
        chosen = [
            s for s in chosen if any(re.search(name, s.name) for name in names)
        ]
    return chosen


def _run_in_processes(modes: Collection[str], labs: int) -> list[Result]:
    """Run each mode in a process of its own, as its lab needs variables."""
    with (
        tempfile.TemporaryDirectory(prefix='nova-ext-truth-') as folder,
        concurrent.futures.ThreadPoolExecutor(labs) as pool,
    ):
        files = {mode: Path(folder) / mode for mode in modes}
        list(pool.map(lambda mode: subprocess.run([
            sys.executable, '-m', 'tests.truth', *sys.argv[1:],
            '--mode', mode, '--results', str(files[mode]),
        ], check=False), modes))
        return [
            Result(**result) for file in files.values() if file.exists()
            for result in json.loads(file.read_text('utf-8'))
        ]


def _run_here(
    chosen: Collection[Situation], mode: str, file: Path
) -> None:
    """Make situations in this process, and write what became of them."""
    results: list[Result] = []
    try:
        for result in run_mode.run(chosen, mode):
            results.append(result)
            _print_result(result)
    finally:
        _write(results, file)


def _write(results: Collection[Result], file: Path) -> None:
    file.write_text(
        json.dumps([vars(result) for result in results], indent=1), 'utf-8'
    )


def _print_result(result: Result) -> None:
    line = (
        f'{result.mode:9} {result.verdict:7} {result.seconds:5.1f} s  '
        f'{result.name}'
    )
    if result.verdict not in (RIGHT, SILENT) or result.why:
        line += f'\n    {result.why}\n    {result.sentence}'
    print(line, flush=True)


if __name__ == '__main__':
    sys.exit(main())
