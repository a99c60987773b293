"""From what a boot would ask for to the request spec that Nova makes of it.

nova-api makes the spec of a server that it creates (nova.compute.api); here
the same parts of Nova make one of a server that is not created. Ports and
device profiles, which other services keep, are not looked up.
"""

from typing import Any

from nova import exception, objects
from nova.pci import request as pci_request
from nova.scheduler import utils
from nova.virt import hardware
from oslo_utils import uuidutils

from nova_ext.core.scheduling_errors import WrongArgumentsError
from nova_ext.core.what_if import BootRequest
from nova_ext.scheduler.options import CONF

_DEVICE_PROFILE = 'accel:device_profile'


def make(context: Any, asked: BootRequest) -> tuple[Any, list[str]]:
    """Make a request spec, and UUIDs for the servers.

    :param context: the caller's.
    :raises WrongArgumentsError: for what Nova would refuse, too, or what
        can't be told here.
    """
    servers = [uuidutils.generate_uuid() for _ in range(asked.count)]
    try:
        flavor = _flavor(context, asked)
        return _spec(context, asked, flavor, servers), servers
    except (exception.NovaException, ValueError) as error:
        line = ' '.join(str(error).split())
        raise WrongArgumentsError(f'BootRequest: {line}') from error


def _spec(
    context: Any, asked: BootRequest, flavor: Any, servers: list[str]
) -> Any:
    zone, forced_host, forced_node = asked.zone_host_and_node
    image = objects.ImageMeta.from_dict(asked.image)
    spec = objects.RequestSpec.from_components(
        context, servers[0], image, flavor,
        hardware.numa_get_constraints(flavor, image),
        pci_request.get_pci_requests_from_flavor(
            flavor, affinity_policy=hardware.get_pci_numa_policy_constraint(
                flavor, image
            ),
        ),
        {
            'scheduler_hints': asked.hints,
            'ignore_hosts': asked.ignore_hosts,
            'force_hosts': [forced_host] if forced_host else None,
            'force_nodes': [forced_node] if forced_node else None,
        },
        _group(context, asked, servers), zone or CONF.default_schedule_zone,
        project_id=asked.project_id, user_id=asked.user_id,
    )
    spec.num_instances = asked.count
    spec.is_bfv = asked.boot_from_volume
    if asked.host or asked.hypervisor_hostname:
        spec.requested_destination = objects.Destination(
            node=asked.hypervisor_hostname or None
        )
        if asked.host:
            spec.requested_destination.host = asked.host
    utils.setup_instance_group(context, spec)
    return spec


def _flavor(context: Any, asked: BootRequest) -> Any:
    if asked.stored_flavor:
        made = objects.Flavor.get_by_flavor_id(context, asked.flavor.flavorid)
    else:
        made = objects.Flavor(
            id=0, rxtx_factor=1.0, vcpu_weight=0, disabled=False,
            is_public=True, description=None, **asked.flavor.to_dict(),
        )
    if _DEVICE_PROFILE in made.extra_specs:
        raise WrongArgumentsError(
            f'BootRequest: {_DEVICE_PROFILE} of the flavor can\'t be '
            'simulated: what it asks for is known to Cyborg'
        )
    return made


def _group(context: Any, asked: BootRequest, servers: list[str]) -> Any:
    """The server group that a hint names, the new servers among its own."""
    named = asked.hints.get('group')
    if not named:
        return None
    uuid = named[0] if isinstance(named, list) else named
    group = objects.InstanceGroup.get_by_uuid(context, uuid)
    group.members = [*group.members, *servers]
    group.obj_reset_changes(['members'])
    return group
