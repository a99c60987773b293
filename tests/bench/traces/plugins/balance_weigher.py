"""Mind stranding: leave processors and memory in the same proportion."""

from nova.scheduler import weights


class BalanceWeigher(weights.BaseHostWeigher):
    """Prefer hosts whose free shares are alike, once the server is there."""

    def _weigh_object(self, host_state, request_spec):
        cpus = host_state.vcpus_total - host_state.vcpus_used
        cpu_share = (cpus - request_spec.vcpus) / host_state.vcpus_total
        ram_share = (
            host_state.free_ram_mb - request_spec.memory_mb
        ) / host_state.total_usable_ram_mb
        return -abs(cpu_share - ram_share)
