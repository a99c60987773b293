"""Pack what a mirror knows: what was replaced since the last request."""

import datetime
from collections.abc import Mapping, Sequence
from itertools import compress
from operator import is_not
from typing import Any

import numpy as np

from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns
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
        self._states: list[Any] = []
        self._servers: list[Servers] = []
        self._up: list[bool | None] = []
        self._last = MirroredHosts((), (), {}, None)
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
        up = _find_up(columns, order, down_after_s, at)
        states = list(map(columns.states.__getitem__, order.tolist()))
        changed = self._list_changed(states, up)
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
            self._pack_changed(states, up, changed, reported, copied)
        self._states, self._up = states, up
        missing = self._list_lacking(places)
        if rows is not None:
            missing += _list_unseen(columns, rows, down_after_s, at, until)
        return PackedCloud(
            MirroredHosts(
                self._last.keys, self._last.hosts, self._last.aggregates,
                None if rows is None else _to_runs(places),
            ), snapshot.known, {
                uuid: dict(amounts) for uuid, amounts in held.amounts.items()
            }, sorted({*held.refused, *_list_old(snapshot)}),
        ), missing

    def _list_changed(
        self, states: list[Any], up: list[bool | None]
    ) -> list[int]:
        """Return the places of hosts that changed since the last request."""
        if len(states) != len(self._states):
            self._lacking, self._places = {}, {}
            self._servers = [()] * len(states)
            return list(range(len(states)))
        places = range(len(states))
        changed = list(compress(places, map(is_not, states, self._states)))
        if up != self._up:
            changed += compress(places, map(is_not, up, self._up))
        return changed

    def _list_lacking(self, places: Rows) -> list[str]:
        """Return what ranked hosts lack."""
        ranked = frozenset(places.tolist()) if self._lacking else ()
        return [
            text for place, texts in self._lacking.items() if place in ranked
            for text in texts
        ]

    def _pack_changed(
        self, states: list[Any], up: list[bool | None],
        changed: Sequence[int], reported: Mapping[str, Mapping[str, Any]],
        copied: Mapping[int, Servers],
    ) -> None:
        """Pack some hosts anew.

        :param reported: servers by host, as they are now.
        :param copied: servers by place, as they were when hosts were ranked.
        """
        last, count = self._last, len(states)
        # Who gets the same list again knows that it is the same.
        keys: Any = last.keys if len(last.keys) == count else [()] * count
        hosts: list[Packed] = list(last.hosts) if len(
            last.hosts
        ) == count else [{}] * count
        for place in changed:
            pause()
            state = states[place]
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
            packed.set_up(up[place])
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
                states[place].aggregates for place in changed
            ),
        }, None)


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


def _find_up(
    columns: HostColumns, rows: Rows, down_after_s: float | None,
    at: datetime.datetime,
) -> list[bool | None]:
    """Return which services were up; None: that is not known."""
    if down_after_s is None:
        return [None] * len(rows)
    is_up: list[bool | None] = _judge_up(
        columns, rows, down_after_s, at
    ).tolist()
    return is_up


def _list_unseen(
    columns: HostColumns, rows: Rows, down_after_s: float | None,
    at: datetime.datetime, until: datetime.datetime,
) -> list[str]:
    """Return for which services it is not known whether they were up."""
    if down_after_s is None:
        return []
    differ = _judge_up(columns, rows, down_after_s, at) != _judge_up(
        columns, rows, down_after_s, until
    )
    return [
        f'when the service of {columns.keys[row][0]} was last seen'
        for row in rows[np.flatnonzero(differ)].tolist()
    ]


def _judge_up(
    columns: HostColumns, rows: Rows, down_after_s: float,
    at: datetime.datetime,
) -> Any:
    seen = columns.numbers[service_state.SEEN][rows]
    return abs(service_state.to_seconds(at) - seen) <= down_after_s


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
