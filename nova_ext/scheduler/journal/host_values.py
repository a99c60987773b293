"""Pack for the journal what host states have, in a thread of its own.

Nova makes host states anew for each request, and most are as they were the
last time.
"""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from nova_ext.journal import columns
from nova_ext.journal.columns import Key, Packed
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.journal import plain_values
from nova_ext.scheduler.journal.kept_hosts import Kept

#: A row of Nova's database may be written again in the second that its
#: ``updated_at`` names, and clocks differ. What was read so much later is
#: what the row had.
SETTLED = datetime.timedelta(seconds=30)
#: Hosts between two pauses.
_HOSTS_PER_PAUSE = 50

#: Attributes of a HostState that are no facts, or stand in the key.
_LEFT_OUT = frozenset((
    'host', 'nodename', 'uuid', 'cell_uuid', 'updated', 'limits',
    'allocation_candidates',
))
#: Those that Nova reads from a compute node's row, and packing takes time.
_OF_ROW = frozenset((
    'numa_topology', 'pci_pools', 'metrics', 'stats', 'supported_instances',
    'cpu_info',
))
_SERVICE = ('host', 'binary', 'disabled', 'disabled_reason', 'forced_down',
            'version', 'uuid')
_SEPARATE = frozenset(('aggregates', 'instances', 'service'))
#: All that is not compared as it is. The rest of most hosts is as it was.
_PASSED_OVER = (*_LEFT_OUT, *_OF_ROW, *_SEPARATE, 'pci_stats')

_get_key = itemgetter('host', 'nodename', 'uuid', 'cell_uuid')


class PackedHosts(NamedTuple):
    """Hold hosts for the journal's writer.

    :param aggregates: see :class:`nova_ext.journal.writer.PackedDecision`.
    :param missing: what is not known of them.
    """

    keys: Sequence[Key]
    hosts: Sequence[Packed]
    aggregates: Mapping[int, Any]
    missing: Sequence[str]


@dataclass
class _Known:
    """Hold a host as it was packed last.

    :param rest: attributes that are compared as a whole.
    :param plain: attributes that need not be packed again while they are
        equal.
    :param is_settled: the row can't have been written since with the same
        ``updated_at``.
    """

    updated: Any
    rest: dict[str, Any]
    plain: dict[str, Any]
    instances: Sequence[str]
    aggregates: Sequence[Any]
    service: Sequence[Any]
    is_settled: bool
    packed: dict[str, Any]


class HostPacker:
    """Pack host states; only what changed since the last time."""

    def __init__(self) -> None:
        self._known: dict[Key, _Known] = {}
        self._aggregates: dict[int, tuple[Any, int, bytes]] = {}

    def pack(
        self, kept: Kept, down_after_s: float | None,
        until: datetime.datetime,
    ) -> PackedHosts:
        """Pack the hosts of a decision.

        :param down_after_s: [DEFAULT] service_down_time; None: services do
            not report to the database.
        :param until: when the decision ended: services may have gone down
            meanwhile.
        """
        keys, hosts, missing = [], [], []
        for number, values in enumerate(kept.values):
            if not number % _HOSTS_PER_PAUSE:
                pause()
            host, node, uuid, cell = _get_key(values)
            key = (host, node, uuid or '', cell or '')
            packed: Mapping[str, Any] = self.pack_host(key, values, kept.at)
            is_up = _is_up(values, kept.at, down_after_s)
            if is_up is not _is_up(values, until, down_after_s):
                missing.append(f'when the service of {host} was last seen')
            if packed.get(columns.SERVICE_UP, columns.ABSENT) is not is_up:
                packed = self.set_up(key, is_up)
            keys.append(key)
            hosts.append(packed)
            missing += list_missing(key, packed)
        self._forget(keys)
        return PackedHosts(keys, hosts, self.pack_aggregates(
            values['aggregates'] for values in kept.values
        ), missing)

    def set_up(self, key: Key, is_up: bool | None) -> Packed:
        """Set whether a host's service is up; return its values."""
        known = self._known[key]
        known.packed = {**known.packed, columns.SERVICE_UP: is_up}
        return known.packed

    def _forget(self, keys: Sequence[Key]) -> None:
        """Forget hosts that may be gone, once they are many."""
        if len(self._known) > 2 * len(keys) + 20_000:
            self._known = {key: self._known[key] for key in keys}

    def pack_host(
        self, key: Key, values: Mapping[str, Any],
        at: datetime.datetime | None = None,
    ) -> dict[str, Any]:
        """Pack one host.

        :param values: attributes of its state.
        :param at: when they were read; None: long ago.
        """
        known = self._known.get(key)
        updated = values['updated']
        is_same_row = (
            known is not None and known.is_settled
            and known.updated == updated
        )
        service = _describe_service(values)
        rest = dict(values)
        for name in _PASSED_OVER:
            rest.pop(name, None)
        if known is not None and is_same_row and known.rest == rest and (
            known.service == service
            and known.instances == values['instances']
            and known.aggregates == values['aggregates']
        ):
            return known.packed
        plain = {
            name: value for name, value in values.items()
            if name not in _LEFT_OUT and name not in _SEPARATE
            and name[0] != '_' and name != 'pci_stats'
            and not (is_same_row and name in _OF_ROW)
        }
        before: Mapping[str, Any] = {} if known is None else known.plain
        changed = {
            name: value for name, value in plain.items()
            if name not in before or not _is_same(name, before[name], value)
        }
        packed: dict[str, Any] = {} if known is None else known.packed
        fresh: dict[str, Any] = {}
        if known is None or known.instances != values['instances']:
            fresh['instances'] = _pack(list(values['instances']))
        if known is None or known.aggregates != values['aggregates']:
            fresh['aggregates'] = _pack_ids(values)
        if known is None or known.service != service:
            fresh['service'] = _pack(service)
        if is_same_row and not (fresh or changed):
            return packed
        fresh |= {
            name: _pack_attribute(name, value)
            for name, value in changed.items()
        }
        if fresh:
            packed = {**packed, **fresh}
        is_settled = at is not None and updated is not None and (
            at - updated.replace(tzinfo=None) > SETTLED
        )
        self._known[key] = _Known(
            updated, rest, {
                name: value for name, value in {**before, **plain}.items()
                # They are large, and not compared until the row changes.
                if name not in _OF_ROW or not is_settled
            }, values['instances'], values['aggregates'], service,
            is_settled, packed,
        )
        return packed

    def pack_aggregates(
        self, lists: Iterable[Iterable[Any]]
    ) -> dict[int, Any]:
        """Pack the aggregates of hosts, by ID."""
        # Nova replaces one as a whole when anything of it changes.
        objects = {
            id(aggregate): aggregate
            for aggregates in lists for aggregate in aggregates
        }
        known = self._aggregates
        self._aggregates = {}
        for number, aggregate in objects.items():
            before = known.get(number)
            self._aggregates[number] = (
                before if before is not None and before[0] is aggregate
                else (aggregate, aggregate.id, _pack(
                    plain_values.to_plain(aggregate)
                ))
            )
        return {
            number: packed for _, number, packed in self._aggregates.values()
        }


def list_missing(key: Key, packed: Packed) -> list[str]:
    """Return which attributes of a host could not be packed."""
    if columns.NOT_KEPT not in packed.values():
        return []
    return [
        f'attribute {name} of host {key[0]}'
        for name, value in packed.items() if value == columns.NOT_KEPT
    ]


def _is_same(name: str, before: Any, value: Any) -> bool:
    """Say whether an attribute need not be packed again."""
    if name == 'numa_topology':
        return plain_values.are_equal_topologies(before, value)
    # Two lists of Nova's are never equal; most hosts have no metrics.
    lists = [getattr(each, 'objects', None) for each in (before, value)]
    return bool(before == value) or lists == [[], []]


def _pack_attribute(name: str, value: Any) -> Any:
    if name == 'numa_topology':
        value = plain_values.topology_to_plain(value)
    return _pack(plain_values.to_plain(value))


def _pack(value: Any) -> Any:
    if not plain_values.is_known(value):
        return columns.NOT_KEPT
    return columns.pack(value)


def _pack_ids(values: Mapping[str, Any]) -> Any:
    return _pack([aggregate.id for aggregate in values['aggregates']])


def _describe_service(values: Mapping[str, Any]) -> Any:
    service = values.get('service')
    return service and {name: service.get(name) for name in _SERVICE}


def _is_up(
    values: Mapping[str, Any], at: datetime.datetime,
    down_after_s: float | None,
) -> bool | None:
    """Say whether a heartbeat is new enough, as Nova's DbDriver does.

    :returns: None where that is not known.
    """
    service = values.get('service')
    seen = service and (
        service.get('last_seen_up') or service.get('created_at')
    )
    if down_after_s is None or not isinstance(seen, datetime.datetime):
        return None
    elapsed = at - seen.replace(tzinfo=None)
    return abs(elapsed.total_seconds()) <= down_after_s
