"""Make the request specs of a table's requests.

Nova's own objects are made, so that Nova's filters read what they know.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from nova import exception, objects
from nova.virt import hardware

from nova_ext.journal.table_rows import TableError
from nova_ext.journal.tables import TableRequest


def make_uuid(kind: str, name: str) -> str:
    """Return the UUID of what a table names: the same one each time."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f'nova-ext {kind} {name}'))


def make_spec(
    request: TableRequest, servers: Sequence[str], members: Sequence[str],
    aggregates: Mapping[tuple[str, str], Any],
) -> Any:
    """Return the request spec, as Nova's prefilters leave it."""
    name = request.flavor or (
        f'{request.vcpus}-{request.memory_mb}-{request.disk_gb}'
    )
    flavor = objects.Flavor(
        id=1, name=name, flavorid=name, vcpus=request.vcpus,
        memory_mb=request.memory_mb, root_gb=request.disk_gb,
        ephemeral_gb=0, swap=0, extra_specs={
            **request.extra_specs, **{
                f'resources:{resource}': str(amount)
                for resource, amount in request.resources.items()
            },
        },
    )
    image = objects.ImageMeta(
        id=make_uuid('image', ''), properties=objects.ImageMetaProps(),
    )
    spec = objects.RequestSpec(
        instance_uuid=servers[0], num_instances=request.count,
        project_id=request.project, user_id=request.user,
        flavor=flavor, image=image,
        availability_zone=request.zone or None,
        numa_topology=_make_numa_topology(request, flavor, image),
        pci_requests=None, instance_group=None, limits=None,
        ignore_hosts=None, force_hosts=None, force_nodes=None,
        requested_destination=None, requested_resources=[],
        scheduler_hints={}, is_bfv=False,
    )
    if request.zone:
        zone = aggregates.get(('availability_zone', request.zone))
        # Nova's prefilter finds no aggregate of an unknown zone.
        spec.requested_destination = objects.Destination(aggregates=[
            zone.uuid if zone else make_uuid('zone', request.zone)
        ])
    if request.group:
        spec.instance_group = objects.InstanceGroup(
            uuid=make_uuid('group', request.group), name=request.group,
            policy=request.policy, policies=[request.policy], rules={},
            members=list(members), hosts=[],
            project_id=request.project, user_id=request.user,
        )
    return spec


def _make_numa_topology(
    request: TableRequest, flavor: Any, image: Any
) -> Any:
    """Return the NUMA topology that extra specs ask for, or None.

    :raises TableError: Nova would refuse the flavor.
    """
    try:
        return hardware.numa_get_constraints(flavor, image)
    except (exception.NovaException, ValueError) as error:
        raise TableError(
            f'row {request.row} of the requests: '
            f'{" ".join(str(error).split())}'
        ) from error
