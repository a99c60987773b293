"""HeadroomFilter: some memory of a host stays free."""

from nova_ext.core.extension import (
    PASS,
    Filter,
    HostState,
    RequestSpec,
    Verdict,
    reject,
)


class HeadroomFilter(Filter):
    """Pass hosts that keep an eighth of their memory free."""

    def check(self, host: HostState, request: RequestSpec) -> Verdict:
        """Reject a host that the server would fill too far."""
        left_mb = host.free_ram_mb - request.flavor.memory_mb
        if left_mb >= host.total_usable_ram_mb / 8:
            return PASS
        return reject('less than an eighth of its memory would stay free')
