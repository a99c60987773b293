"""Read host states out of Nova's databases, those that changed."""

import copy
import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from nova import context as nova_context
from oslo_utils import timeutils

from nova_ext.engine.host_columns import Key
from nova_ext.engine.host_table import HostTable
from nova_ext.scheduler.facts import cells
from nova_ext.scheduler.mirror.hosts import host_rows, servers
from nova_ext.scheduler.mirror.hosts.lazy_host_state import LazyHostState
from nova_ext.scheduler.mirror.plugins import service_state
from nova_ext.scheduler.mirror.plugins.host_views import HostView

#: A row is written after its ``updated_at``, when its transaction ends.
OVERLAP = datetime.timedelta(seconds=60)
#: UUIDs in one query.
_AT_ONCE = 500


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
        self._services: dict[str, host_rows.ServiceRow] = {}
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
        hosts = {host for rows in by_cell.values() for host in rows.services}
        uuids: dict[Key, str] = {}
        for cell, rows in by_cell.items():
            wanted = self._list_changed(rows)
            read = set()
            for state in self._make_states(cell, wanted):
                # One that never reported its use has no numbers.
                if state.uuid is not None:
                    read.add(state.uuid)
                    key = state.host, state.nodename
                    if not state.is_same(table.get(key)):
                        table.put(state)
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

    def _read_cells(self) -> Mapping[str, host_rows.CellRows]:
        """Return the rows of each cell that Nova schedules to.

        A reading that hangs keeps one of the threads that Nova has for cells.
        None is begun before the last one ended.
        """
        hanging = sorted(self._reading)
        if hanging:
            raise CellError(f'the database of cell {hanging[0]} still hangs')
        return _gather(self._host_manager.enabled_cells, self._read_cell)

    def _read_cell(self, in_cell: Any) -> host_rows.CellRows:
        """Return a cell's rows, in a thread of Nova's."""
        cell = in_cell.cell_uuid
        self._reading.add(cell)
        try:
            return host_rows.read_rows(in_cell)
        finally:
            self._reading.discard(cell)

    def _list_changed(self, rows: host_rows.CellRows) -> set[str]:
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

    def read_again(self, states: Iterable[Any]) -> Mapping[Key, Any]:
        """Return some hosts as they are now, by one query a cell.

        Rows that changed are read in whole by another one.

        :returns: states, by host and node; none of a host that Nova would
            leave out, as it is gone.
        :raises CellError: where a cell does not answer.
        """
        known: dict[str, dict[str, Any]] = {}
        for state in states:
            known.setdefault(state.cell_uuid, {})[state.uuid] = state
        mappings = self._host_manager.enabled_cells
        by_cell = _gather(
            [cell for cell in mappings if cell.uuid in known],
            lambda in_cell: self._read_some(in_cell, known[in_cell.cell_uuid]),
        )
        return {
            (state.host, state.nodename): state
            for read in by_cell.values()
            for state in read if state.uuid is not None
        }

    def _read_some(
        self, in_cell: Any, known: Mapping[str, Any]
    ) -> list[Any]:
        """Return states of now, those that are known where no row changed."""
        versions = host_rows.read_versions(in_cell, list(known))
        same = [
            known[uuid] for uuid, version in versions.items()
            if version == host_rows.get_version(known[uuid])
        ]
        by_host = servers.list_servers(
            self._host_manager, in_cell, {state.host for state in same}
        )
        changed = sorted(versions.keys() - {state.uuid for state in same})
        return [
            self._renew(state, by_host[state.host]) for state in same
        ] + (self._make_some(in_cell, changed) if changed else [])

    def _renew(self, state: Any, its_servers: Mapping[str, Any]) -> Any:
        """Return a state with the aggregates and servers of now."""
        aggregates = self._list_aggregates(state.host)
        if state.instances is its_servers and (
            set(map(id, aggregates)) == set(map(id, state.aggregates))
        ):
            return state
        view = HostView(state)
        view.aggregates, view.instances = aggregates, its_servers
        return view

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
        nodes, services = host_rows.read_nodes(in_cell, uuids)
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
        known = map(manager.aggs_by_id.get, ids)
        return [aggregate for aggregate in known if aggregate is not None]

    def _set_aggregates(self, table: HostTable, hosts: Iterable[str]) -> None:
        """Set those of hosts whose aggregates changed.

        Nova replaces one whole when anything of it changes. It tells of its
        other hosts, too.
        """
        manager = self._host_manager
        by_id = dict(manager.aggs_by_id)
        ids = {
            host: frozenset(manager.host_aggregates_map.get(host, ()))
            for host in hosts
        }
        changed = {
            id_ for id_ in by_id.keys() | self._aggregates.keys()
            if by_id.get(id_) is not self._aggregates.get(id_)
        }
        if changed or ids != self._aggregate_ids:
            for key in table.list_keys():
                own, host = ids[key[0]], key[0]
                if own & changed or own != self._aggregate_ids.get(host):
                    _set_aggregates(table, key, [
                        by_id[id_] for id_ in own if id_ in by_id
                    ])
        self._aggregates, self._aggregate_ids = by_id, ids

    def _find_oldest(self, cell_rows: Iterable[host_rows.CellRows]) -> int:
        manager = self._host_manager
        if len(manager.enabled_cells) < len(manager.cells):
            return 0  # Nova asks disabled ones, too
        return host_rows.find_oldest([
            service.version for service, _ in rows.services.values()
            if not service.forced_down
        ] for rows in cell_rows)

    def _set_heartbeats(
        self, table: HostTable, cell_rows: Iterable[host_rows.CellRows]
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


def _gather(
    mappings: Sequence[Any], read: Callable[[Any], Any]
) -> Mapping[str, Any]:
    with cells.use_admin_context() as admin:
        by_cell: Mapping[str, Any] = nova_context.scatter_gather_cells(
            admin, mappings, nova_context.CELL_TIMEOUT, read
        )
    for cell, answer in sorted(by_cell.items()):
        if nova_context.is_cell_failure_sentinel(answer):
            raise CellError(f'no answer from the database of cell {cell}')
    return by_cell


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
