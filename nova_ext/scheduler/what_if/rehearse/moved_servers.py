"""Read the servers of hosts, and their stored request specs, in bulk.

A query for each of 100,000 servers takes longer than to decide about them.
"""

import functools
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from nova import context as nova_context
from nova import objects
from nova.db.api import api as api_db
from nova.db.api import models as api_models
from nova.db.main import api as main_db
from nova.db.main import models as main_models

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.rehearsal import Order
from nova_ext.scheduler.facts import cells

#: In the types of ports with an accelerator.
_ACCELERATOR = 'accelerator-direct'
#: Hosts, or servers, in one query.
_AT_ONCE = 500
_INSTANCES = main_models.Instance.__table__
_EXTRAS = main_models.InstanceExtra.__table__
_PORTS = main_models.InstanceInfoCache.__table__
_SHARES = main_models.ShareMapping.__table__
_SPECS = api_models.RequestSpec.__table__
_MAPPINGS = api_models.InstanceMapping.__table__
_HOSTS = api_models.HostMapping.__table__
_CELLS = api_models.CellMapping.__table__
_MEMBERS = api_models.InstanceGroupMember.__table__
_COLUMNS = tuple(_INSTANCES.c[name] for name in (
    'uuid', 'display_name', 'host', 'vm_state', 'task_state', 'power_state',
    'project_id', 'user_id',
))


@dataclass(frozen=True)
class MovedServer:
    """Hold what a rehearsal reads of a server; the names are an Instance's.

    :param has_devices: whether it has a share, or a port with an accelerator:
        nova-api may refuse to move it, whatever its request is.
    """

    uuid: str
    display_name: str | None
    host: str
    vm_state: str
    task_state: str | None
    power_state: int | None
    project_id: str
    user_id: str
    flavor: Any
    has_devices: bool = False


def list_servers(
    context: Any, hosts: Sequence[str], order: str
) -> list[MovedServer]:
    """Return the servers of all hosts, in the order in which they move.

    :param order: an :class:`.Order`.
    :raises WrongArgumentsError: for a host that Nova does not have.
    """
    by_host = read_servers(context, hosts)
    return sort([
        server for host in dict.fromkeys(hosts) for server in by_host[host]
    ], order)


def sort(servers: Sequence[MovedServer], order: str) -> list[MovedServer]:
    """Return servers in an order; those of ``listed`` are given in it."""
    if order == Order.UUID:
        return sorted(servers, key=lambda server: server.uuid)
    if order == Order.LARGEST:
        return sorted(servers, key=lambda server: (
            -server.flavor.memory_mb, -server.flavor.vcpus, server.uuid
        ))
    return list(servers)


def read_servers(
    context: Any, hosts: Collection[str]
) -> Mapping[str, list[MovedServer]]:
    """Return the servers of each host, as Nova lists them.

    :raises WrongArgumentsError: for a host that Nova does not have.
    """
    servers: dict[str, list[MovedServer]] = {host: [] for host in hosts}
    for some in _split(hosts):
        by_cell: dict[str, list[str]] = {}
        cell_of = dict(_query_cells(context, some))
        for host in some:
            if host not in cell_of:
                raise WrongArgumentsError(f'Nova has no compute host {host}')
            by_cell.setdefault(cell_of[host], []).append(host)
        for cell, in_it in by_cell.items():
            with (
                cells.use_admin_context() as admin,
                nova_context.target_cell(
                    admin, objects.CellMapping.get_by_uuid(admin, cell)
                ) as in_cell,
            ):
                for row in _query_servers(in_cell, in_it):
                    *columns, flavor, has_devices = row
                    servers[row.host].append(MovedServer(*(
                        *columns, _read_flavor(flavor), bool(has_devices)
                    )))
    return servers


@dataclass(frozen=True)
class StoredRequest:
    """Hold the request of a server as Nova's API database has it.

    :param text: the request spec, as JSON.
    :param cell_id: the row of the server's cell.
    :param groups: the rows of the server groups that it is in.
    """

    text: str
    cell_id: int
    groups: tuple[int, ...]


def read_requests(
    context: Any, uuids: Collection[str]
) -> Mapping[str, StoredRequest]:
    """Return the stored requests of servers, by UUID.

    One that has no request spec, or no cell, is left out.
    """
    stored: dict[str, StoredRequest] = {}
    for some in _split(uuids):
        groups: dict[str, tuple[int, ...]] = {}
        for uuid, group in _query_groups(context, some):
            groups[uuid] = (*groups.get(uuid, ()), group)
        for uuid, text, cell_id in _query_requests(context, some):
            stored[uuid] = StoredRequest(text, cell_id, groups.get(uuid, ()))
    return stored


def _split(names: Collection[str]) -> Iterator[list[str]]:
    ordered = list(dict.fromkeys(names))
    for first in range(0, len(ordered), _AT_ONCE):
        yield ordered[first:first + _AT_ONCE]


@functools.lru_cache(maxsize=1000)
def _read_flavor(text: str) -> Any:
    """Return the flavor that a server has; many have the same text."""
    return objects.Flavor.obj_from_primitive(json.loads(text)['cur'])


@main_db.pick_context_manager_reader
def _query_servers(context: Any, hosts: Sequence[str]) -> list[Any]:
    return list(context.session.execute(
        sa.select(*_COLUMNS, _EXTRAS.c.flavor, sa.or_(
            sa.exists().where(_SHARES.c.instance_uuid == _INSTANCES.c.uuid),
            sa.exists().where(
                _PORTS.c.instance_uuid == _INSTANCES.c.uuid,
                _PORTS.c.network_info.contains(_ACCELERATOR),
            ),
        )).join_from(
            _INSTANCES, _EXTRAS,
            _EXTRAS.c.instance_uuid == _INSTANCES.c.uuid,
        ).where(
            _INSTANCES.c.host.in_(hosts), _INSTANCES.c.deleted == 0,
        ).order_by(_INSTANCES.c.id)
    ))


@api_db.context_manager.reader
def _query_cells(context: Any, hosts: Sequence[str]) -> list[Any]:
    return list(context.session.execute(
        sa.select(_HOSTS.c.host, _CELLS.c.uuid)
        .join_from(_HOSTS, _CELLS, _CELLS.c.id == _HOSTS.c.cell_id)
        .where(_HOSTS.c.host.in_(hosts))
    ))


@api_db.context_manager.reader
def _query_requests(context: Any, uuids: Sequence[str]) -> list[Any]:
    return list(context.session.execute(
        sa.select(
            _SPECS.c.instance_uuid, _SPECS.c.spec, _MAPPINGS.c.cell_id,
        ).join_from(
            _SPECS, _MAPPINGS,
            _MAPPINGS.c.instance_uuid == _SPECS.c.instance_uuid,
        ).where(
            _SPECS.c.instance_uuid.in_(uuids), _MAPPINGS.c.cell_id.is_not(None)
        )
    ))


@api_db.context_manager.reader
def _query_groups(context: Any, uuids: Sequence[str]) -> list[Any]:
    return list(context.session.execute(
        sa.select(_MEMBERS.c.instance_uuid, _MEMBERS.c.group_id)
        .where(_MEMBERS.c.instance_uuid.in_(uuids))
        .order_by(_MEMBERS.c.id)
    ))
