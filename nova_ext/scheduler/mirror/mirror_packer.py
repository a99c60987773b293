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
        #: Of the hosts of the last decision, in the mirror's order.
        self._stamps: Stamps | None = None
        self._servers: list[Servers] = []
        self._up: Mask = np.empty(0, np.bool_)
        self._last = MirroredHosts((), (), {}, None, stamps.make(0))
        self._lacking: dict[int, Sequence[str]] = {}
        self._places: dict[str, list[int]] = {}

    def pack(
        self, columns: HostColumns, rows: Rows | None, snapshot: Snapshot,
        held: Held, servers: Sequence[Servers] | None,
        down_after_s: float | None, at: datetime.datetime,
        until: datetime.datetime,
    ) -> tuple[PackedCloud, Sequence[str]]:
        """Pack all hosts, and the providers.

        :param rows: those that were ranked, in order; None: none was.
        :param servers: of each of these; None: as they are now.
        :param down_after_s: [DEFAULT] service_down_time; None: services do
            not report to the database.
        :param at: when they were ranked.
        :param until: when the decision ended.
        :returns: it, and what is missing of ranked hosts.
        """
        order = snapshot.order
        up, stays = _judge_up(columns, order, down_after_s, at, until)
        changed = self._list_changed(columns.stamps[order], up)
        reported: dict[str, Mapping[str, Any]] = {}
        while self.reported:  # other threads put more
            host, now = self.reported.popitem()
            reported[host] = now
            changed += self._places.get(host, ())
        places = _find_places(order, rows)
        copied = {} if servers is None else dict(
            zip(places.tolist(), servers, strict=True)
        )
        changed += [
            place for place, then in copied.items()
            if then != self._servers[place]
        ]
        if changed:
            self._pack_changed(
                columns, order, None if down_after_s is None else up, changed,
                reported, copied,
            )
        unseen = places[~stays[places]]
        providers = snapshot.providers
        return PackedCloud(
            replace(
                self._last,
                ranked=None if rows is None else _to_runs(places),
            ), providers.providers, {
                uuid: dict(amounts) for uuid, amounts in held.amounts.items()
            }, sorted({*held.refused, *_list_old(snapshot)}), providers.stamps,
        ), [*self._list_lacking(places), *(
            f'when the service of {columns.keys[row][0]} was last seen'
            for row in order[unseen].tolist()
        )]

    def _list_changed(self, now: Stamps, up: Mask) -> list[int]:
        """Return the places of hosts that changed since the last request."""
        changed = stamps.list_changed(self._stamps, now)
        if len(up) == len(self._up):
            changed += np.flatnonzero(up != self._up).tolist()
        else:
            self._lacking, self._places = {}, {}
            self._servers = [()] * len(now)
        self._stamps, self._up = now, up
        return changed

    def _list_lacking(self, places: Rows) -> list[str]:
        """Return what ranked hosts lack."""
        ranked = frozenset(places.tolist()) if self._lacking else ()
        return [
            text for place, texts in self._lacking.items() if place in ranked
            for text in texts
        ]

    def _pack_changed(
        self, columns: HostColumns, order: Rows, up: Mask | None,
        changed: Sequence[int], reported: Mapping[str, Mapping[str, Any]],
        copied: Mapping[int, Servers],
    ) -> None:
        """Pack some hosts anew.

        :param up: by place, which services were up; None: it is not known.
        :param reported: servers by host, as they are now.
        :param copied: servers by place, as they were when hosts were ranked.
        """
        last, count = self._last, len(order)
        # Who gets the same list again knows that it is the same.
        keys: Any = last.keys if len(last.keys) == count else [()] * count
        hosts: list[Packed] = list(last.hosts) if len(
            last.hosts
        ) == count else [{}] * count
        for place in changed:
            pause()
            state = columns.states[order[place]]
            key: Key = (
                state.host, state.nodename, state.uuid or '',
                state.cell_uuid or '',
            )
            values = _read_values(state)
            if place in copied:
                values['instances'] = copied[place]
            elif state.host in reported:
                values['instances'] = tuple(reported[state.host])
            self._servers[place] = values['instances']
            packed = self._packer.pack_host(key, values)
            packed.set_up(None if up is None else bool(up[place]))
            hosts[place] = packed.packed
            if keys[place] != key:
                keys = list(keys) if keys is last.keys else keys
                keys[place] = key
            if packed.lacking:
                self._lacking[place] = packed.lacking
            else:
                self._lacking.pop(place, None)
        if keys is not last.keys:
            self._places = {}
            for place, (host, *_) in enumerate(keys):
                self._places.setdefault(host, []).append(place)
        # Where an aggregate changes, its hosts get other states.
        self._last = MirroredHosts(keys, hosts, {
            **last.aggregates, **self._packer.pack_aggregates(
                columns.states[order[place]].aggregates for place in changed
            ),
        }, None, stamps.replace(last.stamps, changed) if len(
            last.stamps
        ) == count else stamps.make(count))


def _list_old(snapshot: Snapshot) -> list[str]:
    """Return the providers whose facts are too old."""
    _, old = snapshot.look(options.CONF.nova_ext.mirror_max_age_s)
    if not old.size:
        return []
    uuids = list(snapshot.providers.rows)
    return [uuids[row] for row in old.tolist() if row >= 0]


def _find_places(order: Rows, rows: Rows | None) -> Rows:
    """Return the places of ranked hosts in an order of all."""
    if rows is None:
        return order[:0]
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places[rows]


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
    columns: HostColumns, rows: Rows, down_after_s: float | None,
    at: datetime.datetime, until: datetime.datetime,
) -> tuple[Mask, Mask]:
    """Say of each host whether its service was up, and whether it stayed so.

    :param down_after_s: None: all were up, and stayed so.
    """
    if down_after_s is None:
        return np.ones(len(rows), np.bool_), np.ones(len(rows), np.bool_)
    seen = columns.numbers[service_state.SEEN][rows]
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
