"""Prefer the requested host for a server that returns from shelving."""

from collections.abc import Sequence

from nova_ext.plugin import (
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

    def prepare(self, request: RequestSpec) -> Sequence[str]:
        """Return the requested hosts of a returning server, else none."""
        if get_operation(request) is not Operation.RETURN:
            return ()
        return get_hint_values(request, 'requested_host')

    def weigh(self, host: HostState, requested: Sequence[str]) -> float:
        """Return 1 for a requested host, else 0."""
        return float(is_host_in(host.host, requested))

    def weigh_all(
        self, hosts: Columns, requested: Sequence[str]
    ) -> Sequence[float]:
        """Look at the names alone, if any host is requested."""
        if not requested:
            return [0.0] * len(hosts)
        return [float(is_host_in(name, requested)) for name in hosts.host]
