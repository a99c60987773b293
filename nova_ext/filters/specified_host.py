"""SpecifiedHostFilter: the host that the requested_host hint names."""

from nova_ext.core.extension import (
    PASS,
    Filter,
    HostState,
    Operation,
    RequestSpec,
    Verdict,
    get_operation,
    hint_values,
    reject,
    same_host,
)


class SpecifiedHostFilter(Filter):
    """Pass only the host named by the requested_host hint.

    Hint: ``requested_host=<nova-compute host>``, in any letter case; given
    several times, any of the hosts; absent or empty, every host.

    The hint binds the first boot alone: a request that leaves a host, names
    its own destination or returns from shelving is free, or the server
    could never move.
    """

    policy = 'nova_ext:requested_host'
    hints = ('requested_host',)

    def check(self, host: HostState, request: RequestSpec) -> Verdict:
        """Reject every host but the requested one."""
        if not self.restricted(request):
            return PASS
        wanted = hint_values(request, 'requested_host')
        if same_host(host.host, wanted):
            return PASS
        return reject(f'requested_host is {" or ".join(wanted)}')

    def restricted(self, request: RequestSpec) -> bool:
        """Whether the hint is there and binds."""
        return bool(
            hint_values(request, 'requested_host')
        ) and get_operation(request) is Operation.FIRST_BOOT
