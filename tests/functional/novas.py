"""Nova's own objects, as its scheduler makes them from its databases."""

import uuid

from nova import objects
from nova.scheduler import host_manager
from oslo_utils import timeutils

CELLS = tuple(str(uuid.UUID(int=n)) for n in (1, 2))
PROJECT = 'project'


def uuid_of(name):
    """A UUID that is the same for the same name."""
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))


def host_state(host, node=None, cell=CELLS[0], servers=(), service=None,
               aggregates=(), stats=None, **compute):
    """A host state out of a compute node.

    :param servers: names of the servers on it.
    :param service: fields of its nova-compute service.
    :param stats: statistics that the compute node reports.
    :param compute: fields of the compute node.
    """
    node = node or host
    fields = {
        'vcpus': 8, 'vcpus_used': 0, 'memory_mb': 16384, 'local_gb': 100,
        'free_ram_mb': 16384, 'free_disk_gb': 100, 'hypervisor_version': 1000,
        'supported_hv_specs': [], 'host_ip': '127.0.0.1', **compute,
    }
    state = host_manager.HostState(host, node, cell)
    state.update(
        compute=objects.ComputeNode(
            uuid=uuid_of(node), host=host, hypervisor_hostname=node,
            memory_mb_used=0, local_gb_used=0, hypervisor_type='fake',
            disk_available_least=fields['free_disk_gb'], cpu_info='',
            metrics='[]', numa_topology=None, pci_device_pools=None,
            updated_at=None,
            cpu_allocation_ratio=4.0, ram_allocation_ratio=1.5,
            disk_allocation_ratio=1.0, stats=stats or {}, **fields,
        ),
        service={
            'binary': 'nova-compute', 'host': host, 'disabled': False,
            'forced_down': False, 'last_seen_up': timeutils.utcnow(),
            **(service or {}),
        },
        aggregates=list(aggregates),
        inst_dict={
            uuid_of(name): objects.Instance(uuid=uuid_of(name))
            for name in servers
        },
    )
    return state


def aggregate(name, hosts=(), **metadata):
    """A host aggregate."""
    return objects.Aggregate(
        name=name, hosts=list(hosts), metadata=metadata, uuid=uuid_of(name)
    )


def request_spec(context, hints=None, extra_specs=None, **fields):
    """A request for one server.

    :param context: the caller's.
    :param hints: scheduler hints, each a list.
    :param extra_specs: of the flavor.
    :param fields: fields of the request spec.
    """
    return objects.RequestSpec(context, **{
        'instance_uuid': uuid_of('server'),
        'project_id': PROJECT, 'user_id': 'user', 'num_instances': 1,
        'flavor': objects.Flavor(
            name='m1.small', flavorid='1', vcpus=1, memory_mb=2048,
            root_gb=20, ephemeral_gb=0, swap=0,
            extra_specs=extra_specs or {},
        ),
        'image': objects.ImageMeta(
            id=uuid_of('image'), properties=objects.ImageMetaProps()
        ),
        'availability_zone': None, 'numa_topology': None,
        'pci_requests': None, 'instance_group': None, 'limits': None,
        'ignore_hosts': None, 'force_hosts': None, 'force_nodes': None,
        'requested_destination': None, 'requested_resources': [],
        'scheduler_hints': hints or {}, 'is_bfv': False, **fields,
    })
