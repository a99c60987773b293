"""Find a request's operation: see :class:`Operation`.

Nova's RequestSpec has no field for it. Each operation leaves a mark in the
request (nova.compute.api and nova.conductor, 31 to 34):

* a rebuild has the internal hint ``_nova_check_type``, and is forced to
  host and node: users may write hints, but force nothing;
* migration, live migration, resize and evacuation ignore the host that
  they leave, or name their destination;
* unshelving names no host, but is confined to the server's cell; so is a
  resize where ``allow_resize_to_same_host`` is on;
* only a first boot does none of that.
"""

import enum

from nova_ext.core.request.model import Destination, RequestSpec
from nova_ext.core.request.scheduler_hints import get_hint_values


class Operation(enum.Enum):
    """Name what is being done with the server."""

    FIRST_BOOT = 'first boot'
    MOVE = 'move'
    RETURN = 'return'
    REBUILD = 'rebuild'
    PINNED = 'pinned'


def get_operation(request: RequestSpec) -> Operation:
    """Return the operation for which the request was made.

    :returns: PINNED where the request names its host, on a first boot and on
        a move; RETURN where a server without a host, or one that may stay,
        is placed within its cell.
    """
    if _is_rebuild(request):
        return Operation.REBUILD
    if names_host(request):
        return Operation.PINNED
    if 'ignore_hosts' in request and request.ignore_hosts:
        return Operation.MOVE
    if _has_cell(request):
        return Operation.RETURN
    return Operation.FIRST_BOOT


def names_host(request: RequestSpec) -> bool:
    """Say whether the request names its host.

    :returns: True for force_hosts, force_nodes and a requested host.
    """
    if any(_list_forced(request)):
        return True
    destination = _get_destination(request)
    return bool(
        destination is not None
        and 'host' in destination
        and destination.host
    )


def _is_rebuild(request: RequestSpec) -> bool:
    """Say whether Nova made the mark: users write hints, but force none."""
    marks = get_hint_values(request, '_nova_check_type')
    return marks == ['rebuild'] and all(_list_forced(request))


def _list_forced(request: RequestSpec) -> list[bool]:
    """Say for the host and for the node whether it is forced."""
    return [
        field in request and bool(getattr(request, field))
        for field in ('force_hosts', 'force_nodes')
    ]


def _has_cell(request: RequestSpec) -> bool:
    """Say whether the request names a cell, or may leave the server's."""
    destination = _get_destination(request)
    if destination is None:
        return False
    return bool('cell' in destination and destination.cell) or bool(
        'allow_cross_cell_move' in destination
        and getattr(destination, 'allow_cross_cell_move', False)
    )


def _get_destination(request: RequestSpec) -> Destination | None:
    if 'requested_destination' not in request:
        return None
    return request.requested_destination
