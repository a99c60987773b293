from nova import context as nova_context
from nova import objects
from nova.scheduler import filters


class FailureDomainFilter(filters.BaseHostFilter):
    def host_passes(self, host_state, spec_obj):
        wanted = spec_obj.get_scheduler_hint('different_failure_domain')
        context = nova_context.get_admin_context()
        for host in spec_obj.instance_group.hosts if wanted else ():
            objects.AggregateList.get_by_host(context, host)
        return True
