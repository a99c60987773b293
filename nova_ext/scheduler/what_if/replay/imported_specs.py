"""Make the request specs of a table's requests, as a journal has them.

Nova's own objects are made, so that Nova's filters read what they know.
"""

import uuid
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from nova import exception, objects
from nova.virt import hardware

from nova_ext.journal.table_rows import TableError
from nova_ext.journal.tables import TableRequest
from nova_ext.scheduler.journal import plain_values

#: Kinds of requests that are kept. Most tables have fewer flavors.
_MOST_KINDS = 1000
_DATA = 'nova_object.data'


def make_uuid(kind: str, name: str) -> str:
    """Return the UUID of what a table names: the same one each time."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f'nova-ext {kind} {name}'))


class RequestSpecs:
    """Make the primitives of request specs, as Nova's prefilters leave them.

    To make Nova's objects takes most of the time. So those of a flavor are
    made once.

    :param aggregates: by key and value.
    """

    def __init__(self, aggregates: Mapping[tuple[str, str], Any]) -> None:
        self._aggregates = aggregates
        self._kinds: dict[Hashable, Mapping[str, Any]] = {}
        self._members: dict[str, list[str]] = {}

    def make(
        self, request: TableRequest, servers: Sequence[str]
    ) -> dict[str, Any]:
        """Return the primitive of a request's spec; call it once for each.

        :raises TableError: Nova would refuse the flavor.
        """
        kind = self._find_kind(request)
        return {**kind, _DATA: {
            **kind[_DATA], 'instance_uuid': servers[0],
            'num_instances': request.count, 'project_id': request.project,
            'user_id': request.user,
            'instance_group': self._make_group(request, servers),
        }}

    def _find_kind(self, request: TableRequest) -> Mapping[str, Any]:
        """Return the primitive of a request that is alike."""
        key = (
            request.flavor, request.vcpus, request.memory_mb,
            request.disk_gb, request.zone, tuple(request.resources.items()),
            tuple(request.extra_specs.items()),
        )
        if key not in self._kinds:
            if len(self._kinds) >= _MOST_KINDS:
                self._kinds.clear()
            self._kinds[key] = plain_values.to_primitive(
                _make_spec(request, self._aggregates)
            )
        return self._kinds[key]

    def _make_group(
        self, request: TableRequest, servers: Sequence[str]
    ) -> dict[str, Any] | None:
        """Return the primitive of a request's group with all members."""
        if not request.group:
            return None
        members = self._members.setdefault(request.group, [])
        members += servers
        return plain_values.to_primitive(objects.InstanceGroup(
            uuid=make_uuid('group', request.group), name=request.group,
            policy=request.policy, policies=[request.policy], rules={},
            members=list(members), hosts=[],
            project_id=request.project, user_id=request.user,
        ))


def _make_spec(
    request: TableRequest, aggregates: Mapping[tuple[str, str], Any]
) -> Any:
    """Return a request spec without a server, an owner and a group."""
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
        instance_uuid=make_uuid('server', ''), num_instances=1,
        project_id=None, user_id=None,
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
