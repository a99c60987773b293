"""A filter of another package, of the kind that Atmosphere brings."""

from nova.scheduler import filters


class FailureDomainFilter(filters.BaseHostFilter):
    """Keep servers with the hint out of the group's failure domains."""

    def host_passes(self, host_state, spec_obj):
        """Look at the aggregates of the group's hosts."""
        if not spec_obj.get_scheduler_hint('different_failure_domain'):
            return True
        taken = {
            aggregate.id for aggregate in host_state.aggregates
            if set(aggregate.hosts) & set(spec_obj.instance_group.hosts)
        }
        return not taken & {each.id for each in host_state.aggregates}
