"""Pack one host for the journal: what differs from what is known of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.journal import columns
from nova_ext.journal.columns import Key, Packed
from nova_ext.scheduler.journal import plain_values

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
#: All that is not compared as a whole.
PASSED_OVER = _LEFT_OUT | _OF_ROW | {
    'aggregates', 'instances', 'service', 'pci_stats',
}
#: Types whose values are compared; others are packed, and compared then.
_COMPARED = (str, dict, list, type(None))


@dataclass(slots=True)
class PackedHost:
    """Hold a host as it was packed last.

    :ivar packed: its values. Where one changes, another mapping stands here.
    :ivar lacking: one line for each attribute that could not be packed.
    :ivar rest: values of what is compared as a whole, in the order of
        ``names``.
    :ivar row: attributes of its row by name; empty: the row is settled, it
        can't have been written since with the same ``updated_at``.
    """

    packed: Packed
    lacking: Sequence[str]
    updated: Any
    is_settled: bool
    names: Sequence[str]
    rest: tuple[Any, ...]
    row: Mapping[str, Any]
    instances: Sequence[str]
    aggregates: Sequence[Any]
    service: Sequence[Any]

    def set_up(self, is_up: bool | None) -> None:
        """Set whether its service is up."""
        if self.packed.get(columns.SERVICE_UP, columns.ABSENT) is not is_up:
            self.packed = {**self.packed, columns.SERVICE_UP: is_up}


def pack_changes(
    known: PackedHost | None, names: Sequence[str], rest: tuple[Any, ...],
    service: Any, values: Mapping[str, Any], *, is_same_row: bool,
) -> PackedHost:
    """Pack what differs from what is known of a host."""
    before: Mapping[str, Any] = {} if known is None else known.packed
    row = {} if is_same_row else {
        name: values[name] for name in _OF_ROW if name in values
    }
    attributes = {} if known is not None and known.rest == rest else {
        name: value for name, value, last in zip(
            names, rest, known.rest if known else [columns.ABSENT] * len(rest),
            strict=True,
        ) if columns.differ(last, value)
    }
    attributes |= {
        name: value for name, value in row.items()
        if known is None or name not in known.row
        or not _are_equal(known.row[name], value)
    }
    fresh = {
        name: _pack_attribute(name, value)
        for name, value in attributes.items()
    }
    if known is None or known.instances != values['instances']:
        fresh['instances'] = pack(list(values['instances']))
    if known is None or known.aggregates != values['aggregates']:
        fresh['aggregates'] = _pack_ids(values)
    if known is None or known.service != service:
        fresh['service'] = pack(
            service and dict(zip(_SERVICE, service, strict=True))
        )
    fresh = {
        name: value for name, value in fresh.items()
        if columns.differ(before.get(name, columns.ABSENT), value)
    }
    return PackedHost(
        {**before, **fresh} if fresh else before,
        known.lacking if known is not None else (), values['updated'], False,
        names, rest, row, values['instances'], values['aggregates'], service,
    )


def list_lacking(key: Key, packed: Packed) -> list[str]:
    """Return which attributes could not be packed, a line for each."""
    if columns.NOT_KEPT not in packed.values():
        return []
    return [
        f'attribute {name} of host {key[0]}'
        for name, value in packed.items() if value == columns.NOT_KEPT
    ]


def _are_equal(before: Any, value: Any) -> bool:
    """Say whether an attribute need not be packed to know that it is so."""
    return type(value) in _COMPARED and bool(before == value)


def _pack_attribute(name: str, value: Any) -> Any:
    if name == 'numa_topology':
        return columns.pack(plain_values.topology_to_plain(value))
    return pack(plain_values.to_plain(value))


def pack(value: Any) -> Any:
    """Return a plain value as a column keeps it."""
    if not plain_values.is_known(value):
        return columns.NOT_KEPT
    return columns.pack(value)


def _pack_ids(values: Mapping[str, Any]) -> Any:
    return pack([aggregate.id for aggregate in values['aggregates']])


def read_service(values: Mapping[str, Any]) -> Any:
    """Return what is kept of a service, in the order of _SERVICE."""
    service = values.get('service')
    return service and tuple(map(service.get, _SERVICE))
