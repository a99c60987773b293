"""Pass hosts whose pushed stats meet the request's requirements."""

from collections.abc import Collection, Sequence

from nova_ext.plugin import (
    PASS,
    Audience,
    Filter,
    HostState,
    Operation,
    RequestedStat,
    RequestSpec,
    UnreadableError,
    Verdict,
    get_hint_names,
    get_operation,
    get_requested_stats,
    qualify_stat_name,
    reject,
)


class StatsFilter(Filter):
    """Pass hosts whose stats meet all requirements of the request.

    Extra spec or hint: ``stats:load1='<= 8'``, with the operators of Nova's
    extra specs. A stat that is absent or stale meets none. A requirement
    that can't be parsed rejects every host.
    """

    option_group = 'nova_ext_stats'
    policy = 'nova_ext:stats_hint'
    hint_prefix = 'stats:'
    once_per_request = True
    reasons_for = Audience.MEMBERS

    def get_needed_stats(self) -> Collection[str]:
        """Return the stats that requests may require."""
        return [qualify_stat_name(n) for n in self.options['names']]

    def prepare(
        self, request: RequestSpec
    ) -> Verdict | Sequence[RequestedStat]:
        """Parse the requirements; pass all hosts without any."""
        try:
            return get_requested_stats(
                request, self.options['names']
            ) or PASS
        except UnreadableError as error:
            return reject(str(error))

    def check(
        self, host: HostState, requested: Sequence[RequestedStat]
    ) -> Verdict:
        """Reject a host for the first requirement that it does not meet."""
        for wanted in requested:
            stat = self.facts.get_stat(host, wanted.stat)
            if stat.value is None:
                return reject(stat.reason, stat.detail)
            if not wanted.requirement.is_met_by(stat.value):
                return reject(
                    f'{wanted.key} is not {wanted.text}', f'but {stat.text}'
                )
        return PASS

    def is_restricted(self, request: RequestSpec) -> bool:
        """Say whether a hint requires a stat, and it binds."""
        return bool(get_hint_names(request, self.hint_prefix)) and (
            get_operation(request) is Operation.FIRST_BOOT
        )
