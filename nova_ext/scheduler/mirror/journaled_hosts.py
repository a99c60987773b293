"""Pack the mirror's host states for the journal.

Requests share them, and nobody changes one: another stands in its place.
"""

import datetime
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from oslo_utils import timeutils

from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.journal import journal
from nova_ext.scheduler.journal.host_values import (
    HostPacker,
    PackedHosts,
    list_missing,
    unwrap_service,
)
from nova_ext.scheduler.mirror.plugins import service_state

#: UUIDs of the servers of a host, in Nova's order.
Servers = tuple[str, ...]

_RENEWED = 'hosts that were read again between the servers of a request'


@best_effort
def note(
    attempt: Any, columns: HostColumns, rows: Rows, *, names_servers: bool,
    count_room: Callable[[Sequence[str]], Sequence[int]] | None,
) -> None:
    """Have the journal keep what a ranking began with, if there is one.

    :param attempt: its AttemptTrace.
    :param rows: the hosts, in order.
    :param names_servers: whether it has to do with the hosts' servers.
    :param count_room: returns for how many servers of the request each host
        has room, by UUID; None: for one server it is not asked.
    """
    journaled = cycle.get_journaled()
    if journaled is not None:
        journaled.begin_mirrored(
            attempt, keep(columns, rows, list_servers(
                columns, rows
            ) if names_servers else None), count_room and partial(
                _count_room, count_room, columns, rows
            ),
        )


def _count_room(
    count: Callable[[Sequence[str]], Sequence[int]], columns: HostColumns,
    rows: Rows,
) -> Sequence[int]:
    return count(columns.get_values('uuid')[rows].tolist())


@best_effort
def note_taken(host: str) -> None:
    """Tell the journal of a host that other requests took meanwhile."""
    journaled = cycle.get_journaled()
    if journaled is not None:
        journaled.add_taken(host)


@best_effort
def note_renewed() -> None:
    """Tell the journal that hosts changed between two rankings."""
    journaled = cycle.get_journaled()
    if journaled is not None:
        journaled.lack(_RENEWED)


def list_servers(columns: HostColumns, rows: Rows) -> list[Servers]:
    """Return the UUIDs of each host's servers.

    Nova's host manager adds to them whenever it hears of one.
    """
    return [
        tuple(columns.states[row].instances) for row in rows.tolist()
    ]


def keep(
    columns: HostColumns, rows: Rows, servers: Sequence[Servers] | None = None
) -> Callable[[datetime.datetime], PackedHosts]:
    """Keep the hosts that a ranking began with.

    :param rows: in order.
    :param servers: of each; None: the decision has nothing to do with them.
    :returns: what packs them in the journal's thread, when the decision has
        ended; it gets the time of its end.
    """
    return partial(
        _pack, columns, rows, servers, journal.get_down_after_s(),
        timeutils.utcnow(),
    )


def _pack(*facts: Any) -> PackedHosts:
    return _get_packer().pack(*facts)


@cache
def _get_packer() -> 'MirrorPacker':
    return MirrorPacker(journal.get().packer)


class MirrorPacker:
    """Pack host states; only those that were replaced since the last time.

    :param packer: packs single ones.
    """

    def __init__(self, packer: HostPacker) -> None:
        self._packer = packer
        #: Of the hosts of the last decision, in its order.
        self._states: list[Any] = []
        self._servers: list[Servers] = []
        self._up: list[bool | None] = []
        self._last = PackedHosts((), (), {}, ())
        self._lacking: dict[int, list[str]] = {}

    def pack(
        self, columns: HostColumns, rows: Rows,
        servers: Sequence[Servers] | None, down_after_s: float | None,
        at: datetime.datetime, until: datetime.datetime,
    ) -> PackedHosts:
        """Pack the hosts of a decision.

        :param rows: in order.
        :param servers: of each; None: as they are now.
        :param down_after_s: [DEFAULT] service_down_time; None: services do
            not report to the database.
        :param at: when they were ranked.
        :param until: when the decision ended.
        """
        up, missing = _find_up(columns, rows, down_after_s, at, until)
        states = [columns.states[row] for row in rows.tolist()]
        if len(states) == len(self._states):
            changed = [
                place for place, (state, other) in enumerate(
                    zip(states, self._states, strict=True)
                ) if state is not other
            ]
            if up != self._up:
                changed += [
                    place for place, (is_up, was_up) in enumerate(
                        zip(up, self._up, strict=True)
                    ) if is_up is not was_up
                ]
            if servers is not None:
                changed += [
                    place for place, (now, last) in enumerate(
                        zip(servers, self._servers, strict=True)
                    ) if now != last
                ]
        else:
            changed = list(range(len(states)))
            self._lacking, self._servers = {}, [()] * len(states)
        if changed:
            self._last = self._pack_changed(states, servers, up, changed)
        self._states, self._up = states, up
        for texts in self._lacking.values():
            missing += texts
        return self._last._replace(missing=missing)

    def _pack_changed(
        self, states: list[Any], servers: Sequence[Servers] | None,
        up: list[bool | None], changed: list[int],
    ) -> PackedHosts:
        """Return the hosts, some of them changed since the last request."""
        last, count = self._last, len(states)
        # Who gets the same list again knows that it is the same.
        keys: Any = last.keys if len(last.keys) == count else [()] * count
        hosts: list[Any] = list(last.hosts) if len(
            last.hosts
        ) == count else [{}] * count
        for place in changed:
            pause()
            state = states[place]
            key = (
                state.host, state.nodename, state.uuid or '',
                state.cell_uuid or '',
            )
            values = _read_values(state)
            if servers is not None:
                values['instances'] = servers[place]
            self._servers[place] = values['instances']
            self._packer.pack_host(key, values)
            hosts[place] = self._packer.set_up(key, up[place])
            if keys[place] != key:
                keys = list(keys) if keys is last.keys else keys
                keys[place] = key
            if lacking := list_missing(key, hosts[place]):
                self._lacking[place] = lacking
            else:
                self._lacking.pop(place, None)
        # Where an aggregate changes, its hosts get other states.
        return PackedHosts(keys, hosts, {
            **last.aggregates, **self._packer.pack_aggregates(
                states[place].aggregates for place in changed
            ),
        }, ())


def _find_up(
    columns: HostColumns, rows: Rows, down_after_s: float | None,
    at: datetime.datetime, until: datetime.datetime,
) -> tuple[list[bool | None], list[str]]:
    """Return which services were up, and for which it is not known."""
    if down_after_s is None:
        return [None] * len(rows), []
    seen = columns.numbers[service_state.SEEN][rows]
    is_up, was_up = (
        abs(service_state.to_seconds(time) - seen) <= down_after_s
        for time in (at, until)
    )
    return is_up.tolist(), [
        f'when the service of {columns.keys[row][0]} was last seen'
        for row in rows[np.flatnonzero(is_up != was_up)].tolist()
    ]


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
