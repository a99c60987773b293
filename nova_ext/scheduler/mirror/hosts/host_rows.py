"""Read the rows of compute nodes and of their services."""

import datetime
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from nova import objects
from nova.db.main import api as db_api
from nova.db.main import models


class ServiceRow(NamedTuple):
    """Hold what a service's row says, but for its heartbeat."""

    uuid: str
    disabled: bool
    disabled_reason: str | None
    forced_down: bool
    version: int | None


class CellRows(NamedTuple):
    """Hold the rows of one cell.

    :param nodes: host, node and time of the last change, by UUID.
    :param services: the service, and when it was last seen, by host.
    """

    nodes: Mapping[str, tuple[str, str, datetime.datetime | None]]
    services: Mapping[str, tuple[ServiceRow, datetime.datetime]]


#: Nova's object has the numbers of stats as strings.
_STATS = json.JSONDecoder(parse_int=str, parse_float=str)
_NODES, _SERVICES = models.ComputeNode.__table__, models.Service.__table__
_node, _service = _NODES.c, _SERVICES.c


def _select(*columns: Any) -> Any:
    """Return a query of some compute nodes with their services.

    It is made once: to make one takes a third of the time of the query. To
    have rows made into Nova's models takes as long as to query them.
    """
    return sa.select(*columns).join_from(
        _NODES, _SERVICES, _service.host == _node.host
    ).where(
        _node.uuid.in_(sa.bindparam('uuids', expanding=True)),
        _node.deleted == 0, _service.deleted == 0,
        _service.binary == 'nova-compute',
    )


_VERSIONS = _select(
    _node.uuid, _node.updated_at, _node.stats,
    *(_service[name] for name in ServiceRow._fields),
)
_WHOLE = _select(*_node, *_service)


@db_api.pick_context_manager_reader
def read_rows(context: Any) -> CellRows:
    """Return the rows of a cell."""
    node, service = models.ComputeNode, models.Service
    nodes: Iterable[Any] = context.session.execute(
        sa.select(
            node.uuid, node.host, node.hypervisor_hostname, node.updated_at,
        ).where(node.deleted == 0, node.host.is_not(None))
    )
    services: Iterable[Any] = context.session.execute(
        sa.select(
            service.host, service.last_seen_up, service.created_at,
            service.uuid, service.disabled, service.disabled_reason,
            service.forced_down, service.version,
        ).where(service.deleted == 0, service.binary == 'nova-compute')
    )
    return CellRows(
        {uuid: (host, name, at) for uuid, host, name, at in nodes},
        {
            host: (ServiceRow(*columns), seen or created)
            for host, seen, created, *columns in services
        },
    )


@db_api.pick_context_manager_reader
def read_versions(
    context: Any, uuids: Sequence[str]
) -> Mapping[str, tuple[Any, ...]]:
    """Return what changes with the rows of compute nodes, by their UUIDs."""
    rows = context.session.execute(_VERSIONS, {'uuids': uuids})
    return {
        uuid: (at, _STATS.decode(stats or '{}'), tuple(service))
        for uuid, at, stats, *service in rows
    }


def get_version(state: Any) -> tuple[Any, ...]:
    """Return of a state what read_versions reads of its rows."""
    return (
        state.updated and state.updated.replace(tzinfo=None), state.stats,
        tuple(map(state.service.data.get, ServiceRow._fields)),
    )


def read_nodes(
    context: Any, uuids: Sequence[str]
) -> tuple[list[Any], Mapping[str, Any]]:
    """Return compute nodes, and their services by host.

    Those without a service are left out, as Nova leaves them out. Nova writes
    to some old rows as it makes their objects, so no transaction is open then.
    """
    rows = _query_nodes(context, uuids)
    return [
        objects.ComputeNode._from_db_object(
            context, objects.ComputeNode(), node
        ) for node, _ in rows
    ], {
        service['host']: objects.Service._from_db_object(
            context, objects.Service(), service
        ) for _, service in rows
    }


@db_api.pick_context_manager_reader
def _query_nodes(
    context: Any, uuids: Sequence[str]
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [
        (dict(zip(_node.keys(), row, strict=False)),
         dict(zip(_service.keys(), row[len(_node):], strict=True)))
        for row in context.session.execute(_WHOLE, {'uuids': uuids})
    ]


def find_oldest(cells: Iterable[Iterable[int | None]]) -> int:
    """Return the version of the oldest nova-compute; 0: there is none.

    As in nova.objects.service.get_minimum_version_all_cells.

    :param cells: versions of the services of each cell, but for those that
        are forced down.
    """
    oldest = [
        min((each for each in versions if each is not None), default=0)
        for versions in cells
    ]
    return min(filter(None, oldest), default=0)
