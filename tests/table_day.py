"""Draw a day of requests: tables, and what to do with a real cloud."""

import csv
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

#: Seconds for which a busy machine may decide.
PATIENCE_S = 900

#: Of a host: what nova-compute keeps for itself.
RESERVED_MB = 512
CPU_RATIO = 2.0
#: vCPUs, MiB and GiB, by name. Uneven amounts: no two hosts weigh the same.
FLAVORS = {
    'thin': (1, 509, 0), 'usual': (2, 2039, 5), 'wide': (6, 1021, 0),
    'tall': (2, 6143, 5), 'large': (8, 8093, 0), 'huge': (14, 12281, 10),
}
#: Options of [filter_scheduler] under which a day is decided.
OPTIONS = {
    # A fake host reports 0 GB of free disk, whatever it has.
    'disk_weight_multiplier': 0.0,
    # Computes go on counting work that has ended.
    'io_ops_weight_multiplier': 0.0,
    'ram_weight_multiplier': 1.0, 'cpu_weight_multiplier': -0.7,
}
FILTERS = (
    'ComputeFilter', 'ServerGroupAntiAffinityFilter',
    'ServerGroupAffinityFilter',
)
_POLICIES = ('affinity', 'anti-affinity')


class Size(NamedTuple):
    """Represent what a host has."""

    vcpus: int
    memory_mb: int
    disk_gb: int


class DayRequest(NamedTuple):
    """Represent a request for servers of one flavor.

    :param ended: numbers of earlier requests whose servers end before it.
    :param group: number of a server group; -1: none.
    """

    number: int
    flavor: str
    count: int
    group: int
    ended: tuple[int, ...]


class Day:
    """Draw hosts and requests.

    :param seed: what is drawn depends on it alone.
    """

    def __init__(self, seed: int, hosts: int, requests: int) -> None:
        chance = random.Random(seed)  # noqa: S311
        self.sizes = {
            f'cmp-{number}': Size(
                chance.choice((8, 10, 12)), 12288 + 131 * number, 200,
            ) for number in range(1, hosts + 1)
        }
        self.policies = [_POLICIES[number % 2] for number in range(6)]
        self.requests: list[DayRequest] = []
        alive: list[int] = []
        for number in range(requests):
            ended = tuple(
                each for each in alive if chance.random() < 0.4 / hosts
            )
            alive = [each for each in alive if each not in ended]
            self.requests.append(DayRequest(
                number, chance.choice(list(FLAVORS)),
                chance.choice((1, 1, 1, 1, 2, 3)),
                chance.choice((-1, -1, -1, *range(6))), ended,
            ))
            alive.append(number)

    def write(self, folder):
        """Write the tables; return their paths."""
        ends = {
            each: request.number
            for request in self.requests for each in request.ended
        }
        return _write(folder / 'hosts.csv', [
            {
                'name': name, **size._asdict(),
                'reserved_memory_mb': RESERVED_MB,
                'cpu_allocation_ratio': CPU_RATIO,
            } for name, size in self.sizes.items()
        ]), _write(folder / 'requests.csv', [
            {
                'when': request.number,
                'until': ends.get(request.number, ''),
                'flavor': request.flavor, 'count': request.count,
                **dict(zip(
                    ('vcpus', 'memory_mb', 'disk_gb'),
                    FLAVORS[request.flavor], strict=True,
                )),
                'group': '' if request.group < 0 else f'g{request.group}',
                'policy': '' if request.group < 0
                else self.policies[request.group],
            } for request in self.requests
        ])


def _write(path, rows):
    with path.open('w', encoding='utf-8', newline='') as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def run(*words, timeout):
    """Run nova-ext in an interpreter of its own."""
    return subprocess.run(
        [Path(sys.executable).with_name('nova-ext'), *words],
        capture_output=True, text=True, timeout=timeout,
        env={**os.environ, 'PYTHONPATH': ''}, check=False,
    )


def replay(folder, tables, *words, run=run):
    """Import tables and replay them; return the document and the status.

    :param run: runs nova-ext.
    """
    path = folder / 'day.journal'
    run(
        'journal', 'import', *tables, '-o', path, timeout=PATIENCE_S,
    ).check_returncode()
    done = run(
        'replay', '--rolling', path, '-f', 'json', *words, timeout=PATIENCE_S,
    )
    if done.returncode not in (0, 3):
        raise AssertionError(done.stderr)
    return json.loads(done.stdout), done.returncode


def write_configuration(path, *, filters=FILTERS, **options):
    """Write the configuration of a day."""
    lines = [
        f'{name} = {value}'
        for name, value in {**OPTIONS, **options}.items()
    ]
    path.write_text('\n'.join([
        '[filter_scheduler]',
        f'enabled_filters = {",".join(filters)}', *lines, '',
    ]))
    return str(path)
