"""Read the request spec that Nova keeps of a server, to decide it again.

Nova keeps no ports, and no host that ``--host`` named.
"""

from collections.abc import Sequence
from typing import Any

from nova import exception, objects
from nova.scheduler import utils
from oslo_utils import uuidutils

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.boot_request import MAX_SERVERS


def load(
    context: Any, server: str, ignore_hosts: Sequence[str] | None
) -> tuple[Any, list[str]]:
    """Read the request spec of a server.

    :param server: its UUID.
    :param ignore_hosts: hosts that a move leaves; None: it is a boot, and
        the servers that were requested with it are decided, too.
    :returns: the request spec, for UUIDs that no server has; and these.
    :raises WrongArgumentsError: Nova keeps none.
    """
    try:
        spec = objects.RequestSpec.get_by_instance_uuid(context, server)
    except exception.RequestSpecNotFound as error:
        raise WrongArgumentsError(str(error)) from error
    count = 1
    if ignore_hosts is None:
        count = min(spec.num_instances, MAX_SERVERS)
    else:
        # As nova-conductor: a move is not forced to the host of the boot.
        spec.reset_forced_destinations()
        spec.ignore_hosts = list(ignore_hosts)
    spec.requested_destination = None
    spec.requested_resources = []
    spec.generate_request_groups_from_pci_requests()
    utils.setup_instance_group(context, spec)
    servers = [uuidutils.generate_uuid() for _ in range(count)]
    if spec.instance_group is not None:
        spec.instance_group.members = [*spec.instance_group.members, *servers]
    spec.instance_uuid, spec.num_instances = servers[0], count
    return spec, servers
