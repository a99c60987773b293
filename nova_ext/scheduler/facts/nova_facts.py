"""Read facts about the cloud, for plugins and explanations."""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from nova import objects, servicegroup

from nova_ext.core.stats.stats import Stat
from nova_ext.scheduler.base import options
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.facts import cells
from nova_ext.scheduler.trace import request_facts

if TYPE_CHECKING:
    from nova_ext.core.stats.capabilities import Capabilities
    from nova_ext.scheduler.facts.owner_counts import OwnerCounts
    from nova_ext.scheduler.facts.reports import ResourceStats, ServiceReports

COMPUTE = 'compute'

# All workers of one configuration have one digest of it, whatever was asked.
options.register('nova_ext_services', 'nova_ext_stats')


class NovaFacts:
    """Read facts from Nova's databases and from reports.

    Every method opens its own administrator's context: facts are the
    scheduler's, not the caller's.
    """

    @cached_property
    def _owner_counts(self) -> 'OwnerCounts':
        # A weigher that few enable asks for it.
        from nova_ext.scheduler.facts import owner_counts

        return owner_counts.OwnerCounts()

    @cached_property
    def services(self) -> 'ServiceReports':
        """Return what services report, to nova-ext-scheduler alone."""
        from nova_ext.scheduler.facts import reports

        return reports.make_service_reports()

    @cached_property
    def resource_stats(self) -> 'ResourceStats':
        """Return what is pushed of hosts, to nova-ext-scheduler alone."""
        from nova_ext.scheduler.facts import reports

        return reports.make_resource_stats()

    def hosts_up(self, context: Any, topic: str) -> list[str]:
        """Return hosts whose service of a topic is up and enabled, sorted.

        :param topic: ``compute`` for the services that Nova lists. For any
            other topic, services are those that report to the scheduler.
        """
        if topic != COMPUTE:
            return sorted(self.services.get_capabilities(topic))
        group = servicegroup.API()
        return sorted({
            service.host for service in _compute_services()
            if group.service_is_up(service)
        })

    def list_disabled_services(self) -> dict[str, Any]:
        """Return nova-compute services that are disabled, by host.

        One short query a cell: it reads no other service.
        """
        return cells.list_disabled_services()

    def get_capabilities(self, topic: str) -> 'Mapping[str, Capabilities]':
        """Return capabilities of a topic's services that are up, by host."""
        return self.services.get_capabilities(topic)

    def get_stat(self, host: Any, name: str) -> Stat:
        """Return a stat that was pushed of a host, unless it is too old."""
        stat = self.resource_stats.get_stat(host, name)
        attempt = cycle.get_attempt()
        if stat.value is None and attempt is not None:
            attempt.add_absent_stat(host, stat)
        return stat

    def get_server_host(self, context: Any, server_uuid: str) -> str | None:
        """Return the host a server is on, else the one it was shelved on."""
        # Drivers ask for it.
        from nova_ext.scheduler.facts import server_hosts

        return server_hosts.get_host(server_uuid)

    def get_global_request_id(self, request: Any) -> str | None:
        """Return the global request id that the caller sent."""
        return getattr(
            request_facts.get_caller_context(request), 'global_request_id',
            None,
        )

    def count_servers_of_owner(
        self, host: Any, request: Any, owner_id: str = ''
    ) -> int:
        """Count the servers on a host that the owner has there."""
        return self._owner_counts.count(host, request, owner_id)

    def list_aggregates(self) -> list[Any]:
        """Return all host aggregates, with their hosts and metadata."""
        with cells.use_admin_context() as admin:
            return list(objects.AggregateList.get_all(admin))

    def list_all_hosts(self) -> list[str]:
        """Return the names of all hosts that are mapped to a cell."""
        return cells.list_mapped_hosts()


@cache
def get() -> NovaFacts:
    """Return the facts that all plugins of this process share."""
    return NovaFacts()


def _compute_services() -> Iterator[Any]:
    """Yield the enabled nova-compute services of all cells that answer."""
    by_cell = cells.gather(objects.ServiceList.get_by_binary, 'nova-compute')
    for services in by_cell.values():
        yield from services or ()
