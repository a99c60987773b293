"""Write a journal of tables of hosts and requests.

Nova's own objects are written, so that Nova's filters read what they know.
"""

import heapq
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from nova import objects
from nova.scheduler import host_manager
from oslo_utils import timeutils

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision.decision import PASSED
from nova_ext.core.request.operation import Operation
from nova_ext.journal import frames
from nova_ext.journal.columns import HostWriter
from nova_ext.journal.model import IMPORTED
from nova_ext.journal.tables import TableHost, TableRequest
from nova_ext.scheduler.journal import (
    host_values,
    kept_hosts,
    process_facts,
)
from nova_ext.scheduler.what_if.replay import imported_specs

#: Services that do not report count as down after it; these always report.
_DOWN_AFTER_S = 60.0
#: Of memory without huge pages.
_PAGE_KB = 4
_CELL = str(uuid.uuid5(uuid.NAMESPACE_OID, 'nova-ext imported cell'))


def write(
    path: Path, hosts: Sequence[TableHost],
    requests: Sequence[TableRequest], report: Callable[[int], None],
) -> None:
    """Write a journal of the requests, in their order.

    The same tables make the same journal, but for the time of its making.

    :param report: takes how many requests are written.
    :raises OSError: it can't be written.
    """
    objects.register_all()
    with path.open('wb') as file:
        _write(file, hosts, requests, report)


def _write(
    file: BinaryIO, hosts: Sequence[TableHost],
    requests: Sequence[TableRequest], report: Callable[[int], None],
) -> None:
    writer, rows = frames.FrameWriter(), HostWriter()
    described = process_facts.describe(Mode.SCHEDULER, (), (), '')
    file.write(frames.HEADER)
    file.write(writer.make(frames.EPOCH, {
        **described, 'mode': IMPORTED, 'configuration': {}, 'masked': [],
        'version': frames.VERSION, 'host': IMPORTED, 'pid': 0,
        'began': requests[0].when,
    }))
    aggregates = _make_aggregates(hosts)
    states = [_make_state(host, aggregates) for host in hosts]
    packer = host_values.HostPacker()
    kept = kept_hosts.keep(states)
    packed = packer.pack(kept, _DOWN_AFTER_S, kept.at)
    providers = [
        _make_provider(host, state)
        for host, state in zip(hosts, states, strict=True)
    ]
    facts = rows.encode(packed.keys, packed.hosts, packed.aggregates)
    # No host changes.
    same = rows.encode(packed.keys, packed.hosts, packed.aggregates)
    specs, ends = imported_specs.RequestSpecs(aggregates), _Ends()
    for number, request in enumerate(requests, 1):
        servers = [
            imported_specs.make_uuid('server', f'{request.row} {index}')
            for index in range(request.count)
        ]
        file.write(writer.make(frames.DECISION, {
            'id': number, 'request_id': f'row-{request.row}',
            'time': request.when, 'operation': Operation.FIRST_BOOT.value,
            'context': {
                'user_id': request.user, 'project_id': request.project,
                'roles': [], 'is_admin': False,
            },
            'spec': specs.make(request, servers),
            'servers': servers,
            'options': {'return_objects': True, 'return_alternates': False},
            'attempts': [], 'claims': [], 'destinations': [],
            'outcome': PASSED, 'ended': list(ends.take(request.when)),
            'hosts': facts, 'candidates': None, 'providers': providers,
        }))
        facts, providers = same, []
        ends.add(request, servers)
        report(number)


class _Ends:
    """Know when servers end."""

    def __init__(self) -> None:
        #: A heap.
        self._ends: list[tuple[float, int, list[str]]] = []

    def add(self, request: TableRequest, servers: list[str]) -> None:
        """Add the servers of a request."""
        if request.until is not None:
            heapq.heappush(
                self._ends, (request.until, request.row, servers)
            )

    def take(self, now: float) -> Iterator[str]:
        """Yield the servers that have ended, once, in the order of time."""
        while self._ends and self._ends[0][0] <= now:
            yield from heapq.heappop(self._ends)[2]


def _make_aggregates(
    hosts: Iterable[TableHost]
) -> dict[tuple[str, str], Any]:
    """Return the aggregates by key and value."""
    members: dict[tuple[str, str], list[str]] = {}
    for host in hosts:
        for each in host.aggregates.items():
            members.setdefault(each, []).append(host.name)
    return {
        (key, value): objects.Aggregate(
            id=number,
            uuid=imported_specs.make_uuid('aggregate', f'{key}={value}'),
            name=f'{key}={value}', hosts=names, metadata={key: value},
        ) for number, ((key, value), names) in enumerate(
            members.items(), 1
        )
    }


def _make_state(
    host: TableHost, aggregates: Mapping[tuple[str, str], Any]
) -> Any:
    """Return the host state that Nova would make of the host's row."""
    amounts = host.amounts
    node_uuid = imported_specs.make_uuid('host', host.name)
    used = {
        name: amounts[f'reserved_{name}'] + amounts[f'{name}_used']
        for name in ('vcpus', 'memory_mb', 'disk_gb')
    }
    state = host_manager.HostState(host.name, host.name, _CELL)
    state.update(
        compute=objects.ComputeNode(
            uuid=node_uuid, host=host.name, hypervisor_hostname=host.name,
            vcpus=amounts['vcpus'], vcpus_used=used['vcpus'],
            memory_mb=amounts['memory_mb'],
            memory_mb_used=used['memory_mb'],
            free_ram_mb=amounts['memory_mb'] - used['memory_mb'],
            local_gb=amounts['disk_gb'], local_gb_used=used['disk_gb'],
            free_disk_gb=amounts['disk_gb'] - used['disk_gb'],
            disk_available_least=None, hypervisor_type='imported',
            hypervisor_version=1, supported_hv_specs=[], host_ip=None,
            cpu_info='', metrics='[]',
            numa_topology=_describe_numa_nodes(host),
            pci_device_pools=None, updated_at=None, stats={}, **host.ratios,
        ),
        service={
            'binary': 'nova-compute', 'host': host.name, 'disabled': False,
            'disabled_reason': None, 'forced_down': False, 'version': 0,
            'uuid': node_uuid, 'last_seen_up': timeutils.utcnow(),
        },
        aggregates=[
            aggregates[each] for each in host.aggregates.items()
        ],
        inst_dict={},
    )
    return state


def _describe_numa_nodes(host: TableHost) -> str | None:
    """Return the NUMA topology as the column of a compute node has it."""
    if not host.numa_nodes:
        return None
    cells, first = [], 0
    for number, (vcpus, memory_mb) in enumerate(host.numa_nodes):
        cells.append(objects.NUMACell(
            id=number, socket=number, memory=memory_mb, memory_usage=0,
            cpuset=set(range(first, first + vcpus)), pcpuset=set(),
            cpu_usage=0, pinned_cpus=set(), siblings=[],
            mempages=[objects.NUMAPagesTopology(
                size_kb=_PAGE_KB, total=memory_mb * 1024 // _PAGE_KB, used=0,
                reserved=0,
            )],
            network_metadata=objects.NetworkMetadata(
                physnets=set(), tunneled=False
            ),
        ))
        first += vcpus
    text: str = objects.NUMATopology(cells=cells)._to_json()
    return text


def _make_provider(host: TableHost, state: Any) -> list[Any]:
    """Return what placement has of a host: a row of JournalProvider."""
    amounts = host.amounts
    inventories = {
        name: [
            amounts[column], amounts[f'reserved_{column}'],
            host.ratios[f'{ratio}_allocation_ratio'], 1, amounts[column], 1,
        ] for name, column, ratio in (
            ('VCPU', 'vcpus', 'cpu'), ('MEMORY_MB', 'memory_mb', 'ram'),
            ('DISK_GB', 'disk_gb', 'disk'),
        ) if amounts[column]
    }
    inventories |= {
        name: [total, 0, 1.0, 1, total, 1]
        for name, total in host.resources.items()
    }
    return [
        state.uuid, inventories, {
            'VCPU': amounts['vcpus_used'],
            'MEMORY_MB': amounts['memory_mb_used'],
            'DISK_GB': amounts['disk_gb_used'],
        }, sorted(host.traits),
        [aggregate.uuid for aggregate in state.aggregates],
    ]
