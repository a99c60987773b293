"""StatsWeigher: hosts that meet a requirement of a stat by far."""

from collections.abc import Collection

from nova_ext.core.extension import (
    HostState,
    RequestSpec,
    UnreadableError,
    Weigher,
    requested_stats,
    stat_name,
)


class StatsWeigher(Weigher):
    """Prefer hosts that are far on the side that the request asks for.

    The companion of StatsFilter: of hosts whose load is at most 8, as
    ``stats:load1='<= 8'`` has it, the least loaded one.
    """

    option_group = 'nova_ext_stats'
    multiplier_option = 'weight_multiplier'
    hint_prefix = 'stats:'

    def needed_stats(self) -> Collection[str]:
        """Those that may be asked for."""
        return [stat_name(n) for n in self.options['names']]

    def multiplier(self) -> float:
        """As for every weigher; 0, which costs nothing, without names."""
        return super().multiplier() if self.options['names'] else 0.0

    def weigh(self, host: HostState, request: RequestSpec) -> float:
        """Add up the margins, each in parts of its bound.

        A stat that is absent counts as one at its bound. Requirements that
        can't be read are StatsFilter's to refuse.
        """
        try:
            requested = requested_stats(request, self.options['names'])
        except UnreadableError:
            return 0.0
        margins = 0.0
        for one in requested:
            value = self.facts.stat(host, one.stat).value
            if value is not None:
                margins += one.requirement.margin(value)
        return margins
