"""Bound what is held of this zone's hosts by Nova's quota of a project."""

from collections.abc import Mapping, Sequence

from nova_ext.core.rpc.boot_request import BootFlavor
from nova_ext.core.rpc.offers import MAX_SLOTS, HeldRoom


def count_left(
    limits: Mapping[str, int], held: Sequence[HeldRoom], flavor: BootFlavor
) -> int:
    """Return for how many more servers the quota has room, MAX_SLOTS at most.

    :param limits: of the project, and what it uses, as Nova's ``GET /limits``
        names them; a limit of -1 is none.
    :param held: for servers of the project that Nova does not count yet.
    :param flavor: of the servers.
    """
    left = [MAX_SLOTS]
    for limit, used, size, held_sizes in (
        ('maxTotalInstances', 'totalInstancesUsed', 1, [1] * len(held)),
        ('maxTotalCores', 'totalCoresUsed', flavor.vcpus,
         [room.vcpus for room in held]),
        ('maxTotalRAMSize', 'totalRAMUsed', flavor.memory_mb,
         [room.memory_mb for room in held]),
    ):
        if limits[limit] >= 0 and size:
            free = limits[limit] - limits[used] - sum(held_sizes)
            left.append(max(0, free // size))
    return min(left)
