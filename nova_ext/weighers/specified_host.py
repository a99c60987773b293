"""Prefer the requested host for a server that returns from shelving."""

from collections.abc import Sequence

from nova_ext.core.extension import (
    Columns,
    HostState,
    Operation,
    RequestSpec,
    Weigher,
    get_hint_values,
    get_operation,
    is_host_in,
)


class SpecifiedHostWeigher(Weigher):
    """Prefer the host of the requested_host hint on unshelve.

    At first boot, SpecifiedHostFilter rejects every other host. On unshelve
    the hint only prefers the host.
    """

    option_group = 'nova_ext_specified_host'
    multiplier_option = 'weight_multiplier'
    hints = ('requested_host',)

    def weigh(self, host: HostState, request: RequestSpec) -> float:
        """Return 1 for the requested host of a returning server, else 0."""
        if get_operation(request) is not Operation.RETURN:
            return 0.0
        requested = get_hint_values(request, 'requested_host')
        return float(is_host_in(host.host, requested))

    def weigh_all(
        self, hosts: Columns, request: RequestSpec
    ) -> Sequence[float]:
        """Weigh all hosts the same, unless a server returns."""
        if get_operation(request) is not Operation.RETURN:
            return [0.0] * len(hosts)
        return super().weigh_all(hosts, request)
