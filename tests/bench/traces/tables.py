"""Make tables of hosts and requests of the traces; see README.rst."""

import csv
import gzip
import io
import itertools
import math
from pathlib import Path

FOLDER = Path(__file__).parent
#: Fault domains that the requests name; racks go round them.
DOMAINS = 3
#: Requests are repeated until they ask for this part of all processors.
WANTED = 1.1
#: GPUs, as a resource class of the host. Of whole ones it offers the same as
#: a child provider for each.
GPU = 'resource:CUSTOM_GPU'
#: Hosts whose NUMA nodes are not added up, and the requests that fill them.
NODES_HOSTS, NODES_REQUESTS = 53, 500
#: What shows how fast requests are decided, and for how much of it one lasts.
PACE_HOSTS, PACE_REQUESTS, PACE_LASTS = 1000, 10_000, 0.4
#: What the GPU trace calls a whole GPU.
WHOLE = 1000
#: Column of the fault domain that a request names.
DOMAIN = 'extra_spec:aggregate_instance_extra_specs:fault_domain'


def make_numa(most_hosts):
    """Return hosts and requests of the NUMA trace.

    Both NUMA nodes of a host are added up. Requests never end.

    :param most_hosts: of the hosts; None: all.
    """
    hosts = [
        {
            'name': f'host-{number}',
            'vcpus': int(row['CPU1']) + int(row['CPU2']),
            'memory_mb': 1024 * (int(row['RAM1']) + int(row['RAM2'])),
            'disk_gb': 0, 'aggregate:fault_domain': int(row['rack']) % DOMAINS,
        } for number, row in enumerate(_read('numa-hosts'))
    ]
    hosts = [
        host for host in hosts if host['vcpus'] and host['memory_mb']
    ][:most_hosts]
    requests = []
    for turn, row in _repeat(
        _read('numa-requests'), 'flavor_vcpus',
        sum(host['vcpus'] for host in hosts),
    ):
        grouped = row['strategy'] in ('affinity', 'anti-affinity')
        requests.append({
            'when': len(requests), 'until': '', 'vcpus': row['flavor_vcpus'],
            'memory_mb': 1024 * int(row['flavor_ram']),
            # Groups of each strategy are numbered from 0.
            'group': f'{row["strategy"]}-{row["group"]}-{turn}' if (
                grouped
            ) else '',
            'policy': row['strategy'] if grouped else '',
            DOMAIN: row['domain'] if (
                row['strategy'] == 'fault_domain'
            ) else '',
        })
    return hosts, requests


def make_numa_nodes(most_hosts):
    """Return the same, with the NUMA nodes of hosts and servers.

    Nova's code decides all of it, and takes long. So there are few hosts.
    """
    hosts, requests = make_numa(min(most_hosts or NODES_HOSTS, NODES_HOSTS))
    rows = {
        f'host-{number}': row
        for number, row in enumerate(_read('numa-hosts'))
    }
    for host in hosts:
        row = rows[host['name']]
        host['numa_nodes'] = ';'.join(
            f'{row[f"CPU{node}"]}:{1024 * int(row[f"RAM{node}"])}'
            for node in (1, 2)
        )
    for request, (_, row) in zip(
        requests, _repeat(_read('numa-requests'), 'numa', math.inf),
        strict=False,
    ):
        request['extra_spec:hw:numa_nodes'] = row['numa']
    return hosts, requests[:NODES_REQUESTS]


def make_pace(most_hosts):
    """Return hosts of the NUMA trace, and requests that never fill them.

    A server ends so many requests later.
    """
    hosts, _ = make_numa(most_hosts or PACE_HOSTS)
    count = PACE_REQUESTS * len(hosts) // PACE_HOSTS
    return hosts, [
        {
            'when': number, 'until': number + PACE_LASTS * count,
            'vcpus': row['flavor_vcpus'],
            'memory_mb': 1024 * int(row['flavor_ram']),
        } for number, (_, row) in zip(
            range(count), _repeat(_read('numa-requests'), 'numa', math.inf),
            strict=False,
        )
    ]


def _repeat(rows, column, total):
    """Yield a turn's number and a row, until enough of a column is asked for.

    :param total: what all hosts have of it.
    """
    wanted = WANTED * total
    for turn in itertools.count():
        for row in rows:
            if wanted <= 0:
                return
            wanted -= int(row[column])
            yield turn, row


def read_racks():
    """Return the racks of the NUMA trace's hosts, by the hosts' names."""
    return {
        f'host-{number}': row['rack']
        for number, row in enumerate(_read('numa-hosts'))
    }


def make_gpu(most_hosts):
    """Return hosts and requests of the GPU trace.

    Requests for a share of a GPU are left out: which GPU of a host has how
    much left is not known. The others are repeated, and never end: with the
    trace's times hardly a hundredth of the GPUs is in use at once.

    :param most_hosts: of the hosts; None: all.
    """
    rows = _read('gpu-hosts')
    hosts = [
        {
            'name': f'host-{number}', 'vcpus': int(row['cpu_milli']) // 1000,
            'memory_mb': row['memory_mib'], 'disk_gb': 0, GPU: row['gpu'],
        } for number, row in enumerate(rows)
    ][::len(rows) // most_hosts if most_hosts else 1]
    rows = [
        row for row in _read('gpu-requests')
        # Of one GPU; less than that is a share.
        if int(row['num_gpu']) != 1 or int(row['gpu_milli']) == WHOLE
    ]
    return hosts, [
        {
            'when': number,
            'vcpus': max(1, -(-int(row['cpu_milli']) // 1000)),
            'memory_mb': max(1, int(row['memory_mib'])),
            GPU: int(row['num_gpu']),
        } for number, (_, row) in enumerate(_repeat(
            rows, 'num_gpu', sum(int(host[GPU]) for host in hosts)
        ))
    ]


def write(path, rows):
    """Write a table."""
    with path.open('w', encoding='utf-8', newline='') as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _read(name):
    data = gzip.decompress((FOLDER / f'{name}.csv.gz').read_bytes())
    return list(csv.DictReader(io.StringIO(data.decode())))
