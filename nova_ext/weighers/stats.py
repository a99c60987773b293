"""Prefer hosts that meet the requirements of stats by far."""

from collections.abc import Collection, Sequence

from nova_ext.plugin import (
    Columns,
    HostState,
    RequestedStat,
    RequestSpec,
    UnreadableError,
    Weigher,
    get_requested_stats,
    qualify_stat_name,
)


class StatsWeigher(Weigher):
    """Prefer hosts that meet the request's requirements by far.

    With ``stats:load1='<= 8'`` StatsFilter passes hosts of at most that
    load; this weigher prefers the least loaded one.
    """

    option_group = 'nova_ext_stats'
    multiplier_option = 'weight_multiplier'
    hint_prefix = 'stats:'

    def get_needed_stats(self) -> Collection[str]:
        """Return the stats that requests may require."""
        return [qualify_stat_name(n) for n in self.options['names']]

    def get_multiplier(self) -> float:
        """Return 0, which costs nothing, without names of stats."""
        return super().get_multiplier() if self.options['names'] else 0.0

    def prepare(self, request: RequestSpec) -> Sequence[RequestedStat]:
        """Parse the requirements.

        StatsFilter rejects those that can't be parsed.
        """
        try:
            return get_requested_stats(request, self.options['names'])
        except UnreadableError:
            return ()

    def weigh(
        self, host: HostState, requested: Sequence[RequestedStat]
    ) -> float:
        """Return the sum of the margins, each in parts of its bound.

        An absent stat counts as one at its bound.
        """
        margins = 0.0
        for wanted in requested:
            value = self.facts.get_stat(host, wanted.stat).value
            if value is not None:
                margins += wanted.requirement.get_margin(value)
        return margins

    def weigh_all(
        self, hosts: Columns, requested: Sequence[RequestedStat]
    ) -> Sequence[float]:
        """Weigh all hosts the same without requirements."""
        if not requested:
            return [0.0] * len(hosts)
        return super().weigh_all(hosts, requested)
