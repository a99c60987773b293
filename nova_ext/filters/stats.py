"""StatsFilter: hosts whose pushed stats are as the request asks."""

from collections.abc import Collection

from nova_ext.core.extension import (
    PASS,
    Filter,
    HostState,
    Operation,
    RequestSpec,
    UnreadableError,
    Verdict,
    get_operation,
    hint_names,
    reject,
    requested_stats,
    stat_name,
)


class StatsFilter(Filter):
    """Pass hosts that meet what the request asks of their stats.

    Extra spec or hint: ``stats:load1='<= 8'``, with the operators of Nova's
    extra specs; all that are given have to be met. A stat that is absent or
    stale meets none, and what can't be read rejects every host.
    """

    option_group = 'nova_ext_stats'
    policy = 'nova_ext:stats_hint'
    hint_prefix = 'stats:'
    once_per_request = True

    def needed_stats(self) -> Collection[str]:
        """Those that may be asked for."""
        return [stat_name(n) for n in self.options['names']]

    def check(self, host: HostState, request: RequestSpec) -> Verdict:
        """Reject a host for the first requirement that it does not meet."""
        try:
            requested = requested_stats(request, self.options['names'])
        except UnreadableError as error:
            return reject(str(error))
        for one in requested:
            stat = self.facts.stat(host, one.stat)
            if stat.value is None:
                return reject(stat.why, stat.detail)
            if not one.requirement.met_by(stat.value):
                return reject(
                    f'{one.key} is not {one.written}',
                    f'but {stat.text}',
                )
        return PASS

    def restricted(self, request: RequestSpec) -> bool:
        """Whether the one who asks named a stat by a hint."""
        return bool(hint_names(request, self.hint_prefix)) and (
            get_operation(request) is Operation.FIRST_BOOT
        )
