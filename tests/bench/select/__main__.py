"""Measure how long stock Nova and the mirror take to choose hosts."""

import argparse
import contextlib
import itertools
import os
import signal
import sys
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

from tests.bench import decision
from tests.bench.select import (
    cloud,
    measure,
    placement_client,
    plots,
    points,
    report,
    schedulers,
    services,
    specs,
    workers,
)

ROUNDS = 7
#: Hosts, and rounds, of the decision alone.
DECISIONS = {100: 7, 1000: 7, 10_000: 7, 100_000: 3}


def parse(words):
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(
        prog='tox -e bench --', description=__doc__
    )
    parser.add_argument(
        '--quick', action='store_true',
        help='some points of up to 1,000 hosts, two minutes on free cores',
    )
    parser.add_argument(
        '--full', nargs='+', metavar='KEY=VALUE[,VALUE...]', default=(),
        help='all combinations of these values in place of the usual points',
    )
    parser.add_argument('--rounds', type=int, default=ROUNDS)
    parser.add_argument(
        '--output', type=Path, default=Path('build/bench'),
        help='folder for results.json and plots; default: %(default)s',
    )
    parser.add_argument(
        '--resume', action='store_true',
        help='measure what an earlier run into the same folder left out',
    )
    parser.add_argument(
        '--minutes', type=float, default=90,
        help='no point is begun later than that, and those of fewer hosts '
        'earlier; default: %(default)s',
    )
    asked = parser.parse_args(words)
    try:
        asked.points = (
            points.list_crossing(asked.full) if asked.full
            else points.list_quick() if asked.quick
            else points.list_default()
        )
    except ValueError as error:
        parser.error(str(error))
    return asked


class Run:
    """Run points one after another, on one cloud that grows.

    :param stack: ends what is started.
    """

    def __init__(self, stack, folder):
        self._stack = stack
        self._database = services.start_database(stack, folder)
        placement = services.Placement(
            folder, self._database.get_url('placement')
        )
        schedulers.configure(folder, self._database.get_url, placement.url)
        self._folder, self._url = folder, placement.url
        self._cloud = cloud.Cloud(self._database.get_url)
        stack.callback(self._cloud.close)
        self._cloud.migrate()
        stack.callback(placement.stop)
        placement.start()
        self._cloud.prepare_placement()
        self._client = placement_client.Client(placement.url)
        self._bench = measure.Bench(self._cloud, {
            'scheduler': time.process_time,
            'placement': placement.measure_cpu_s,
            'database': self._database.measure_cpu_s,
        })
        self._schedulers = []
        #: Whether these schedulers have measured no point yet.
        self._is_new = True
        self.loads = []

    @property
    def errors(self):
        """Return what is wrong in what was measured."""
        return self._bench.errors

    def describe_database(self):
        """Return the database's name and version."""
        return services.describe_database(self._database)

    def prepare(self, hosts, filters, processes):
        """Have so many hosts, and schedulers with such filters.

        :param processes: in so many processes; 1: in this one.
        """
        self.stop()
        # Their memory is not counted again.
        self._schedulers, self._is_new = [], True
        self._cloud.grow(hosts)
        enabled = [*_DEFAULT_FILTERS, *points.FILTERS[filters]]
        if processes > 1:
            self._schedulers = workers.start(
                processes, self._folder, self._url, self._cloud.hosts, enabled
            )
            return
        schedulers.override({
            ('filter_scheduler', 'enabled_filters'): enabled,
        })
        before, began = measure.measure_rss_mb(), time.monotonic()
        self._schedulers = schedulers.make_all(self._url, self._cloud.hosts)
        self.loads.append({
            'hosts': hosts, 'seconds': time.monotonic() - began,
            'memory_mb': measure.measure_rss_mb() - before,
        })

    def stop(self):
        """End the reading of the mirror that there is, and workers."""
        for each in self._schedulers:
            each.stop()

    def measure(self, point, rounds):
        """Measure a point.

        :returns: figures of each contender, by name, as plain data.
        """
        options = {
            ('scheduler', 'max_placement_results'): point.limit or 10 ** 6,
            ('filter_scheduler', 'host_subset_size'): point.subset,
        }
        schedulers.override(options)
        mirror = self._schedulers[-1]
        mirror.configure(options)
        ways = ('PUT', 'claim', *(('POST',) if point.servers > 1 else ()))
        before = mirror.describe_mirror()
        found = self._bench.run(point, [
            *self._schedulers,
            *(schedulers.Bare(way, self._client, specs.AMOUNTS)
              for way in ways),
        ], rounds, self._is_new)
        self._is_new = False
        after = mirror.describe_mirror()
        figures = {
            name: report.describe_result(each) for name, each in found.items()
        }
        figures['mirror'] |= {
            'fallbacks': {
                reason: count - before['fallbacks'].get(reason, 0)
                for reason, count in after['fallbacks'].items()
                if count > before['fallbacks'].get(reason, 0)
            },
            'age_s': after['age_s'],
            'decided': after['decided'] - before['decided'],
        }
        for name, each in found.items():
            if each.failures:
                self.errors.append(
                    f'{name}: {each.failures} times no valid host at '
                    f'{point.describe()}'
                )
        return figures


def main(words):
    """Measure, print and save.

    :returns: the exit status: 1 where something was wrong, not slow.
    """
    asked = parse(words)
    # What was started is ended then, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit('ended'))
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(prefix='nova-ext-bench-')
        )
        run = Run(stack, folder)
        stack.callback(run.stop)
        machine = report.describe_machine(run.describe_database())
        print(machine)
        data = {
            'machine': machine, 'rounds': asked.rounds, 'points': [],
            'left_out': [], 'loads': run.loads, 'errors': run.errors,
            'decisions': {}, 'seconds': 0.0,
        }
        if asked.resume:
            try:
                report.resume(asked.output, data)
            except report.ResumeError as error:
                print(error, file=sys.stderr)
                return 2
        print(f'Set up in {time.monotonic() - began:.0f} s.')
        report.print_header(asked.rounds)
        _measure_points(run, asked, data, began)
    if not (asked.full or data['decisions']):
        data['decisions'] = _measure_decisions(asked.quick)
        data['errors'] += [
            f'other decisions, or too few, at {hosts} hosts'
            for hosts, figures in data['decisions'].items()
            if not figures['agree']
        ]
        report.save(asked.output, data)
    report.print_goals(data['points'], data['decisions'])
    plots.draw(data, asked.output)
    errors = data['errors']
    for error in (
        *errors, *(f'not measured: {each}' for each in data['left_out']),
    ):
        print(error)
    if data['left_out']:
        print('The same with --resume measures what was not measured.')
    if not errors:
        print(
            'Stock and mirror chose the same where they saw the same hosts. '
            'No provider is over\ncapacity, each claim is as chosen, and none '
            'ended in a false "no valid host".'
        )
    print(f'{time.monotonic() - began:.0f} s: {asked.output}/results.json')
    return int(bool(errors))


def _measure_points(run, asked, data, began):
    """Measure all points that were not measured, while there is time.

    :param data: takes the figures, and is saved after each point.
    :param began: when the bench did, by the monotonic clock.
    """
    before_s = data['seconds']
    measured = {points.Point(**each['point']) for each in data['points']}
    left = [point for point in asked.points if point not in measured]
    for group, some in itertools.groupby(
        left, lambda point: (point.hosts, point.filters, point.workers),
    ):
        is_prepared = False
        for point in some:
            if time.monotonic() - began > (
                60 * asked.minutes * points.get_share(point, left)
            ):
                data['left_out'].append(point.describe())
                continue
            if not is_prepared:
                run.prepare(*group)
                is_prepared = True
            figures = run.measure(point, asked.rounds)
            data['points'].append({
                'point': asdict(point), 'load': os.getloadavg()[0], **figures,
            })
            data['points'].sort(key=lambda each: points.get_order(
                points.Point(**each['point'])
            ))
            report.print_point(_name(point), figures | {
                'clients': point.clients,
            })
            data |= {
                'memory_mb': measure.measure_rss_mb(),
                'seconds': before_s + time.monotonic() - began,
            }
            # What was measured is kept when the run is ended.
            report.save(asked.output, data)


def _measure_decisions(quick):
    print('\nThe decision alone, of one server, without reading or claiming\n')
    schedulers.override({
        ('filter_scheduler', 'enabled_filters'): list(_DEFAULT_FILTERS),
        ('filter_scheduler', 'host_subset_size'): 1,
    })
    found = {}
    for hosts, rounds in DECISIONS.items():
        if not quick or hosts <= 1000:
            found[hosts] = decision.measure(hosts, rounds)
            print(decision.describe(hosts, found[hosts]), flush=True)
    return found


def _name(point):
    return f'{point.hosts} hosts ' + point.describe(
        replace(points.BASE, hosts=point.hosts)
    )


_DEFAULT_FILTERS = (
    'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
