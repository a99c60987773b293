"""Why the scheduler is asked: a first boot, a move, a return, a rebuild.

Nova's RequestSpec does not say it, so it is told from what each operation
leaves in the request (nova.compute.api and nova.conductor, 31 to 34):

* a rebuild carries the internal hint ``_nova_check_type``, and is forced to
  host and node: users may write hints, but force nothing;
* migration, live migration, resize and evacuation ignore the host that
  they leave, or name their destination;
* unshelving names no host, but is confined to the server's cell; so is a
  resize where ``allow_resize_to_same_host`` is on;
* only a first boot does none of that.
"""

import enum

from nova_ext.core.request import scheduler_hints
from nova_ext.core.request.model import Destination, RequestSpec


class Operation(enum.Enum):
    """What is being done with the server."""

    FIRST_BOOT = 'first boot'
    MOVE = 'move'
    RETURN = 'return'
    REBUILD = 'rebuild'
    PINNED = 'pinned'


def get_operation(request: RequestSpec) -> Operation:
    """Tell on what operation the request was made.

    :param request: the request spec.
    :returns: PINNED where the request itself names its host (forced, or a
        requested destination), on a first boot and on a move alike; RETURN
        where a server without a host, or one that may stay, is placed
        within its cell.
    """
    if _rebuilds(request):
        return Operation.REBUILD
    if names_its_host(request):
        return Operation.PINNED
    if 'ignore_hosts' in request and request.ignore_hosts:
        return Operation.MOVE
    if _confined_to_cell(request):
        return Operation.RETURN
    return Operation.FIRST_BOOT


def names_its_host(request: RequestSpec) -> bool:
    """Whether an operator forced or requested the host by Nova's means.

    :param request: the request spec.
    :returns: True for force_hosts, force_nodes and a requested host.
    """
    if any(_forced(request)):
        return True
    destination = _destination(request)
    return bool(
        destination is not None
        and 'host' in destination
        and destination.host
    )


def _rebuilds(request: RequestSpec) -> bool:
    """Whether Nova made the mark; users may write hints, and force none."""
    return scheduler_hints.values(request, '_nova_check_type') == ['rebuild'] and all(
        _forced(request)
    )


def _forced(request: RequestSpec) -> list[bool]:
    """Whether host, and whether node is forced."""
    return [
        field in request and bool(getattr(request, field))
        for field in ('force_hosts', 'force_nodes')
    ]


def _confined_to_cell(request: RequestSpec) -> bool:
    """Whether the request stays in a cell, or says that it may leave it."""
    destination = _destination(request)
    if destination is None:
        return False
    return bool('cell' in destination and destination.cell) or bool(
        'allow_cross_cell_move' in destination
        and getattr(destination, 'allow_cross_cell_move', False)
    )


def _destination(request: RequestSpec) -> Destination | None:
    if 'requested_destination' not in request:
        return None
    return request.requested_destination
