"""Print what was measured, as ratios, and keep it as JSON."""

import csv
import json
import os
import platform
import statistics
from dataclasses import asdict, replace
from importlib import metadata
from pathlib import Path

import psutil

from tests.bench.select.points import BASE, Point

#: The goals: the work, how it is found among the points, and the least ratio
#: to stock.
GOALS = (
    ('1 server, 10k hosts, limit 1000', {}, 150),
    ('1 server, 10k hosts, no limit', {'limit': 0}, 500),
    ('1 server, 1k hosts', {'hosts': 1000}, 50),
    ('100 servers in one request, 10k hosts', {'servers': 100}, 20),
)
#: A whole select takes at most so many times the bare claim.
MOST_TIMES = 1.5
#: Clients at once reach at least so much of the bare claims' rate.
LEAST_SHARE = 0.9
#: The decision alone, at 10,000 hosts, against stock's.
DECISION_TIMES = 1000


def describe_machine(database):
    """Return what the figures depend on."""
    return {
        'processor': _find_processor(), 'cores': os.cpu_count(),
        'memory_gb': round(psutil.virtual_memory().total / 2 ** 30),
        'load': os.getloadavg(), 'python': platform.python_version(),
        'database': database,
        **{
            name: metadata.version(name) for name in (
                'nova', 'openstack-placement', 'SQLAlchemy', 'numpy',
            )
        },
    }


def _find_processor():
    """Return the processor's name, as Linux has it."""
    for line in Path('/proc/cpuinfo').read_text('utf-8').splitlines():
        if line.startswith('model name'):
            return line.partition(':')[2].strip()
    return platform.machine()


def describe_result(result):
    """Return a contender's figures at a point, as plain data."""
    ordered = sorted(result.seconds)
    return {
        'requests': len(ordered),
        'median_ms': 1000 * statistics.median(ordered),
        'least_ms': 1000 * ordered[0], 'most_ms': 1000 * ordered[-1],
        'p99_ms': 1000 * _find_p99(ordered),
        'a_second': statistics.median(result.rounds),
        'cpu_ms': result.describe_cpu_ms(),
        'stages_ms': {
            name: 1000 * statistics.median(seconds)
            for name, seconds in result.stages.items()
        },
        'stages_p99_ms': {
            name: 1000 * _find_p99(sorted(seconds))
            for name, seconds in result.stages.items()
        },
        'conflicts': result.conflicts, 'no_valid_host': result.failures,
    }


def _find_p99(ordered):
    return ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]


def print_header(rounds):
    """Print the head of the table."""
    print(
        f'\nMedians of {rounds} rounds, milliseconds, and how many times as '
        'long stock and tuned\nstock take as the mirror. "processor" compares '
        'the processor\'s time of all processes,\nwhich other work on the '
        'machine changes less.\n'
    )
    print(
        f'{"":34}{"stock":>9}{"tuned":>9}{"mirror":>8}{"PUT":>8}'
        f'{"stock":>8}{"tuned":>8}{"processor: stock":>18}{"tuned":>8}'
        f'{"to PUT":>8}'
    )


def print_point(name, figures):
    """Print a line.

    :param figures: of each contender, by name.
    """
    def take(who):
        return figures.get(who, {}).get('median_ms', float('nan'))

    mirror_ms = sum_cpu(figures, 'mirror')
    print(
        f'{name:34}{take("stock"):9.0f}{take("tuned"):9.0f}'
        f'{take("mirror"):8.1f}{take("PUT"):8.1f}'
        f'{_divide(take("stock"), take("mirror")):>8}'
        f'{_divide(take("tuned"), take("mirror")):>8}'
        f'{_divide(sum_cpu(figures, "stock"), mirror_ms):>18}'
        f'{_divide(sum_cpu(figures, "tuned"), mirror_ms):>8}'
        f'{_divide(take("mirror"), take("PUT")):>8}', flush=True,
    )
    for who in ('stock', 'tuned', 'mirror'):
        if figures.get(who, {}).get('conflicts'):
            print(f'    409s of {who}: {figures[who]["conflicts"]}')
    mirror = figures.get('mirror', {})
    if mirror.get('fallbacks'):
        print(f'    left to Nova: {mirror["fallbacks"]}')
    if 'a_second' in mirror and figures.get('clients', 1) > 1:
        print('    requests a second: ' + ', '.join(
            f'{who} {figures[who]["a_second"]:.1f}'
            for who in ('stock', 'tuned', 'mirror', 'PUT', 'claim')
        ))


def sum_cpu(figures, who):
    """Return a contender's milliseconds of the processor a request."""
    return sum(figures.get(who, {}).get('cpu_ms', {}).values())


def print_goals(points, decisions):
    """Print each goal, what was reached, and whether it is the goal.

    :param points: the figures with their ``point``, as data.
    :param decisions: ratio of the decision alone, by hosts.
    """
    base = asdict(BASE)
    print('\nGoals, which are reported and not asserted\n')
    for work, factors, least in GOALS:
        found = _find(points, base | factors)
        if found:
            times = found['stock']['median_ms'] / found['mirror']['median_ms']
            tuned = found['tuned']['median_ms'] / found['mirror']['median_ms']
            _print_goal(
                work, f'≥ {least}×',  # noqa: RUF001
                f'{times:.0f}×, to tuned {tuned:.0f}×',  # noqa: RUF001
                times >= least,
            )
    many = _find(points, base | {'servers': 100})
    if many:
        _print_times('100 servers, to one bare POST', many, 'POST')
    one = _find(points, base)
    if one:
        _print_times('whole select, one server, to a bare PUT', one, 'PUT')
    if 10_000 in decisions:
        times = decisions[10_000]['times']
        _print_goal(
            'decision alone, 10k hosts', f'≥ {DECISION_TIMES}×',  # noqa: RUF001
            f'{times:.0f}×', times >= DECISION_TIMES,  # noqa: RUF001
        )
    for found in points:
        if found['point']['clients'] == 16:
            share = found['mirror']['a_second'] / found['PUT']['a_second']
            _print_goal(
                f'16 clients at once, {_describe(found)}, of bare PUTs',
                f'≥ {LEAST_SHARE:.0%}', f'{share:.0%}',
                share >= LEAST_SHARE,
            )


def _describe(found):
    hosts, workers = (found['point'][key] for key in ('hosts', 'workers'))
    return f'{hosts} hosts, {workers} worker{"s" if workers > 1 else ""}'


def _print_times(work, found, bare):
    times = found['mirror']['median_ms'] / found[bare]['median_ms']
    _print_goal(
        work, f'≤ {MOST_TIMES}×', f'{times:.1f}×',  # noqa: RUF001
        times <= MOST_TIMES,
    )


def _print_goal(work, goal, reached, is_met):
    print(f'{work:56}{goal:>9}  {reached:26}{"" if is_met else "missed"}')


def _find(points, factors):
    return next(
        (each for each in points if each['point'] == factors), None
    )


class ResumeError(Exception):
    """Say why a run can't go on where another one ended."""


def resume(folder, data):
    """Add what an earlier run saved, so that the rest is measured.

    :param data: of a run that has measured nothing yet.
    :raises ResumeError: where nothing was saved, or under other conditions.
    """
    path = folder / 'results.json'
    try:
        saved = json.loads(path.read_text())
        conditions = saved['machine'] | {'rounds': saved['rounds']}
        for name in ('points', 'loads', 'errors'):
            data[name].extend(saved[name])
        data['seconds'] = saved['seconds']
        data['decisions'] = {
            int(hosts): found for hosts, found in saved['decisions'].items()
        }
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ResumeError(
            f'{path}: not what a bench saved ({error}): run without --resume'
        ) from None
    for name, now in (data['machine'] | {'rounds': data['rounds']}).items():
        if name != 'load' and conditions.get(name) != now:
            raise ResumeError(
                f'{path}: measured with {name} {conditions.get(name)}, not '
                f'{now}: run without --resume'
            )


def save(folder, data):
    """Write all as JSON, and the points as a table."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'results.json').write_text(
        json.dumps(data, indent=1, sort_keys=True) + '\n'
    )
    write_points(folder, data['points'])


def write_points(folder, points):
    """Write points as CSV, as the documentation has them."""
    with (folder / 'points.csv').open('w', newline='') as file:
        table = csv.writer(file, lineterminator='\n')
        table.writerow((
            'Hosts', 'What else', 'stock', 'tuned', 'mirror', 'least to most',
            'PUT', 'POST', 'stock to mirror', 'tuned to mirror',
            'mirror to PUT',
        ))
        for each in points:
            stock, tuned, mirror, put, post = (
                each[who]['median_ms'] if who in each else None
                for who in ('stock', 'tuned', 'mirror', 'PUT', 'POST')
            )
            point = Point(**each['point'])
            table.writerow((
                f'{point.hosts:,}',
                point.describe(replace(BASE, hosts=point.hosts)),
                f'{stock:.0f}', f'{tuned:.0f}', f'{mirror:.1f}',
                '{least_ms:.1f} to {most_ms:.1f}'.format(**each['mirror']),
                f'{put:.1f}', f'{post:.1f}' if post else '',
                _divide(stock, mirror), _divide(tuned, mirror),
                _divide(mirror, put),
            ))


def _divide(one, other):
    return f'{one / other:.1f}×' if other else '-'  # noqa: RUF001
