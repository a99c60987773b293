"""Sum results up, as tables, and say whether the goals are met."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from tests.truth.run_mode import BROKEN, MIRROR, PLUGIN, SCHEDULER, Result
from tests.truth.verdict import RIGHT, SILENT, VAGUE, VERDICTS, WRONG

#: Nova's own words, by where they stand.
_NOVAS = {
    'fault': 'the server\'s fault', 'INFO': 'Nova\'s log at INFO',
    'DEBUG': 'Nova\'s log at DEBUG',
}
#: The least share of right explanations, by mode.
GOALS = {SCHEDULER: 0.95, MIRROR: 0.95, PLUGIN: 0.80}


def list_problems(
    results: Sequence[Result], *, whole: bool
) -> Iterator[str]:
    """Yield why a run fails, a line each.

    :param whole: it has all situations, for which the goals are.
    """
    for mode, goal in GOALS.items():
        verdicts = [r.verdict for r in results if r.mode == mode]
        if not verdicts:
            continue
        counts = Counter(verdicts)
        for verdict in (WRONG, BROKEN):
            if counts[verdict]:
                yield f'{mode} mode: {counts[verdict]} {verdict}'
        share = counts[RIGHT] / len(verdicts)
        if whole and share < goal:
            yield f'{mode} mode: {share:.0%} right, not {goal:.0%}'
        if whole and mode == PLUGIN and counts[VAGUE]:
            yield (
                f'{mode} mode: {counts[VAGUE]} vague, neither right nor silent'
            )
    mute = [r for r in results if r.verdict == SILENT and r.why]
    if mute:
        yield f'{len(mute)} silent that do not say what to do'


def format_table(results: Sequence[Result]) -> str:
    """Return how many are right, vague, wrong and silent."""
    lines = [('', *VERDICTS, BROKEN), *_list_lines(results)]
    return '\n'.join(
        f'{line[0]:36}' + ''.join(f'{cell!s:>8}' for cell in line[1:])
        for line in lines
    )


def format_page(results: Sequence[Result]) -> str:
    """Return the same as a table for the documentation."""
    lines = ['.. list-table::', '   :header-rows: 1', '']
    for line in (('', *VERDICTS, BROKEN), *_list_lines(results)):
        cells = [str(cell) for cell in line]
        lines += [
            f'   {"*" if not number else " "} - {cell}'.rstrip()
            for number, cell in enumerate(cells)
        ]
    return '\n'.join([*lines, ''])


def _list_lines(results: Sequence[Result]) -> Iterator[tuple[object, ...]]:
    """Yield the name of each line and its counts."""
    modes = list(dict.fromkeys(result.mode for result in results))
    for mode in modes:
        yield _count(f'explain, {mode} mode', [
            result.verdict for result in results if result.mode == mode
        ])
    for mode in modes:
        for where, name in _NOVAS.items():
            verdicts = [
                result.nova[where] for result in results
                if result.mode == mode and where in result.nova
            ]
            if verdicts:
                yield _count(f'{name}, {mode} mode', verdicts)


def _count(name: str, verdicts: Collection[str]) -> tuple[object, ...]:
    counts = Counter(verdicts)
    return name, *(counts[verdict] for verdict in (*VERDICTS, BROKEN))
