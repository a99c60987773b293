"""Give a server the flavor of a resize, as nova-api does."""

from typing import Any

from nova import exception, objects
from nova.pci import request as pci_request
from nova.virt import hardware

from nova_ext.core.base.scheduling_errors import (
    MoveRefusedError,
    WrongArgumentsError,
)
from nova_ext.scheduler.what_if.moves import refusals


def find(
    context: Any, server: Any, wanted: str, *, is_volume_backed: bool
) -> Any:
    """Return the flavor that a server is to have.

    :param server: an Instance.
    :param wanted: the flavor's id.
    :raises WrongArgumentsError: Nova has no such flavor.
    :raises MoveRefusedError: nova-api refuses it.
    """
    if wanted == server.flavor.flavorid:
        raise MoveRefusedError(
            f'nova-api refuses resize: the server has flavor {wanted}'
        )
    try:
        flavor = objects.Flavor.get_by_flavor_id(context, wanted)
    except exception.FlavorNotFound as error:
        raise WrongArgumentsError(' '.join(str(error).split())) from error
    if flavor.disabled:
        raise MoveRefusedError(
            f'nova-api refuses resize: flavor {wanted} is disabled'
        )
    refusals.check_flavor(server, flavor, is_volume_backed=is_volume_backed)
    return flavor


def change(spec: Any, flavor: Any, server: Any) -> None:
    """Set in a request spec what the new flavor asks for."""
    spec.flavor = flavor
    spec.numa_topology = hardware.numa_get_constraints(
        flavor, server.image_meta
    )
    requests = pci_request.get_pci_requests_from_flavor(flavor)
    requests.instance_uuid = server.uuid
    port = objects.InstancePCIRequest.NEUTRON_PORT
    kept = spec.pci_requests.requests if spec.pci_requests else ()
    requests.requests += [each for each in kept if each.source == port]
    spec.pci_requests = requests
