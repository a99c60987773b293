"""Decide each trace under each configuration, and print tables.

The tables are written to build/bench/traces.csv, too. Then it says how fast
requests are decided, by the engine and by Nova's code. With ``--quick`` forty
hosts are taken, and as many requests as belong to them.
"""

import csv
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.traces import tables

#: Options of [filter_scheduler], by the configuration's name.
CONFIGURATIONS = {
    'spread': {},
    'pack': {'cpu_weight_multiplier': -1.0, 'ram_weight_multiplier': -1.0},
    'by CPU': {'ram_weight_multiplier': 0.0},
    'by RAM': {'cpu_weight_multiplier': 0.0},
    'balance': {
        'cpu_weight_multiplier': 0.0, 'ram_weight_multiplier': 0.0,
        'weight_classes': (
            'nova.scheduler.weights.all_weighers\n'
            'weight_classes = balance_weigher.BalanceWeigher'
        ),
    },
}
FILTERS = (
    'ComputeFilter', 'AggregateInstanceExtraSpecsFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
)
#: Has Nova's code decide.
BY_NOVA = {
    'available_filters': (
        'nova.scheduler.filters.all_filters\n'
        'available_filters = candidate_filter.CandidateFilter'
    ),
}
#: What makes the tables, and filters beside the usual ones.
TRACES = {
    'NUMA': (tables.make_numa, ()),
    'NUMA nodes': (tables.make_numa_nodes, ('NUMATopologyFilter',)),
    'GPU': (tables.make_gpu, ()),
}
QUICK_HOSTS = 40
#: Requests that show how fast Nova's code decides.
SAMPLE = 100
OUTPUT = Path('build/bench/traces.csv')


def run(folder, *words):
    """Run nova-ext; return its output and its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [Path(sys.executable).with_name('nova-ext'), *words], check=True,
        stdout=subprocess.PIPE, cwd=folder, text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, (
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    )


def import_tables(folder, hosts, requests):
    """Make the journal of hosts and requests."""
    tables.write(folder / 'hosts.csv', hosts)
    tables.write(folder / 'requests.csv', requests)
    run(folder, 'journal', 'import', 'hosts.csv', 'requests.csv', '-o',
        'day.journal')


def decide(folder, options, filters):
    """Decide the day.

    :returns: what came of it, as plain data, and the processor time.
    """
    lines = [f'{option} = {value}' for option, value in options.items()]
    (folder / 'nova.conf').write_text('\n'.join([
        '[filter_scheduler]', f'enabled_filters = {",".join(filters)}',
        *lines, '',
    ]))
    output, seconds = run(
        folder, 'replay', 'day.journal', '--rolling', '--config-file',
        'nova.conf', '--plugins', str(tables.FOLDER / 'plugins'), '-f', 'json',
    )
    (day,) = json.loads(output)['configurations']
    return day, seconds


def describe(day):
    """Return figures of a day, by the column of a table."""
    cloud = day['cloud']
    return {
        'placed': day['placed'], 'refused': day['refused'],
        'placed before the first refusal': sum(1 for _ in itertools.takewhile(
            lambda each: each['outcome'] == 'placed', day['decisions']
        )),
        'empty hosts': cloud['empty_hosts'],
        **{
            f'stranded {name}': (
                f'{amount // unit:,} of {cloud["free"][resource] // unit:,}'
            )
            for name, resource, unit in (
                ('processors', 'VCPU', 1), ('GiB', 'MEMORY_MB', 1024),
                ('GPUs', tables.GPU.partition(':')[2], 1),
            ) if (amount := cloud['stranded'].get(resource)) is not None
        },
    }


def measure(folder, name, most_hosts, rows):
    """Print the table of a trace.

    :param rows: takes it.
    """
    make, filters = TRACES[name]
    hosts, requests = make(most_hosts)
    import_tables(folder, hosts, requests)
    print(f'\n{name}: {len(hosts):,} hosts, {len(requests):,} requests',
          flush=True)
    for configuration, options in CONFIGURATIONS.items():
        day, seconds = decide(folder, options, (*FILTERS, *filters))
        figures = describe(day)
        rows.append({
            'trace': name, 'configuration': configuration, **figures,
        })
        print(
            f'{configuration:8}', *(
                f'{key} {value:,};' if isinstance(value, int)
                else f'{key} {value};' for key, value in figures.items()
            ), f'{sum(day["by_nova"].values()):,} decided by Nova, '
               f'{day["drawn"]:,} drawn; {seconds:.0f} s of processor',
            flush=True,
        )


def measure_pace(folder, most_hosts):
    """Print how fast requests are decided."""
    hosts, requests = tables.make_pace(most_hosts)
    for title, some, options, filters in (
        ('engine', requests, {}, FILTERS),
        ('Nova\'s code', requests[:SAMPLE], BY_NOVA,
         (*FILTERS, 'CandidateFilter')),
    ):
        import_tables(folder, hosts, some)
        began = time.monotonic()
        day, seconds = decide(folder, options, filters)
        by_nova = sum(day['by_nova'].values())
        print(
            f'{title}: {len(some):,} requests at {len(hosts):,} hosts, '
            f'{by_nova:,} decided by Nova\'s code: '
            f'{time.monotonic() - began:.0f} s, {seconds:.0f} s of processor, '
            f'the start included', flush=True,
        )


def main(words):
    """Run."""
    most_hosts = QUICK_HOSTS if '--quick' in words else None
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in TRACES:
            measure(Path(folder), name, most_hosts, rows)
        print()
        measure_pace(Path(folder), most_hosts)
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    with OUTPUT.open('w', encoding='utf-8', newline='') as file:
        columns = list(dict.fromkeys(key for row in rows for key in row))
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


if __name__ == '__main__':
    main(sys.argv[1:])
