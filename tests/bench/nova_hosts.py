"""Make Nova's own hosts and a request for a benchmark."""

import datetime
import random
from collections.abc import Sequence
from typing import Any

import nova.conf
from nova import context as nova_context
from nova import objects
from nova.scheduler import host_manager
from oslo_utils import uuidutils

_CELL = '00000000-0000-0000-0000-00000000ce11'


def prepare() -> None:
    """Configure Nova with its defaults, in this process."""
    nova.conf.CONF([], project='nova', default_config_files=[])
    objects.register_all()


def make_hosts(count: int) -> list[Any]:
    """Return Nova's host states of compute nodes that differ."""
    dice = random.Random(0)  # noqa: S311  no secret
    aggregates = [
        objects.Aggregate(
            id=n, name=f'aggregate-{n}', metadata={'rack': str(n)}, hosts=[]
        )
        for n in range(10)
    ]
    return [_make_host(f'cmp-{n}', dice, aggregates) for n in range(count)]


def make_request(**extra_specs: str) -> Any:
    """Return a request spec to boot one small server, as nova-api makes it."""
    spec = objects.RequestSpec.from_components(
        nova_context.RequestContext('user', 'project'),
        uuidutils.generate_uuid(),
        objects.ImageMeta(properties=objects.ImageMetaProps()),
        objects.Flavor(
            name='m1.small', flavorid='2', vcpus=1, memory_mb=2048,
            root_gb=20, ephemeral_gb=0, swap=0,
            extra_specs=extra_specs,
        ),
        None, None, {}, None, None,
    )
    spec.request_id = None
    return spec


def _make_host(
    name: str, dice: random.Random, aggregates: Sequence[Any]
) -> Any:
    now = datetime.datetime.now(datetime.UTC)
    servers, ram_mb, disk_gb = (
        dice.randrange(50), dice.randrange(16384), dice.randrange(100)
    )
    node = objects.ComputeNode(
        uuid=uuidutils.generate_uuid(), host=name, hypervisor_hostname=name,
        hypervisor_type='QEMU', hypervisor_version=8000000,
        host_ip='127.0.0.1', cpu_info='{}', supported_hv_specs=[
            objects.HVSpec.from_list(['x86_64', 'kvm', 'hvm'])
        ],
        numa_topology=None, pci_device_pools=None, metrics='[]',
        stats={
            'num_instances': str(servers),
            'io_workload': str(dice.randrange(8)), 'failed_builds': '0',
        },
        memory_mb=16384, memory_mb_used=16384 - ram_mb, free_ram_mb=ram_mb,
        local_gb=100, local_gb_used=100 - disk_gb, free_disk_gb=disk_gb,
        disk_available_least=None, vcpus=8, vcpus_used=dice.randrange(8),
        cpu_allocation_ratio=4.0, ram_allocation_ratio=1.0,
        disk_allocation_ratio=1.0, current_workload=0, running_vms=servers,
        updated_at=now,
    )
    service = {
        'host': name, 'binary': 'nova-compute', 'topic': 'compute',
        'disabled': False, 'last_seen_up': now, 'created_at': now,
    }
    state = host_manager.HostState(name, name, _CELL)
    state.update(
        compute=node, service=service, inst_dict={},
        aggregates=dice.sample(aggregates, 2),
    )
    return state
