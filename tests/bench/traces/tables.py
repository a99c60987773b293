"""Make tables of hosts and requests of the traces; see README.rst."""

import csv
import gzip
import io
from pathlib import Path

FOLDER = Path(__file__).parent
#: Fault domains that the requests name; racks go round them.
DOMAINS = 3
#: Requests are repeated until they ask for this part of all processors.
WANTED = 1.1
#: Thousandths of GPUs, as a resource class of the host.
GPU = 'resource:CUSTOM_GPU_MILLI'
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
    wanted = WANTED * sum(host['vcpus'] for host in hosts)
    rows, requests = _read('numa-requests'), []
    while wanted > 0:
        row = rows[len(requests) % len(rows)]
        turn = len(requests) // len(rows)
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
        wanted -= int(row['flavor_vcpus'])
    return hosts, requests


def read_racks():
    """Return the racks of the NUMA trace's hosts, by the hosts' names."""
    return {
        f'host-{number}': row['rack']
        for number, row in enumerate(_read('numa-hosts'))
    }


def make_gpu(most_hosts):
    """Return hosts and requests of the GPU trace.

    Shares of all GPUs of a host are added up: which of them has how much left
    is not known.

    :param most_hosts: of the hosts; None: all, and all requests.
    """
    hosts = [
        {
            'name': f'host-{number}', 'vcpus': int(row['cpu_milli']) // 1000,
            'memory_mb': row['memory_mib'], 'disk_gb': 0,
            GPU: 1000 * int(row['gpu']),
        } for number, row in enumerate(_read('gpu-hosts'))
    ]
    rows = _read('gpu-requests')
    if most_hosts is not None:
        rows = rows[::len(hosts) // most_hosts]
        hosts = hosts[::len(hosts) // most_hosts]
    return hosts, [
        {
            'when': row['creation_time'], 'until': max(
                int(row['deletion_time']), int(row['creation_time']) + 1
            ),
            'vcpus': max(1, -(-int(row['cpu_milli']) // 1000)),
            'memory_mb': max(1, int(row['memory_mib'])),
            GPU: int(row['num_gpu']) * int(row['gpu_milli']),
        } for row in rows
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
