"""Cost hosts by the servers that their owner has there already."""

from nova_ext.plugin import (
    MAX_COST,
    Cost,
    HostState,
    RequestSpec,
    get_hint_values,
)

#: What each server of the owner costs: as much as 1 GiB of free RAM.
SERVER_COST = 1024


class OwnerServersCost(Cost):
    """Prefer hosts with few servers of the owner, which may fail together.

    Hint: ``nova_ext_owner``, an opaque id of the owner. Servers with it in
    their metadata, under the hint's name, are counted: in a zone that serves
    a parent, the servers of all owners belong to one user. Without the hint
    the servers of the request's user are counted.
    """

    hints = ('nova_ext_owner',)

    def get_cost(self, host: HostState, request: RequestSpec) -> int:
        """Return 1024 for each server of the owner on the host."""
        owner = next(iter(get_hint_values(request, self.hints[0])), '')
        servers = self.facts.count_servers_of_owner(host, request, owner)
        return min(SERVER_COST * servers, MAX_COST)
