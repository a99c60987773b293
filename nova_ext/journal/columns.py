"""Write the hosts of decisions as columns, those that changed alone.

A row is a host, numbered as the tables first saw it. A list of rows is a list
of runs: first row and number of rows, by turns. A value that is no number or
text is kept packed, as msgpack: so it is compared and kept fast.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import is_not
from typing import Any

import msgpack

from nova_ext.journal.model import UNKNOWN, HostFacts
from nova_ext.journal.runs import (
    from_counts,
    from_runs,
    list_changed,
    to_counts,
    to_runs,
)

#: A host, its node, UUID and cell.
Key = tuple[str, str, str, str]
#: The values of one host by name, packed: :func:`pack`. Nothing changes in it.
Packed = Mapping[str, Any]

#: By name of an attribute: the rows that changed, and their values.
_Changes = dict[str, tuple[list[int], list[Any]]]

#: What stands for an attribute that a host does not have, and one whose value
#: can't be kept.
ABSENT = msgpack.ExtType(1, b'')
NOT_KEPT = msgpack.ExtType(2, b'')
#: The column whose values name aggregates by their IDs.
AGGREGATES = 'aggregates'
#: What is known of a service, and whether it was up: that changes alone.
SERVICE, SERVICE_UP = 'service', 'service_up'


def pack(value: Any) -> Any:
    """Return a value as a column keeps it.

    :param value: plain; texts are not bytes.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return msgpack.packb(value)


def differ(before: Any, after: Any) -> bool:
    """Compare packed values: 1, 1.0 and True are equal, and not the same."""
    return bool(before != after) or type(before) is not type(after)


@dataclass(frozen=True)
class MirroredHosts:
    """Hold all hosts that a mirror knew, in its order.

    :param hosts: their values, packed.
    :param aggregates: those of the hosts by ID, packed.
    :param ranked: places of those that were ranked, as runs; None: the
        decision has hosts of its own, which are newer.
    :param stamps: a number of each, and one that it never had where it
        changed: an array; None: all are compared.
    """

    keys: Sequence[Key]
    hosts: Sequence[Packed]
    aggregates: Mapping[int, Any]
    ranked: Sequence[int] | None
    stamps: Any = None


class HostWriter:
    """Write hosts, and what changed of them since they were last written."""

    def __init__(self) -> None:
        self._rows: dict[Key, int] = {}
        self._written: list[Packed] = []
        self._aggregates: dict[int, Any] = {}
        #: Hosts that were looked for last, their rows, and these as runs.
        self._last: tuple[Sequence[Key], list[int], list[int]] = ((), [], [])
        #: Those of all that was written last of a mirror; None: hosts have
        #: been written since.
        self._stamps: Any = None

    def encode(
        self, keys: Sequence[Key], hosts: Sequence[Packed],
        aggregates: Mapping[int, Any], known: MirroredHosts | None = None,
    ) -> dict[str, Any]:
        """Return the hosts of a decision.

        :param hosts: their values. One that did not change since the last
            time may be the same object.
        :param aggregates: those that hosts are in, by ID, packed.
        :param known: what a mirror knew; None: there is none.
        """
        before = len(self._written)
        changes: _Changes = {}
        rows, runs = self._find_rows(keys)
        body: dict[str, Any] = {}
        if known is not None:
            is_same = self._last[0] is known.keys
            all_rows, all_runs = self._find_rows(known.keys)
            body['known'] = all_runs
            places = list_changed(
                self._stamps if is_same else None, known.stamps, len(all_rows)
            )
            self._write(
                changes, [all_rows[place] for place in places],
                [known.hosts[place] for place in places], frozenset(rows),
            )
            self._stamps = known.stamps
            aggregates = {**known.aggregates, **aggregates}
            if known.ranked is not None:
                runs = list(known.ranked) if (
                    all_runs == [0, len(all_rows)]
                ) else to_runs(
                    all_rows[place]
                    for place in from_runs(known.ranked, len(all_rows))
                )
        if rows:
            self._write(changes, rows, hosts)
            self._stamps = None
        changed_aggregates = {
            number: aggregate for number, aggregate in aggregates.items()
            if self._aggregates.get(number, ABSENT) != aggregate
        }
        self._aggregates |= changed_aggregates
        return {
            'new': self._list_new(before),
            'columns': {
                name: [to_runs(changed), *_encode_column(values)]
                for name, (changed, values) in changes.items()
            },
            'aggregates': changed_aggregates,
            'order': runs, **body,
        }

    def _write(
        self, changes: _Changes, rows: Sequence[int],
        hosts: Sequence[Packed], left_out: frozenset[int] = frozenset(),
    ) -> None:
        """Add what changed of hosts since they were last written."""
        known = self._written
        for row, host in itertools.compress(
            zip(rows, hosts, strict=True),
            map(is_not, map(known.__getitem__, rows), hosts),
        ):
            if row not in left_out:
                _add_changes(changes, row, known[row], host)
                known[row] = host

    def _list_new(self, before: int) -> list[Key]:
        """Return the hosts after the first ones."""
        if before == len(self._rows):  # to pass over all takes a while
            return []
        return list(itertools.islice(self._rows, before, None))

    def _find_rows(self, keys: Sequence[Key]) -> tuple[list[int], list[int]]:
        """Return the rows of hosts, new ones too, and these as runs."""
        if not keys:
            return [], []
        last, rows, runs = self._last
        if last is not keys:
            rows = [
                self._rows.setdefault(key, len(self._rows)) for key in keys
            ]
            self._written += [{}] * (len(self._rows) - len(self._written))
            runs = to_runs(rows)
            self._last = keys, rows, runs
        return rows, runs


def _add_changes(
    changes: _Changes, row: int, before: Packed, after: Packed
) -> None:
    for name in {**before, **after}:
        value = after.get(name, ABSENT)
        if differ(before.get(name, ABSENT), value):
            rows, values = changes.setdefault(name, ([], []))
            rows.append(row)
            values.append(value)


def _encode_column(values: list[Any]) -> tuple[Any, ...]:
    """Return the values, and which of them each row has if they repeat."""
    numbers: dict[Any, int] = {}
    each = [
        numbers.setdefault((type(value), value), len(numbers))
        for value in values
    ]
    if len(numbers) > len(values) // 2 and len(values) > 1:
        return (values,)
    distinct = [value for _, value in numbers]
    return (distinct,) if len(values) == 1 else (distinct, to_counts(each))


class JournaledHosts:
    """Read hosts, as HostWriter wrote them."""

    def __init__(self) -> None:
        self._values: list[dict[str, Any]] = []
        self._facts: list[HostFacts] = []
        #: Rows whose facts are older than their values.
        self._stale: set[int] = set()
        self._aggregates: dict[int, Any] = {}
        #: Packed values that were unpacked. Equal ones are one object.
        self._unpacked: dict[bytes, Any] = {}

    def decode(self, body: Mapping[str, Any]) -> list[HostFacts]:
        """Take what changed, and return the hosts of a decision.

        :raises Exception: of any kind, for what is no such body.
        """
        for key in body['new']:
            host, node, uuid, cell = key
            self._stale.add(len(self._facts))
            self._facts.append(HostFacts(host, node, uuid, cell, {}))
            self._values.append({})
        for name, (runs, *column) in body['columns'].items():
            rows = from_runs(runs, len(self._facts))
            for row, value in zip(
                rows, _decode_column(column, len(rows)), strict=True
            ):
                self._set(row, name, value)
        self._set_aggregates(body['aggregates'])
        return self._list(body['order'])

    def decode_known(self, body: Mapping[str, Any]) -> list[HostFacts]:
        """Return all hosts that the mirror knew; call it after decode()."""
        return self._list(body.get('known', ()))

    def _list(self, runs: Sequence[int]) -> list[HostFacts]:
        for row in self._stale:
            self._facts[row] = self._make(row)
        self._stale.clear()
        return list(map(
            self._facts.__getitem__, from_runs(runs, len(self._facts))
        ))

    def _set(self, row: int, name: str, value: Any) -> None:
        self._stale.add(row)
        if value == ABSENT:
            self._values[row].pop(name, None)
        else:
            self._values[row][name] = self._unpack(value)

    def _set_aggregates(self, aggregates: Mapping[int, Any]) -> None:
        self._aggregates |= {
            number: self._unpack(aggregate)
            for number, aggregate in aggregates.items()
        }
        for row, values in enumerate(self._values) if aggregates else ():
            if not aggregates.keys().isdisjoint(values.get(AGGREGATES) or ()):
                self._stale.add(row)

    def _make(self, row: int) -> HostFacts:
        values = dict(self._values[row])
        if values.get(AGGREGATES) is not None:
            values[AGGREGATES] = [
                self._aggregates[number] for number in values[AGGREGATES]
            ]
        if values.get(SERVICE) is not None:
            values[SERVICE] = {
                **values[SERVICE], 'up': values.pop(SERVICE_UP, None),
            }
        return replace(self._facts[row], values=values)

    def _unpack(self, value: Any) -> Any:
        if value == NOT_KEPT:
            return UNKNOWN
        if not isinstance(value, bytes):
            return value
        if value not in self._unpacked:
            if len(self._unpacked) > 2 * len(self._values) + 100_000:
                self._unpacked.clear()
            self._unpacked[value] = msgpack.unpackb(
                value, strict_map_key=False
            )
        return self._unpacked[value]


def _decode_column(column: Sequence[Any], rows: int) -> Sequence[Any]:
    values: Sequence[Any] = column[0]
    if len(column) == 1:
        return values
    return [values[number] for number in from_counts(column[1], rows)]
