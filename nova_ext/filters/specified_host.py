"""Pass only the host that the requested_host hint names."""

from collections.abc import Sequence

from nova_ext.plugin import (
    PASS,
    Audience,
    Columns,
    Filter,
    HostState,
    Operation,
    RequestSpec,
    Verdict,
    get_hint_values,
    get_operation,
    is_host_in,
    reject,
)


class SpecifiedHostFilter(Filter):
    """Pass only the host named by the requested_host hint.

    Hint: ``requested_host=<nova-compute host>``, in any letter case. Several
    values allow any of the hosts; an absent or empty hint allows every host.

    The hint binds a first boot that names no host otherwise, and nothing
    else. So the server can leave its host, move to a named one and return
    from shelving.
    """

    policy = 'nova_ext:requested_host'
    once_per_request = True
    hints = ('requested_host',)
    reasons_for = Audience.USER  # they quote the hint, which names hosts

    def is_restricted(self, request: RequestSpec) -> bool:
        """Say whether the request has the hint, and it binds."""
        return bool(
            get_hint_values(request, 'requested_host')
        ) and get_operation(request) is Operation.FIRST_BOOT

    def prepare(self, request: RequestSpec) -> Verdict | Sequence[str]:
        """Return the requested hosts; pass all hosts where none binds."""
        if not self.is_restricted(request):
            return PASS
        return get_hint_values(request, 'requested_host')

    def check(self, host: HostState, requested: Sequence[str]) -> Verdict:
        """Reject every host but the requested ones."""
        if is_host_in(host.host, requested):
            return PASS
        return _reject(requested)

    def check_all(
        self, hosts: Columns, requested: Sequence[str]
    ) -> Sequence[Verdict]:
        """Look at the names alone."""
        rejected = _reject(requested)
        return [
            PASS if is_host_in(name, requested) else rejected
            for name in hosts.host
        ]


def _reject(requested: Sequence[str]) -> Verdict:
    return reject(f'requested_host is {" or ".join(requested)}')
