"""Cost hosts by the builds that failed there of late."""

from nova_ext.plugin import MAX_COST, Cost, HostState, RequestSpec

#: What each failed build costs: as much as 4 GiB of free RAM.
BUILD_COST = 4096


class FailedBuildsCost(Cost):
    """Prefer hosts that built their last servers."""

    # Names of the scheduler hints that it reads.
    hints = ()

    def get_cost(self, host: HostState, request: RequestSpec) -> int:
        """Return 4096 for each build that failed since the last success."""
        return min(BUILD_COST * host.failed_builds, MAX_COST)
