"""Facts about the cloud, read from Nova's databases."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from nova import context as nova_context
from nova import exception, objects, servicegroup

from nova_ext.core.stats.capabilities import Capabilities
from nova_ext.core.stats.stats import Stat
from nova_ext.scheduler.facts import admin_context, nodes
from nova_ext.scheduler.facts.owners import Owners
from nova_ext.scheduler.facts.resource_stats import ResourceStats
from nova_ext.scheduler.facts.services import Services
from nova_ext.scheduler.trace import request_facts, trace

COMPUTE = 'compute'


class NovaFacts:
    """What extensions and explanations may ask of Nova.

    Every method opens its own administrator's context: facts are the
    scheduler's, not the caller's.
    """

    def __init__(self) -> None:
        self._owners = Owners()
        self.services = Services()
        self.resource_stats = ResourceStats(nodes.every)

    def hosts_up(self, context: Any, topic: str) -> list[str]:
        """Hosts whose service of the topic is up and enabled, sorted.

        :param topic: ``compute``, whose services Nova keeps; of any other,
            the services that report.
        """
        if topic != COMPUTE:
            return sorted(self.services.capabilities(topic))
        group = servicegroup.API()
        return sorted({
            service.host for service in _compute_services()
            if group.service_is_up(service)
        })

    def ailing_services(self) -> dict[str, Any]:
        """The services nova-compute that are disabled or down, by host."""
        group = servicegroup.API()
        return {
            service.host: service
            for service in _compute_services(include_disabled=True)
            if service.disabled or not group.service_is_up(service)
        }

    def capabilities(self, topic: str) -> Mapping[str, Capabilities]:
        """What services of a topic report, by host, while they are up."""
        return self.services.capabilities(topic)

    def stat(self, host: Any, name: str) -> Stat:
        """A stat that was pushed of a host, unless it is too old."""
        found = self.resource_stats.stat(host, name)
        attempt = trace.current_attempt()
        if found.value is None and attempt is not None:
            attempt.add_absent_stat(host, found)
        return found

    def server_host(self, context: Any, server_uuid: str) -> str | None:
        """The host a server is on, else the one it was shelved on."""
        try:
            with admin_context.context() as admin:
                cell = objects.InstanceMapping.get_by_instance_uuid(
                    admin, server_uuid
                ).cell_mapping
                if cell is None:
                    return None
                with nova_context.target_cell(admin, cell) as in_cell:
                    return _server_host(in_cell, server_uuid)
        except (exception.InstanceMappingNotFound,
                exception.InstanceNotFound):
            return None

    def global_request_id(self, request: Any) -> str | None:
        """The id that whoever made the request gave it."""
        return getattr(
            request_facts.caller(request), 'global_request_id', None
        )

    def servers_of_owner(self, host: Any, request: Any) -> int:
        """Servers on the host that the request's user owns."""
        return self._owners.servers(host, request)

    def aggregate_names(self) -> dict[str, str]:
        """Names of all host aggregates, by UUID."""
        return {each.uuid: each.name for each in self.aggregates()}

    def aggregates(self) -> list[Any]:
        """All host aggregates, with their hosts and metadata."""
        with admin_context.context() as admin:
            return list(objects.AggregateList.get_all(admin))

    def all_hosts(self) -> list[str]:
        """Names of all hosts that are mapped to a cell."""
        return nodes.mapped()


@cache
def get() -> NovaFacts:
    """The facts that all extensions of this process share."""
    return NovaFacts()


def _compute_services(**which: Any) -> Iterator[Any]:
    """The services nova-compute of all cells that answer."""
    with admin_context.context() as admin:
        found = nova_context.scatter_gather_skip_cell0(
            admin, objects.ServiceList.get_by_binary, 'nova-compute', **which
        )
    for services in found.values():
        if not nova_context.is_cell_failure_sentinel(services):
            yield from services


def _server_host(in_cell: Any, server_uuid: str) -> str | None:
    server = objects.Instance.get_by_uuid(
        in_cell, server_uuid, expected_attrs=['system_metadata']
    )
    return (
        server.host
        or server.system_metadata.get('shelved_host')
        or _offloaded_from(in_cell, server_uuid)
        or server.launched_on
    )


def _offloaded_from(in_cell: Any, server_uuid: str) -> str | None:
    """The host that a volume-backed server left last.

    Such a server is offloaded at once, and Nova keeps its host nowhere but
    in the history of its actions.
    """
    actions = objects.InstanceActionList.get_by_instance_uuid(
        in_cell, server_uuid
    )
    for action in actions:  # newest first
        events = objects.InstanceActionEventList.get_by_action(
            in_cell, action.id
        )
        for event in events:
            if event.event == 'compute_shelve_offload_instance':
                return str(event.host)
    return None
