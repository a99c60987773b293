"""Facts about the cloud, read from Nova's databases."""

from typing import Any

from nova import context as nova_context
from nova import exception, objects, servicegroup


class NovaFacts:
    """What drivers and explanations may ask of Nova.

    Every method opens its own administrator's context: facts are the
    scheduler's, not the caller's.
    """

    def hosts_up(self, context: Any, topic: str) -> list[str]:
        """Hosts whose service of the topic is up and enabled, sorted.

        :param topic: ``compute``; Nova keeps services of no other.
        """
        group = servicegroup.API()
        up: set[str] = set()
        admin = nova_context.get_admin_context()
        found = nova_context.scatter_gather_skip_cell0(
            admin, objects.ServiceList.get_by_binary, f'nova-{topic}'
        )
        for services in found.values():
            if nova_context.is_cell_failure_sentinel(services):
                continue
            up.update(s.host for s in services if group.service_is_up(s))
        return sorted(up)

    def server_host(self, context: Any, server_uuid: str) -> str | None:
        """The host a server is on, else the one it was launched on."""
        admin = nova_context.get_admin_context()
        try:
            cell = objects.InstanceMapping.get_by_instance_uuid(
                admin, server_uuid
            ).cell_mapping
            if cell is None:
                return None
            with nova_context.target_cell(admin, cell) as in_cell:
                server = objects.Instance.get_by_uuid(
                    in_cell, server_uuid, expected_attrs=[]
                )
        except (exception.InstanceMappingNotFound,
                exception.InstanceNotFound):
            return None
        return server.host or server.launched_on

    def all_hosts(self) -> list[str]:
        """Names of all hosts that are mapped to a cell."""
        admin = nova_context.get_admin_context()
        mappings = objects.HostMappingList.get_all(admin)
        return [mapping.host for mapping in mappings]
