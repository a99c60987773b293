"""Spread the servers of one user over hosts."""

from nova_ext.plugin import HostState, RequestSpec, Weigher


class OwnerSpreadWeigher(Weigher):
    """Prefer hosts without a server of the owner, then those with few.

    The fewer servers share a host, the fewer its failure takes from one
    user. Servers placed earlier in the same request count.
    """

    option_group = 'nova_ext_owner_spread'
    multiplier_option = 'weight_multiplier'
    hints = ()

    def weigh(self, host: HostState, request: RequestSpec) -> float:
        """Return 1 without a server of the owner, 1/2 with one, and so on."""
        return 1 / (1 + self.facts.count_servers_of_owner(host, request))
