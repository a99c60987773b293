"""Choose a random host."""

from collections.abc import Sequence

from nova_ext.plugin import (
    ComputeDriver,
    HostState,
    Ranking,
    RequestContext,
    RequestSpec,
)


class ChanceScheduler(ComputeDriver):
    """Take a random host among those that pass the filters."""

    hints = ()

    def rank(
        self,
        hosts: Sequence[HostState],
        request: RequestSpec,
        context: RequestContext,
    ) -> Ranking:
        """Shuffle the hosts."""
        return Ranking.shuffle(hosts)
