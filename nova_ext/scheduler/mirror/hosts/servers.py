"""Know which servers hosts have, as Nova's host manager knows it now.

nova-compute tells it by messages. Of a host that sends none, Nova reads the
servers at each request; so does the mirror, of a few hosts.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from nova import objects
from nova.db.main import api as db_api

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns
from nova_ext.scheduler.facts import cells
from nova_ext.scheduler.mirror.plugins.host_views import HostView

#: Hosts whose servers are read for one request.
MAX_READ = 20
#: Hosts in one query.
_AT_ONCE = 500


class ServerGroup:
    """Note where the servers of a group are, and undo what Nova noted.

    :param spec: Nova's request spec, which may have no group.
    """

    def __init__(self, spec: Any) -> None:
        self._group = spec.instance_group
        self._hosts = (
            list(self._group.hosts)
            if self._group and 'hosts' in self._group else []
        )

    def restore(self) -> None:
        """Undo what Nova noted of servers whose claims are released."""
        if self._group:
            self._group.hosts = list(self._hosts)
            self._group.obj_reset_changes(['hosts'])

    def add(
        self, host_manager: Any, hosts: Iterable[Any], uuids: Collection[str]
    ) -> None:
        """Note that servers were placed: the next request sees them.

        :param host_manager: Nova's.
        :param hosts: the states from which Nova took them.
        :param uuids: theirs.
        """
        if self._group:
            for state in hosts:
                _add(host_manager, state.host, {
                    uuid: state.instances[uuid] for uuid in uuids
                    if uuid in state.instances
                })


def update(
    host_manager: Any, columns: HostColumns, rows: Rows
) -> HostColumns:
    """Return columns whose states have the servers of now.

    As in HostManager._get_instance_info.

    :param rows: the hosts that matter.
    :raises FallbackError: for several nodes of one host, or where too many
        hosts would have to be read.
    """
    if have_several_nodes(columns, rows):
        raise FallbackError(Fallback.SEVERAL_NODES)
    newer = {}
    unknown: dict[str, list[int]] = {}
    for row in rows.tolist():
        state = columns.states[row]
        servers = get_known(host_manager, state.host)
        if servers is None:
            unknown.setdefault(state.host, []).append(row)
        elif servers is not state.instances:
            newer[row] = _replace(state, servers)
    if len(unknown) > MAX_READ:
        raise FallbackError(Fallback.UNREPORTED_SERVERS)
    with cells.use_admin_context() as admin:
        for host, of_host in unknown.items():
            servers = host_manager._get_instances_by_host(admin, host)
            for row in of_host:
                newer[row] = _replace(columns.states[row], servers)
    return columns.replace_states(newer) if newer else columns


def have_several_nodes(columns: HostColumns, rows: Rows) -> bool:
    """Say whether some are nodes of one host.

    Nova's have their servers in common, also those that it places just now.
    """
    hosts = columns.get_values('host')[rows].tolist()
    return len(set(hosts)) < len(hosts)


def list_servers(
    host_manager: Any, in_cell: Any, hosts: Iterable[str]
) -> Mapping[str, dict[str, Any]]:
    """Return the servers of hosts, as HostManager._get_instance_info does.

    It reads them host by host. They are read at once here.

    :param in_cell: a context of the hosts' cell.
    """
    servers: dict[str, dict[str, Any]] = {}
    unknown = []
    for host in hosts:
        known = get_known(host_manager, host)
        if known is None:
            unknown.append(host)
        servers[host] = {} if known is None else known
    for first in range(0, len(unknown), _AT_ONCE):
        read = db_api.instance_get_all_uuids_by_hosts(
            in_cell, unknown[first:first + _AT_ONCE]
        )
        for host, uuids in read.items():
            servers[host] = {
                uuid: objects.Instance(in_cell, uuid=uuid) for uuid in uuids
            }
    return servers


def get_known(host_manager: Any, host: str) -> dict[str, Any] | None:
    """Return the servers of a host that its nova-compute reports, by UUID.

    :returns: None where it does not.
    """
    known = host_manager._instance_info.get(host)
    return known['instances'] if known and known.get('updated') else None


def _add(host_manager: Any, host: str, servers: dict[str, Any]) -> None:
    """Add servers that were placed, as Nova does until it hears of them."""
    known = get_known(host_manager, host)
    if known is not None:
        for uuid, server in servers.items():
            known.setdefault(uuid, server)


def _replace(state: Any, servers: dict[str, Any]) -> Any:
    view = HostView(state)
    view.instances = servers
    return view
