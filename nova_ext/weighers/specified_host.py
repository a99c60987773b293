"""SpecifiedHostWeigher: back to the requested host after shelving."""

from nova_ext.core import hints
from nova_ext.core.extension import HostState, RequestSpec, Weigher
from nova_ext.core.occasion import Occasion, occasion


class SpecifiedHostWeigher(Weigher):
    """Prefer the host of the requested_host hint on unshelve.

    The companion of SpecifiedHostFilter: there the hint bars every other
    host at first boot, here it draws the server back without barring.
    """

    option_group = 'nova_ext_specified_host'
    multiplier_option = 'weight_multiplier'
    hints = ('requested_host',)

    def weigh(self, host: HostState, request: RequestSpec) -> float:
        """1 for the requested host of a server that returns, else 0."""
        if occasion(request) is not Occasion.RETURN:
            return 0.0
        wanted = hints.values(request, hints.REQUESTED_HOST)
        return float(hints.same_host(host.host, wanted))
