"""Make the request spec of a server that is not created.

The same parts of Nova make it that nova-api uses (nova.compute.api). Other
services are not asked: ports are passed over, and a flavor with a device
profile is refused.
"""

from collections.abc import Mapping
from typing import Any

from nova import availability_zones, exception, objects
from nova.pci import request as pci_request
from nova.scheduler import utils
from nova.virt import hardware
from oslo_utils import uuidutils

from nova_ext.core.base import errors
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.boot_request import BootRequest
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.facts import cells

_DEVICE_PROFILE = 'accel:device_profile'


def make(
    context: Any, request: BootRequest, new_group: str = ''
) -> tuple[Any, list[str]]:
    """Make a request spec, and UUIDs for the servers.

    :param new_group: as of :class:`.boot_request.Changes`.
    :returns: the request spec, for as many servers as are asked for, and
        their UUIDs, which no server has.
    :raises WrongArgumentsError: for what Nova would refuse, too, or what
        only another service knows.
    """
    servers = [uuidutils.generate_uuid() for _ in range(request.count)]
    try:
        flavor = _flavor(context, request)
        return _spec(
            context, request, flavor, servers,
            _group(context, request, servers, new_group),
        ), servers
    except (exception.NovaException, ValueError) as error:
        raise WrongArgumentsError(' '.join(str(error).split())) from error


def _spec(
    context: Any, request: BootRequest, flavor: Any, servers: list[str],
    group: Any,
) -> Any:
    zone, forced_host, forced_node = request.zone_host_and_node
    image = _image(request)
    spec = objects.RequestSpec.from_components(
        context, servers[0], image, flavor,
        hardware.numa_get_constraints(flavor, image),
        pci_request.get_pci_requests_from_flavor(
            flavor, affinity_policy=hardware.get_pci_numa_policy_constraint(
                flavor, image
            ),
        ),
        {
            'scheduler_hints': _drop_own(request.hints),
            'ignore_hosts': request.ignore_hosts,
            'force_hosts': [forced_host] if forced_host else None,
            'force_nodes': [forced_node] if forced_node else None,
        },
        group,
        _resolve_zone(zone, forced_host, forced_node),
        project_id=request.project_id, user_id=request.user_id,
    )
    spec.num_instances = request.count
    spec.is_bfv = request.boot_from_volume
    if request.host or request.hypervisor_hostname:
        spec.requested_destination = objects.Destination(
            node=request.hypervisor_hostname or None
        )
        if request.host:
            spec.requested_destination.host = request.host
    utils.setup_instance_group(context, spec)
    return spec


def _resolve_zone(zone: str, host: str, node: str) -> str | None:
    """Return the zone that nova-api puts into the request spec.

    It drops the zone where the request forces a host outside of it
    (nova.api.openstack.compute.servers, bug 1934770).

    :param zone: the requested zone; empty: the configured one, if any.
    :param host: the forced host; empty: none.
    :param node: the forced node; empty: none.
    :raises WrongArgumentsError: for a zone without an enabled service, which
        nova-api refuses.
    """
    wanted: str | None = zone or CONF.default_schedule_zone
    if (host or node) and wanted != _get_zone(host):
        wanted = None
    if wanted and not host:
        available = _list_zones()
        if wanted not in available:
            internal = CONF.internal_service_availability_zone
            known = [name for name in available if name != internal]
            raise WrongArgumentsError(
                f'The requested availability zone is not available: {wanted}; '
                f'{errors.suggest_names(wanted, known)}'
            )
    return wanted


def _get_zone(host: str) -> str:
    """Return a host's zone; of no host, the default one."""
    if not host:
        return str(CONF.default_availability_zone)
    with cells.use_admin_context() as admin:
        return str(availability_zones.get_host_availability_zone(admin, host))


def _list_zones() -> list[str]:
    services: list[Any] = []
    by_cell = cells.gather(objects.ServiceList.get_all, set_zones=True)
    for in_cell in by_cell.values():
        services.extend(in_cell or ())
    with cells.use_admin_context() as admin:
        return list(availability_zones.get_availability_zones(
            admin, None, get_only_available=True, services=services
        ))


def _drop_own(hints: Mapping[str, Any]) -> dict[str, Any]:
    """Drop Nova's own hints, as nova-api does.

    With one of these, Nova would take the request for a rebuild. It would ask
    neither placement nor most filters, and claim nothing.
    """
    return {
        name: value for name, value in hints.items()
        if not name.startswith('_nova')  # as in nova.compute.api
    }


def _image(request: BootRequest) -> Any:
    try:
        return objects.ImageMeta.from_dict(request.image)
    except (TypeError, AttributeError) as error:
        raise WrongArgumentsError(
            f'the image is not as Nova keeps it: {error}'
        ) from error


def _flavor(context: Any, request: BootRequest) -> Any:
    if request.stored_flavor:
        flavor = objects.Flavor.get_by_flavor_id(
            context, request.flavor.flavorid
        )
    else:
        flavor = objects.Flavor(
            id=0, rxtx_factor=1.0, vcpu_weight=0, disabled=False,
            is_public=True, description=None, **request.flavor.to_dict(),
        )
    if _DEVICE_PROFILE in flavor.extra_specs:
        raise WrongArgumentsError(
            f'{_DEVICE_PROFILE} of the flavor is not taken: what it asks for '
            'is known to Cyborg alone'
        )
    return flavor


def _group(
    context: Any, request: BootRequest, servers: list[str], new_group: str
) -> Any:
    """Return a new server group, or that of the hint, with the servers in it.

    The new one is in no database.
    """
    hint = request.hints.get('group')
    if hint and new_group:
        raise WrongArgumentsError(
            'a server is in one group: leave out the hint group, or new_group'
        )
    if new_group:
        return objects.InstanceGroup(
            uuid=uuidutils.generate_uuid(), name='', policy=new_group,
            policies=[new_group], members=list(servers), hosts=[],
        )
    if not hint:
        return None
    uuid = hint[0] if isinstance(hint, list) else hint
    group = objects.InstanceGroup.get_by_uuid(context, uuid)
    group.members = [*group.members, *servers]
    group.obj_reset_changes(['members'])
    return group
