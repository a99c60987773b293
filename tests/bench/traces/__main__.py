"""Decide each trace under each configuration, and print tables.

With ``--quick`` forty hosts are taken, and as many requests as belong to them.
"""

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.traces import tables

TRACES = {'NUMA': tables.make_numa, 'GPU': tables.make_gpu}
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
QUICK_HOSTS = 40


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


def measure(folder, name, most_hosts):
    """Print the table of a trace."""
    hosts, requests = TRACES[name](most_hosts)
    tables.write(folder / 'hosts.csv', hosts)
    tables.write(folder / 'requests.csv', requests)
    run(folder, 'journal', 'import', 'hosts.csv', 'requests.csv', '-o',
        'day.journal')
    print(f'\n{name}: {len(hosts)} hosts, {len(requests)} requests')
    for configuration, options in CONFIGURATIONS.items():
        lines = [f'{option} = {value}' for option, value in options.items()]
        (folder / 'nova.conf').write_text('\n'.join([
            '[filter_scheduler]', f'enabled_filters = {",".join(FILTERS)}',
            *lines, '',
        ]))
        output, seconds = run(
            folder, 'replay', 'day.journal', '--rolling', '--config-file',
            'nova.conf', '--plugins', str(tables.FOLDER / 'plugins'), '-f',
            'json',
        )
        (day,) = json.loads(output)['configurations']
        cloud = day['cloud']
        stranded = ', '.join(
            f'{amount:,} of {cloud["free"][resource_class]:,} '
            f'{resource_class}'
            for resource_class, amount in cloud['stranded'].items()
            if cloud['free'][resource_class]
        )
        print(
            f'{configuration:8} {day["placed"]:6,} placed '
            f'{day["refused"]:6,} refused {cloud["empty_hosts"]:5,} empty '
            f'hosts; stranded {stranded}; {sum(day["by_nova"].values()):,} '
            f'by Nova, {day["drawn"]:,} drawn; {seconds:.0f} s of processor',
            flush=True,
        )


def main(words):
    """Run."""
    most_hosts = QUICK_HOSTS if '--quick' in words else None
    with tempfile.TemporaryDirectory() as folder:
        for name in TRACES:
            measure(Path(folder), name, most_hosts)


if __name__ == '__main__':
    main(sys.argv[1:])
