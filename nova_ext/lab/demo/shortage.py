"""A cloud without room for a large server, made and mended by its APIs."""

import contextlib
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nova_ext.lab.demo import servers
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state.errors import LabError

#: MiB of memory that the large flavor takes, and the small one.
LARGE_MB, SMALL_MB = 16384, 2048
LARGE, SMALL = 'why.large', 'why.small'
MEMBER, GROUP = 'why-member', 'why-group'
#: Of a hundred hosts, those whose nova-compute is down.
_DOWN = 38


@dataclass
class Shortage:
    """Why no host takes a large server of the group.

    :param full: hosts with room for small ones alone.
    :param down: hosts whose nova-compute is down.
    :param host: the host of the group's member.
    :param group: UUID of a server group with anti-affinity.
    :param member: UUID of its member.
    """

    full: list[str]
    down: list[str]
    host: str
    group: str
    member: str


@contextlib.contextmanager
def make(cloud: Cloud) -> Iterator[Shortage]:
    """Make the shortage, and end it.

    :param cloud: a lab's administrator.
    :raises LabError: where the lab has too few hosts.
    """
    free = _free_mb(cloud)
    hosts = sorted(free, key=lambda host: (len(host), host))
    count = _DOWN * len(hosts) // 100
    if not count or len(hosts) < count + 3:
        raise LabError(
            f'the lab has {len(hosts)} hosts with room; for a hundred: '
            'nova-ext lab up --stock --computes 100'
        )
    host, down, full = hosts[0], hosts[1:count + 1], hosts[count + 1:]
    with contextlib.ExitStack() as undo:
        for flavor, memory in ((LARGE, LARGE_MB), (SMALL, SMALL_MB)):
            undo.enter_context(_flavor(cloud, flavor, memory))
        group = undo.enter_context(_group(cloud))
        undo.callback(servers.remove, cloud, MEMBER)
        servers.remove(cloud, MEMBER)
        member = servers.boot(
            cloud, MEMBER, {'group': group, 'requested_host': host}
        )
        undo.enter_context(_taken(cloud, {
            name: free[name] - SMALL_MB for name in full
        }))
        undo.enter_context(_down(cloud, down))
        yield Shortage(full, down, host, group, member['id'])


def _free_mb(cloud: Cloud) -> dict[str, int]:
    """Memory that placement has free, by host."""
    names = {
        each['uuid']: each['name'] for each in cloud.get(
            'placement', '/resource_providers'
        )['resource_providers']
    }
    found = cloud.get(
        'placement', f'/allocation_candidates?resources=MEMORY_MB:{LARGE_MB}'
        '&required=!COMPUTE_STATUS_DISABLED'
    )['provider_summaries']
    return {
        names[provider]: memory['capacity'] - memory['used']
        for provider, summary in found.items()
        for memory in [summary['resources']['MEMORY_MB']]
    }


@contextlib.contextmanager
def _flavor(cloud: Cloud, name: str, memory_mb: int) -> Iterator[None]:
    for flavor in cloud.get('compute', '/flavors')['flavors']:
        if flavor['name'] == name:  # of one that was interrupted
            cloud.compute.delete(f'/flavors/{flavor["id"]}')
    made = cloud.compute.post('/flavors', json={'flavor': {
        'name': name, 'ram': memory_mb, 'vcpus': 1, 'disk': 1,
    }}).json()['flavor']
    try:
        yield
    finally:
        cloud.compute.delete(f'/flavors/{made["id"]}')


@contextlib.contextmanager
def _group(cloud: Cloud) -> Iterator[str]:
    group = cloud.compute.post('/os-server-groups', json={'server_group': {
        'name': GROUP, 'policy': 'anti-affinity',
    }}).json()['server_group']['id']
    try:
        yield group
    finally:
        cloud.compute.delete(f'/os-server-groups/{group}')


@contextlib.contextmanager
def _taken(cloud: Cloud, memory_mb: dict[str, int]) -> Iterator[None]:
    """Memory that is allocated in placement, to nobody."""
    providers = {
        each['name']: each['uuid'] for each in cloud.get(
            'placement', '/resource_providers'
        )['resource_providers']
    }
    consumers = {
        str(uuid.uuid4()): {
            providers[host]: {'resources': {'MEMORY_MB': memory}}
        } for host, memory in memory_mb.items()
    }
    _allocate(cloud, consumers, None)
    try:
        yield
    finally:
        _allocate(cloud, {consumer: {} for consumer in consumers}, 1)


def _allocate(
    cloud: Cloud, consumers: Mapping[str, Mapping[str, object]],
    generation: int | None,
) -> None:
    cloud.placement.post('/allocations', json={
        consumer: {
            'allocations': allocations, 'project_id': 'nobody',
            'user_id': 'nobody', 'consumer_generation': generation,
            'consumer_type': 'INSTANCE',
        } for consumer, allocations in consumers.items()
    })


@contextlib.contextmanager
def _down(cloud: Cloud, hosts: list[str]) -> Iterator[None]:
    services = {
        service['host']: service['id'] for service in cloud.get(
            'compute', '/os-services?binary=nova-compute'
        )['services']
    }

    def force(down: bool) -> None:
        for host in hosts:
            cloud.compute.put(
                f'/os-services/{services[host]}', json={'forced_down': down}
            )

    try:
        force(True)
        yield
    finally:
        force(False)
