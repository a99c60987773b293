"""Pack what a mirror knows: what was replaced since the last request."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nova_ext.engine import stamps
from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns
from nova_ext.engine.provider_columns import Mask
from nova_ext.engine.stamps import Stamps
from nova_ext.journal.columns import Key, MirroredHosts, Packed
from nova_ext.journal.writer import PackedCloud
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.journal.host_values import HostPacker
from nova_ext.scheduler.journal.kept_hosts import unwrap_service
from nova_ext.scheduler.mirror.plugins import service_state
from nova_ext.scheduler.mirror.snapshot import Snapshot

#: UUIDs of the servers of a host, in Nova's order.
Servers = tuple[str, ...]


class MirrorPacker:
    """Pack host states; only those that were replaced since the last time.

    :param packer: packs single ones.
    :ivar reported: servers of hosts that are to be packed again, by host.
    """

    def __init__(self, packer: HostPacker) -> None:
        self._packer = packer
        self.reported: dict[str, Mapping[str, Any]] = {}
        #: Of the last decision: rows of hosts in the mirror's order, and the
        #: place of each row in it.
        self._order: Rows = np.empty(0, np.int64)
        self._places: Rows = self._order
        #: By row.
        self._stamps: Stamps | None = None
        self._up: Mask = np.empty(0, np.bool_)
        self._servers: list[Servers] = []
        self._lacking: dict[int, Sequence[str]] = {}
        #: By place. One that changes is replaced in the list.
        self._hosts: list[Packed] = []
        self._last = MirroredHosts((), (), {}, None, stamps.make(0))

    def pack(
        self, columns: HostColumns, rows: Rows | None, snapshot: Snapshot,
        held: Held, servers: Sequence[Servers] | None,
        down_after_s: float | None, at: datetime.datetime,
        until: datetime.datetime,
    ) -> tuple[PackedCloud, Sequence[str]]:
        """Pack all hosts, and the providers.

        The journal's writer takes them before the next call.

        :param rows: those that were ranked, in order; None: none was.
        :param servers: of each of these; None: as they are now.
        :param down_after_s: [DEFAULT] service_down_time; None: services do
            not report to the database.
        :param at: when they were ranked.
        :param until: when the decision ended.
        :returns: it, and what is missing of ranked hosts.
        """
        if snapshot.order is not self._order:
            self._begin(snapshot.order)
        ranked = self._order[:0] if rows is None else rows
        up, stays = _judge_up(columns, down_after_s, at, until)
        changed = self._list_changed(columns.stamps, up)
        reported: dict[str, Mapping[str, Any]] = {}
        while self.reported:  # other threads put more
            host, now = self.reported.popitem()
            reported[host] = now
            changed += columns.find_host(host.lower())
        copied = {} if servers is None else dict(
            zip(ranked.tolist(), servers, strict=True)
        )
        changed += [
            row for row, then in copied.items() if then != self._servers[row]
        ]
        if changed:
            self._pack_changed(
                columns, None if down_after_s is None else up, changed,
                reported, copied,
            )
        unseen = [] if stays.all() else ranked[~stays[ranked]].tolist()
        providers = snapshot.providers
        return PackedCloud(
            replace(
                self._last, ranked=None if rows is None
                else self._find_runs(rows),
            ), providers.providers, {
                uuid: dict(amounts) for uuid, amounts in held.amounts.items()
            }, sorted({*held.refused, *_list_old(snapshot)}), providers.stamps,
        ), [*self._list_lacking(ranked), *(
            f'when the service of {columns.keys[row][0]} was last seen'
            for row in unseen
        )]

    def _begin(self, order: Rows) -> None:
        """Forget the hosts of the last decision: there are others."""
        count = len(order)
        self._order, self._places = order, np.empty(count, np.int64)
        self._places[order] = np.arange(count)
        self._stamps, self._lacking = None, {}
        self._servers, self._hosts = [()] * count, [{}] * count
        self._last = replace(self._last, keys=[('', '', '', '')] * count)

    def _list_changed(self, now: Stamps, up: Mask) -> list[int]:
        """Return the rows of hosts that changed since the last request."""
        changed = stamps.list_changed(self._stamps, now)
        if self._stamps is not None:
            changed += np.flatnonzero(up != self._up).tolist()
        self._stamps, self._up = now, up
        return changed

    def _find_runs(self, rows: Rows) -> list[int]:
        """Return the places of ranked hosts, as runs."""
        if np.array_equal(rows, self._order):
            return [0, len(rows)]
        return _to_runs(self._places[rows])

    def _list_lacking(self, rows: Rows) -> list[str]:
        """Return what ranked hosts lack."""
        ranked = frozenset(rows.tolist()) if self._lacking else ()
        return [
            text for row, texts in self._lacking.items() if row in ranked
            for text in texts
        ]

    def _pack_changed(
        self, columns: HostColumns, up: Mask | None, changed: Sequence[int],
        reported: Mapping[str, Mapping[str, Any]],
        copied: Mapping[int, Servers],
    ) -> None:
        """Pack some hosts anew.

        :param up: by row, which services were up; None: it is not known.
        :param reported: servers by host, as they are now.
        :param copied: servers by row, as they were when hosts were ranked.
        """
        last = self._last
        # Who gets the same list again knows that it is the same.
        keys: Any = last.keys
        places: list[int] = self._places[changed].tolist()
        for row, place in zip(changed, places, strict=True):
            pause()
            state = columns.states[row]
            key: Key = (
                state.host, state.nodename, state.uuid or '',
                state.cell_uuid or '',
            )
            values = _read_values(state)
            if row in copied:
                values['instances'] = copied[row]
            elif state.host in reported:
                values['instances'] = tuple(reported[state.host])
            self._servers[row] = values['instances']
            packed = self._packer.pack_host(key, values)
            packed.set_up(None if up is None else bool(up[row]))
            self._hosts[place] = packed.packed
            if keys[place] != key:
                keys = list(keys) if keys is last.keys else keys
                keys[place] = key
            if packed.lacking:
                self._lacking[row] = packed.lacking
            else:
                self._lacking.pop(row, None)
        # Where an aggregate changes, its hosts get other states.
        self._last = MirroredHosts(keys, self._hosts, {
            **last.aggregates, **self._packer.pack_aggregates(
                columns.states[row].aggregates for row in changed
            ),
        }, None, stamps.replace(last.stamps, places) if (
            keys is last.keys
        ) else stamps.make(len(keys)))


def _list_old(snapshot: Snapshot) -> list[str]:
    """Return the providers whose facts are too old."""
    _, old = snapshot.look(options.CONF.nova_ext.mirror_max_age_s)
    if not old.size:
        return []
    uuids = list(snapshot.providers.rows)
    return [uuids[row] for row in old.tolist() if row >= 0]


def _to_runs(places: Rows) -> list[int]:
    """Return places as runs: first place and number of places, by turns."""
    if not places.size:
        return []
    begins = np.flatnonzero(np.diff(places, prepend=-2) != 1)
    counts = np.diff(begins, append=len(places))
    runs: list[int] = np.column_stack([places[begins], counts]).ravel(
    ).tolist()
    return runs


def _judge_up(
    columns: HostColumns, down_after_s: float | None,
    at: datetime.datetime, until: datetime.datetime,
) -> tuple[Mask, Mask]:
    """Say of each host whether its service was up, and whether it stayed so.

    :param down_after_s: None: all were up, and stayed so.
    """
    if down_after_s is None:
        return np.ones(len(columns), np.bool_), np.ones(len(columns), np.bool_)
    seen = columns.numbers[service_state.SEEN]
    then, now = (
        abs(service_state.to_seconds(time) - seen) <= down_after_s
        for time in (at, until)
    )
    return then, then == now


def _read_values(state: Any) -> dict[str, Any]:
    """Return the attributes of a state, and parse nothing for it."""
    own = dict(vars(state))
    shown = own.pop('_state', None)
    values = {} if shown is None else _read_values(shown)
    topology = own.pop('_topology', None)
    if topology is not None:
        own['numa_topology'] = topology.read_unparsed()
    values |= own
    values.setdefault('numa_topology', None)
    values['instances'] = tuple(values['instances'])
    values['service'] = unwrap_service(values)
    if 'pci_stats' in own:
        stats = own['pci_stats']
        values['pci_pools'] = None if stats is None else [
            dict(pool) for pool in stats.pools
        ]
    return values
