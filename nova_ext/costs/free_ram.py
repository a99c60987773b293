"""Cost hosts by the RAM that a server leaves free on them."""

from nova_ext.plugin import MAX_COST, Cost, HostState, RequestSpec

#: MiB of free RAM from which on a host costs nothing: 16 TiB.
CEILING_MB = 2**24


class FreeRamCost(Cost):
    """Prefer hosts with much free RAM after the boot.

    The less is left, the more a host costs: one MiB is one. A large server on
    a host that is nearly full costs most, and a small one on an empty host
    least. A host that has to overcommit costs more than any that need not.
    """

    hints = ()

    def get_cost(self, host: HostState, request: RequestSpec) -> int:
        """Return the MiB that are missing to 16 TiB of free RAM."""
        left_mb = int(host.free_ram_mb) - int(request.flavor.memory_mb)
        return min(max(CEILING_MB - left_mb, 0), MAX_COST)
