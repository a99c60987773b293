"""Create and end a shortage of hosts, through a cloud's APIs."""

import contextlib
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nova_ext.lab.services import servers
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state import lock
from nova_ext.lab.state.errors import LabError

#: MiB of memory of the large flavor, and of the small one.
LARGE_MB, SMALL_MB = 16384, 2048
LARGE, SMALL = 'why.large', 'why.small'
MEMBER, GROUP = 'why-member', 'why-group'
#: Percent of the hosts whose nova-compute is down.
_DOWN_PERCENT = 38


@dataclass
class Shortage:
    """Represent the reasons why no host takes a large server of a group.

    :param full: hosts with room for small servers alone.
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
def create(cloud: Cloud, lab_name: str) -> Iterator[Shortage]:
    """Create the shortage, and end it.

    :param cloud: a lab's administrator.
    :param lab_name: names the lab in an error.
    :raises LabError: when the lab has too few hosts.
    """
    free = _free_mb(cloud)
    hosts = sorted(free, key=lambda host: (len(host), host))
    count = _DOWN_PERCENT * len(hosts) // 100
    if not count or len(hosts) < count + 3:
        raise LabError(
            f'lab {lab_name} has {len(hosts)} hosts with room; one with a '
            f'hundred is another lab: nova-ext lab up --name {lab_name}-why '
            '--stock --computes 100'
        )
    host, down, full = hosts[0], hosts[1:count + 1], hosts[count + 1:]
    undo = contextlib.ExitStack()
    try:
        for flavor, memory in ((LARGE, LARGE_MB), (SMALL, SMALL_MB)):
            undo.enter_context(_flavor(cloud, flavor, memory))
        group = undo.enter_context(_group(cloud))
        undo.callback(servers.remove, cloud, MEMBER)
        servers.remove(cloud, MEMBER)
        member = servers.boot(
            cloud, MEMBER, {'group': group, 'requested_host': host}
        )
        undo.enter_context(_allocated(cloud, {
            name: free[name] - SMALL_MB for name in full
        }))
        undo.enter_context(_forced_down(cloud, down))
        yield Shortage(full, down, host, group, member['id'])
    finally:
        # Closing a terminal sends several signals.
        with lock.ignore_signals():
            undo.close()


def _free_mb(cloud: Cloud) -> dict[str, int]:
    """Return the MiB of memory that placement has free, by host."""
    names = {uuid: name for name, uuid in _list_providers(cloud).items()}
    summaries = cloud.get(
        'placement', f'/allocation_candidates?resources=MEMORY_MB:{LARGE_MB}'
        '&required=!COMPUTE_STATUS_DISABLED'
    )['provider_summaries']
    return {
        names[provider]: memory['capacity'] - memory['used']
        for provider, summary in summaries.items()
        for memory in [summary['resources']['MEMORY_MB']]
    }


def _list_providers(cloud: Cloud) -> dict[str, str]:
    """Return the UUIDs of all resource providers, by name."""
    return {
        provider['name']: provider['uuid'] for provider in cloud.get(
            'placement', '/resource_providers'
        )['resource_providers']
    }


@contextlib.contextmanager
def _flavor(cloud: Cloud, name: str, memory_mb: int) -> Iterator[None]:
    for flavor in cloud.get('compute', '/flavors')['flavors']:
        if flavor['name'] == name:  # left by an interrupted run
            cloud.compute.delete(f'/flavors/{flavor["id"]}')
    created = cloud.compute.post('/flavors', json={'flavor': {
        'name': name, 'ram': memory_mb, 'vcpus': 1, 'disk': 1,
    }}).json()['flavor']
    try:
        yield
    finally:
        cloud.compute.delete(f'/flavors/{created["id"]}')


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
def _allocated(cloud: Cloud, memory_mb: dict[str, int]) -> Iterator[None]:
    """Allocate memory of hosts in placement, to nobody."""
    providers = _list_providers(cloud)
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
def _forced_down(cloud: Cloud, hosts: list[str]) -> Iterator[None]:
    # Those that are down already stay so.
    services = [
        service['id'] for service in cloud.get(
            'compute', '/os-services?binary=nova-compute'
        )['services']
        if service['host'] in hosts and not service['forced_down']
    ]

    def force(down: bool) -> None:
        for service in services:
            cloud.compute.put(
                f'/os-services/{service}', json={'forced_down': down}
            )

    try:
        force(True)
        yield
    finally:
        force(False)
