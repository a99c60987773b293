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
from nova_ext.journal import columns as journal_columns
from nova_ext.journal.columns import Key, Packed
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.journal import journal
from nova_ext.scheduler.journal.host_values import (
    HostPacker,
    PackedHosts,
    list_missing,
)
from nova_ext.scheduler.mirror.plugins import service_state

#: A state, its key, its values, and which of them could not be packed.
_Row = tuple[Any, Key, Packed, Sequence[str]]


def keep(
    columns: HostColumns, rows: Rows
) -> Callable[[datetime.datetime], PackedHosts]:
    """Keep the hosts that a ranking began with.

    :param rows: in order.
    :returns: what packs them in the journal's thread, when the decision has
        ended; it gets the time of its end.
    """
    return partial(
        _pack, columns, rows, journal.get_down_after_s(), timeutils.utcnow()
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
        self._rows: dict[int, _Row] = {}
        #: The rows are numbered as in this mapping.
        self._numbering: Any = None

    def pack(
        self, columns: HostColumns, rows: Rows, down_after_s: float | None,
        at: datetime.datetime, until: datetime.datetime,
    ) -> PackedHosts:
        """Pack the hosts of a decision.

        :param rows: in order.
        :param down_after_s: [DEFAULT] service_down_time; None: services do
            not report to the database.
        :param at: when they were ranked.
        :param until: when the decision ended.
        """
        if columns.rows is not self._numbering:
            self._rows, self._numbering = {}, columns.rows
        up, missing = _find_up(columns, rows, down_after_s, at, until)
        keys, hosts = [], []
        states = columns.states
        for row, is_up in zip(rows.tolist(), up, strict=True):
            known = self._rows.get(row)
            if known is None or known[0] is not states[row] or (
                known[2][journal_columns.SERVICE_UP] is not is_up
            ):
                known = self._rows[row] = self._pack_row(states[row], is_up)
            _, key, packed, lacking = known
            keys.append(key)
            hosts.append(packed)
            if lacking:
                missing += lacking
        return PackedHosts(keys, hosts, self._packer.pack_aggregates(
            columns.get_values('aggregates')[rows].tolist()
        ), missing)

    def _pack_row(self, state: Any, is_up: bool | None) -> _Row:
        pause()
        values = _read_values(state)
        key = (
            state.host, state.nodename, state.uuid or '',
            state.cell_uuid or '',
        )
        self._packer.pack_host(key, values)
        packed = self._packer.set_up(key, is_up)
        return state, key, packed, list_missing(key, packed)


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
    values['service'] = getattr(values.get('service'), 'data', None)
    if 'pci_stats' in own:
        stats = own['pci_stats']
        values['pci_pools'] = None if stats is None else [
            dict(pool) for pool in stats.pools
        ]
    return values
