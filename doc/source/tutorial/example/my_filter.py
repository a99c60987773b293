"""HeadroomFilter: some memory of each host stays free."""

from nova_ext.core.extension import (
    PASS,
    Filter,
    HostState,
    RequestSpec,
    Verdict,
    reject,
)

HEADROOM_MB = 1024


class HeadroomFilter(Filter):
    """Pass hosts that keep 1024 MiB free, for what runs beside servers."""

    def check(self, host: HostState, request: RequestSpec) -> Verdict:
        """Reject a host that the server would fill too far."""
        left_mb = host.free_ram_mb - request.flavor.memory_mb
        if left_mb >= HEADROOM_MB:
            return PASS
        return reject(f'less than {HEADROOM_MB} MiB would stay free')
