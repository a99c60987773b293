"""Read tables of hosts and requests, which a journal is made from.

A table is a CSV file whose first row names the columns.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nova_ext.journal import table_rows
from nova_ext.journal.table_rows import RESOURCE, TableRow

#: Begin further columns of a kind; the rest is a name.
AGGREGATE, EXTRA_SPEC = 'aggregate:', 'extra_spec:'

_HOST_NEEDED = ('name', 'vcpus', 'memory_mb', 'disk_gb')
_RATIOS = (
    'cpu_allocation_ratio', 'ram_allocation_ratio', 'disk_allocation_ratio',
)
_HOST_AMOUNTS = (
    'reserved_vcpus', 'reserved_memory_mb', 'reserved_disk_gb', 'vcpus_used',
    'memory_mb_used', 'disk_gb_used',
)
_REQUEST_NEEDED = ('when', 'vcpus', 'memory_mb')
_REQUEST_OTHERS = (
    'until', 'disk_gb', 'count', 'flavor', 'zone', 'project', 'user',
    'group', 'policy',
)
_NUMA_NODE = re.compile('([0-9]{1,9}):([0-9]{1,9})')
_POLICIES = (
    'affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity',
)


@dataclass(frozen=True)
class TableHost:
    """Represent one row of hosts.

    :param amounts: vcpus, memory_mb, disk_gb and what is reserved and used.
    :param ratios: allocation ratios, by their column.
    :param resources: units of custom resource classes.
    :param aggregates: value by key: it is in the aggregate ``KEY=VALUE``.
    :param numa_nodes: processors and MiB of each NUMA node; empty: it reports
        none.
    """

    name: str
    amounts: Mapping[str, int]
    ratios: Mapping[str, float]
    resources: Mapping[str, int] = field(default_factory=dict)
    aggregates: Mapping[str, str] = field(default_factory=dict)
    traits: frozenset[str] = frozenset()
    numa_nodes: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True)
class TableRequest:
    """Represent one row of requests.

    :param row: its number in the file, from 2.
    :param when: seconds since 1970.
    :param until: when its servers end, seconds since 1970; None: never.
    """

    row: int
    when: float
    until: float | None
    vcpus: int
    memory_mb: int
    disk_gb: int = 0
    count: int = 1
    flavor: str = ''
    zone: str = ''
    project: str = ''
    user: str = ''
    group: str = ''
    policy: str = ''
    resources: Mapping[str, int] = field(default_factory=dict)
    extra_specs: Mapping[str, str] = field(default_factory=dict)


def read_hosts(path: Path) -> list[TableHost]:
    """Read a table of hosts.

    :raises TableError: for one that can't be used.
    """
    hosts: dict[str, TableHost] = {}
    for row in table_rows.read(
        path, _HOST_NEEDED,
        (*_RATIOS, *_HOST_AMOUNTS, 'zone', 'traits', 'numa_nodes'),
        (RESOURCE, AGGREGATE),
    ):
        host = _read_host(row)
        if host.name in hosts:
            row.refuse('name', 'is there twice')
        hosts[host.name] = host
    return list(hosts.values())


def read_requests(path: Path) -> list[TableRequest]:
    """Read a table of requests; those that come first are first.

    :raises TableError: for one that can't be used.
    """
    requests: list[TableRequest] = []
    policies: dict[str, str] = {}
    for row in table_rows.read(
        path, _REQUEST_NEEDED, _REQUEST_OTHERS, (RESOURCE, EXTRA_SPEC)
    ):
        request = _read_request(row)
        policy = policies.setdefault(request.group, request.policy)
        if request.policy != policy:
            row.refuse('policy', f'is not {policy}, which the group '
                                 f'{request.group} has')
        requests.append(request)
    return sorted(requests, key=lambda request: request.when)


def _read_host(row: TableRow) -> TableHost:
    amounts = {
        name: row.read_int(name, least)
        for name, least in (('vcpus', 1), ('memory_mb', 1), ('disk_gb', 0))
    }
    amounts |= {name: row.read_int(name, 0, 0) for name in _HOST_AMOUNTS}
    for name, total in (
        ('vcpus', 'vcpus'), ('memory_mb', 'memory_mb'),
        ('disk_gb', 'disk_gb'),
    ):
        if amounts[f'reserved_{name}'] > amounts[total]:
            row.refuse(f'reserved_{name}', f'is more than {total}')
    aggregates = row.get_list(AGGREGATE)
    if row.get('zone'):
        aggregates['availability_zone'] = row.get('zone')
    return TableHost(
        row.need('name'), amounts,
        {name: row.read_ratio(name) for name in _RATIOS},
        row.read_resources(), aggregates,
        frozenset(row.get('traits').replace(';', ' ').split()),
        _read_numa_nodes(row, amounts),
    )


def _read_numa_nodes(
    row: TableRow, amounts: Mapping[str, int]
) -> Sequence[tuple[int, int]]:
    text = row.get('numa_nodes')
    parts = [node.strip() for node in text.split(';')] if text else []
    matches = map(_NUMA_NODE.fullmatch, parts)
    nodes = [(int(each[1]), int(each[2])) for each in matches if each]
    if len(nodes) < len(parts):
        row.refuse('numa_nodes', 'is no VCPUS:MEMORY_MB of each NUMA node')
    for name, each in zip(
        ('vcpus', 'memory_mb'), zip(*nodes, strict=True), strict=False
    ):
        if sum(each) != amounts[name]:
            row.refuse('numa_nodes', f'has {sum(each)} {name}, and the host '
                                     f'{amounts[name]}')
    return nodes


def _read_request(row: TableRow) -> TableRequest:
    when = row.read_time('when')
    until = row.read_time('until') if row.get('until') else None
    if until is not None and until <= when:
        row.refuse('until', 'is not after when')
    if row.get('group') and row.get('policy') not in _POLICIES:
        row.refuse('policy', f'is none of {", ".join(_POLICIES)}')
    if row.get('policy') and not row.get('group'):
        row.refuse('group', 'is empty, and there is a policy')
    return TableRequest(
        row.number, when, until, row.read_int('vcpus', 1),
        row.read_int('memory_mb', 1), row.read_int('disk_gb', 0, 0),
        row.read_int('count', 1, 1),
        **{name: row.get(name) for name in (
            'flavor', 'zone', 'project', 'user', 'group', 'policy',
        )},
        resources=row.read_resources(),
        extra_specs=row.get_list(EXTRA_SPEC),
    )
