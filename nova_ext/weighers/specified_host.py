"""SpecifiedHostWeigher: back to the requested host after shelving."""

from nova_ext.core.extension import (
    HostState,
    Operation,
    RequestSpec,
    Weigher,
    get_operation,
    hint_values,
    same_host,
)


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
        if get_operation(request) is not Operation.RETURN:
            return 0.0
        wanted = hint_values(request, 'requested_host')
        return float(same_host(host.host, wanted))
