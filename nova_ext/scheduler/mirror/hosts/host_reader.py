"""Read host states out of Nova's databases, those that changed."""

import copy
import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from nova import context as nova_context
from nova import objects
from nova.db.main import api as db_api
from nova.db.main import models
from oslo_utils import timeutils

from nova_ext.engine.host_columns import HostTable, Key
from nova_ext.scheduler.facts import cells
from nova_ext.scheduler.mirror.hosts import prefilters, servers
from nova_ext.scheduler.mirror.hosts.lazy_host_state import LazyHostState
from nova_ext.scheduler.mirror.plugins import service_state

#: A row is written some time after its ``updated_at``, when its transaction
#: ends.
OVERLAP = datetime.timedelta(seconds=60)
#: UUIDs in one query.
_AT_ONCE = 500


class _Service(NamedTuple):
    """Hold what a service's row says, but for its heartbeat."""

    uuid: str
    disabled: bool
    disabled_reason: str | None
    forced_down: bool
    version: int | None


class _Rows(NamedTuple):
    """Hold the rows of one cell.

    :param nodes: host, node and time of the last change, by UUID.
    :param services: the service, and when it was last seen, by host.
    """

    nodes: Mapping[str, tuple[str, str, datetime.datetime | None]]
    services: Mapping[str, tuple[_Service, datetime.datetime]]


class CellError(Exception):
    """Say which cell did not answer."""


class HostReader:
    """Read host states into a table, as Nova's host manager makes them.

    :param host_manager: Nova's.
    :ivar changed_at: when the row of each node changed last, in seconds since
        1970, by its UUID.
    :ivar oldest: version of the oldest nova-compute; 0: not known.
    """

    def __init__(self, host_manager: Any) -> None:
        self._host_manager = host_manager
        self.changed_at: Mapping[str, float] = {}
        self.oldest = 0
        self._services: dict[str, _Service] = {}
        self._aggregates: Mapping[int, Any] = {}
        self._aggregate_ids: Mapping[str, frozenset[int]] = {}
        self._uuids: dict[Key, str] = {}
        self._since: datetime.datetime | None = None
        #: UUIDs of the cells whose rows are being read.
        self._reading: set[str] = set()

    def read(self, table: HostTable) -> None:
        """Read the hosts whose rows changed; remove those that went.

        :raises CellError: where a cell does not answer.
        """
        began = timeutils.utcnow()
        by_cell = self._read_cells()
        hosts = {
            host for rows in by_cell.values() for host in rows.services
        }
        uuids: dict[Key, str] = {}
        for cell, rows in by_cell.items():
            wanted = self._list_changed(rows)
            read = set()
            for state in self._make_states(cell, wanted):
                # One that never reported its use is left out, as it has no
                # numbers yet.
                if state.uuid is not None:
                    table.put(state)
                    read.add(state.uuid)
            uuids |= {
                (host, node): uuid
                for uuid, (host, node, _) in rows.nodes.items()
                if host in rows.services and (
                    uuid in read or uuid not in wanted
                )
            }
        for key in set(table.list_keys()) - uuids.keys():
            table.remove(key)
        self._set_aggregates(table, hosts)
        self._set_heartbeats(table, by_cell.values())
        self._uuids, self._since = uuids, began
        self.changed_at = {
            uuid: service_state.to_seconds(at)
            for rows in by_cell.values()
            for uuid, (_, _, at) in rows.nodes.items() if at is not None
        }
        self.oldest = self._find_oldest(by_cell.values())
        self._services = {
            host: service for rows in by_cell.values()
            for host, (service, _) in rows.services.items()
        }

    def _read_cells(self) -> Mapping[str, _Rows]:
        """Return the rows of each cell that Nova schedules to.

        A reading that hangs keeps one of the threads that Nova has for cells.
        None is begun before the last one ended.
        """
        hanging = sorted(self._reading)
        if hanging:
            raise CellError(f'the database of cell {hanging[0]} still hangs')
        with cells.use_admin_context() as admin:
            by_cell = nova_context.scatter_gather_cells(
                admin, self._host_manager.enabled_cells,
                nova_context.CELL_TIMEOUT, self._read_cell,
            )
        for cell, rows in sorted(by_cell.items()):
            if nova_context.is_cell_failure_sentinel(rows):
                raise CellError(f'no answer from the database of cell {cell}')
        return by_cell

    def _read_cell(self, in_cell: Any) -> _Rows:
        """Return a cell's rows, in a thread of Nova's."""
        cell = in_cell.cell_uuid
        self._reading.add(cell)
        try:
            return _read_rows(in_cell)
        finally:
            self._reading.discard(cell)

    def _list_changed(self, rows: _Rows) -> set[str]:
        """Return the UUIDs of the nodes that are to be read."""
        since = self._since and self._since - OVERLAP
        changed = set()
        for uuid, (host, node, updated_at) in rows.nodes.items():
            if host not in rows.services:
                continue  # Nova leaves it out, too
            service = rows.services[host][0]
            if (
                self._uuids.get((host, node)) != uuid
                or since is None or updated_at is None or updated_at >= since
                # By a clock that is far behind.
                or self.changed_at.get(uuid)
                != service_state.to_seconds(updated_at)
                or self._services.get(host) != service
            ):
                changed.add(uuid)
        return changed

    def read_again(
        self, uuids: Mapping[str, Sequence[str]]
    ) -> Mapping[Key, Any]:
        """Read some hosts as they are now, by one query a cell.

        :param uuids: of their compute nodes, by the UUID of their cell.
        :returns: states, by host and node; none of a host that Nova would
            leave out, as it is gone or as its cell does not answer.
        """
        wanted = [
            cell for cell in self._host_manager.enabled_cells
            if cell.uuid in uuids
        ]
        with cells.use_admin_context() as admin:
            by_cell = nova_context.scatter_gather_cells(
                admin, wanted, nova_context.CELL_TIMEOUT,
                lambda in_cell: self._make_some(
                    in_cell, uuids[in_cell.cell_uuid]
                ),
            )
        return {
            (state.host, state.nodename): state
            for states in by_cell.values()
            if not nova_context.is_cell_failure_sentinel(states)
            for state in states if state.uuid is not None
        }

    def _make_states(self, cell: str, uuids: Iterable[str]) -> list[Any]:
        """Return host states made by Nova's code."""
        ordered = sorted(uuids)
        mapping = self._host_manager.cells.get(cell)
        states: list[Any] = []
        if not ordered or mapping is None:
            return states
        with (
            cells.use_admin_context() as admin,
            nova_context.target_cell(admin, mapping) as in_cell,
        ):
            for first in range(0, len(ordered), _AT_ONCE):
                states += self._make_some(
                    in_cell, ordered[first:first + _AT_ONCE]
                )
        return states

    def _make_some(self, in_cell: Any, uuids: Sequence[str]) -> list[Any]:
        """Return host states of a few hundred compute nodes of a cell."""
        nodes, services = _read_nodes(in_cell, uuids)
        manager = copy.copy(self._host_manager)
        by_host = servers.list_servers(manager, in_cell, services)
        manager.host_state_cls = _make_state
        manager._get_aggregates_info = self._list_aggregates
        manager._get_instance_info = lambda _, node: by_host[node.host]
        return list(manager._get_host_states(
            in_cell, {in_cell.cell_uuid: nodes}, services
        ))

    def _list_aggregates(self, host: str) -> list[Any]:
        """Return a host's aggregates.

        Nova's own method adds hosts to its map, over which another thread may
        loop, and raises for an aggregate that is deleted meanwhile.
        """
        manager = self._host_manager
        ids = tuple(manager.host_aggregates_map.get(host, ()))
        found = map(manager.aggs_by_id.get, ids)
        return [aggregate for aggregate in found if aggregate is not None]

    def _set_aggregates(self, table: HostTable, hosts: Iterable[str]) -> None:
        """Set those of hosts whose aggregates changed.

        Nova replaces one whole when anything of it changes. It tells of its
        other hosts, too.
        """
        manager = self._host_manager
        found = dict(manager.aggs_by_id)
        ids = {
            host: frozenset(manager.host_aggregates_map.get(host, ()))
            for host in hosts
        }
        changed = {
            id_ for id_ in found.keys() | self._aggregates.keys()
            if found.get(id_) is not self._aggregates.get(id_)
        }
        if changed or ids != self._aggregate_ids:
            for key in table.list_keys():
                own, host = ids[key[0]], key[0]
                if own & changed or own != self._aggregate_ids.get(host):
                    _set_aggregates(table, key, [
                        found[id_] for id_ in own if id_ in found
                    ])
        self._aggregates, self._aggregate_ids = found, ids

    def _find_oldest(self, cell_rows: Iterable[_Rows]) -> int:
        manager = self._host_manager
        if len(manager.enabled_cells) < len(manager.cells):
            return 0  # Nova asks disabled ones, too
        return prefilters.find_oldest(
            [
                service.version for service, _ in rows.services.values()
                if not service.forced_down
            ] for rows in cell_rows
        )

    def _set_heartbeats(
        self, table: HostTable, cell_rows: Iterable[_Rows]
    ) -> None:
        seen = {
            host: at.replace(tzinfo=datetime.UTC)
            for rows in cell_rows for host, (_, at) in rows.services.items()
        }
        for key in table.list_keys():
            # Filters of others, and explanations, read it there.
            table.get(key).service.data['last_seen_up'] = seen[key[0]]
        table.set_numbers(service_state.SEEN, {
            key: service_state.to_seconds(seen[key[0]])
            for key in table.list_keys()
        })


@db_api.pick_context_manager_reader
def _read_nodes(
    context: Any, uuids: Sequence[str]
) -> tuple[list[Any], Mapping[str, Any]]:
    """Return compute nodes, and their services by host.

    Those without a service are left out, as Nova leaves them out.
    """
    node, service = models.ComputeNode, models.Service
    rows = context.session.query(node, service).join(
        service, service.host == node.host
    ).filter(
        node.deleted == 0, node.uuid.in_(uuids),
        service.deleted == 0, service.binary == 'nova-compute',
    ).all()
    return [
        objects.ComputeNode._from_db_object(
            context, objects.ComputeNode(), row
        ) for row, _ in rows
    ], {
        row.host: objects.Service._from_db_object(
            context, objects.Service(), row
        ) for _, row in rows
    }


def _set_aggregates(
    table: HostTable, key: Key, aggregates: list[Any]
) -> None:
    state = table.get(key)
    if set(map(id, aggregates)) != set(map(id, state.aggregates)):
        changed = copy.copy(state)  # requests may have the state
        changed.aggregates = aggregates
        table.put(changed)


def _make_state(host: str, node: str, cell: str, **_: Any) -> LazyHostState:
    return LazyHostState(host, node, cell)


@db_api.pick_context_manager_reader
def _read_rows(context: Any) -> _Rows:
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
    return _Rows(
        {uuid: (host, name, at) for uuid, host, name, at in nodes},
        {
            host: (_Service(*columns), seen or created)
            for host, seen, created, *columns in services
        },
    )
