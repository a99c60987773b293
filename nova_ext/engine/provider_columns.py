"""Hold what resource providers have free as columns, and find candidates.

It answers what placement's ``GET /allocation_candidates`` answers for one
unnumbered group, of providers without children and without shared ones
(placement.objects.research_context). A provider is known at one generation:
what was read of it at several is not put in.
"""

import dataclasses
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nova_ext.engine import stamps
from nova_ext.engine.providers import (
    Amounts,
    Demand,
    Inventory,
    Names,
    Provider,
)
from nova_ext.engine.stamps import Stamps

Mask = NDArray[np.bool_]
#: Demands whose candidates are kept, and sets of names that no provider has
#: any more.
_MAX_FOUND = 100


@dataclass(frozen=True)
class _Column:
    """Hold one resource class. A provider without it has no capacity."""

    capacity: NDArray[np.float64]
    used: NDArray[np.int64]
    min_unit: NDArray[np.int64]
    max_unit: NDArray[np.int64]
    step_size: NDArray[np.int64]

    def fits(self, amount: int) -> Mask:
        return (
            (self.used + amount <= self.capacity)
            & (self.min_unit <= amount) & (amount <= self.max_unit)
            & (amount % self.step_size == 0)
        )

    def has_room(self, row: int, amount: int) -> bool:
        return bool(self.used[row] + amount <= self.capacity[row])

    def list_free(self) -> list[int]:
        # A part of a unit is given to nobody.
        free: list[int] = (
            np.floor(self.capacity).astype(np.int64) - self.used
        ).tolist()
        return free

    def put(self, name: str, providers: Mapping[int, Provider]) -> '_Column':
        """Return the column with other values of some rows."""
        rows, new = list(providers), _make_column(name, providers.values())
        columns = {}
        for field_ in fields(self):
            column = getattr(self, field_.name).copy()
            column[rows] = getattr(new, field_.name)
            columns[field_.name] = column
        return _Column(**columns)


@dataclass(frozen=True)
class _Sets:
    """Hold a set of names for each provider.

    :param classes: one a row: equal ones have the same set.
    :param names: the set of each class.
    """

    classes: NDArray[np.int64]
    names: Sequence[Names]

    def judge(self, any_of_each: Sequence[Names], none_of: Names) -> Mask:
        verdicts = np.array([
            not own & none_of and all(own & some for some in any_of_each)
            for own in self.names
        ], np.bool_)
        return verdicts[self.classes]

    def list_names(self) -> Names:
        """Return the names that some provider has."""
        return frozenset().union(
            *(self.names[class_] for class_ in np.unique(self.classes))
        )

    def put(self, sets: Mapping[int, Names]) -> '_Sets':
        """Return the sets with others of some rows."""
        ids = {names: class_ for class_, names in enumerate(self.names)}
        classes = self.classes.copy()
        for row, names in sets.items():
            classes[row] = ids.setdefault(names, len(ids))
        return _Sets(classes, list(ids))


@dataclass(frozen=True)
class ProviderColumns:
    """Hold the columns of providers at one moment. Nothing changes in it.

    :param rows: by UUID.
    :param providers: what the columns were made from, one a row.
    :param stamps: of each row's provider; as of ``HostColumns``.
    """

    rows: Mapping[str, int]
    providers: Sequence[Provider]
    stamps: Stamps
    _columns: Mapping[str, _Column]
    _traits: _Sets
    _aggregates: _Sets
    #: What was found, by demand.
    _found: dict[Hashable, Mask] = field(default_factory=dict)

    def find(self, demand: Demand, held: Amounts | None = None) -> Mask:
        """Say of each row whether it is a candidate.

        :param held: what was claimed and not read yet; providers that are
            not here are passed over.
        """
        mask = self._found.get(demand.key)
        if mask is None:
            if len(self._found) >= _MAX_FOUND:
                self._found.clear()
            mask = self._found[demand.key] = self._find(demand)
        mask = mask.copy()
        for uuid, amounts in (held or {}).items():
            row = self.rows.get(uuid)
            if row is not None and mask[row]:
                mask[row] = self.has_room(demand, uuid, amounts)
        return mask

    def has_room(
        self, demand: Demand, uuid: str, held: Mapping[str, int]
    ) -> bool:
        """Say whether a candidate has room, beside what is held of it."""
        row = self.rows[uuid]
        return all(
            self._columns[name].has_room(row, held.get(name, 0) + amount)
            for name, amount in demand.resources.items()
        )

    def get_free(
        self, uuids: Iterable[str], resource_classes: Iterable[str],
        held: Amounts,
    ) -> Amounts:
        """Return what some providers have free of resource classes.

        :param uuids: of providers that are here.
        :param held: what was claimed and not read yet.
        """
        columns = {
            name: self._columns[name].list_free()
            for name in resource_classes if name in self._columns
        }
        return {
            uuid: {
                name: free[self.rows[uuid]] - held.get(uuid, {}).get(name, 0)
                for name, free in columns.items()
            } for uuid in uuids
        }

    def _find(self, demand: Demand) -> Mask:
        mask = np.ones(len(self.rows), np.bool_)
        for resource_class, amount in demand.resources.items():
            column = self._columns.get(resource_class)
            if column is None:
                return np.zeros(len(self.rows), np.bool_)
            mask &= column.fits(amount)
        if demand.in_tree:
            mask &= np.arange(mask.size) == self.rows.get(demand.in_tree, -1)
        mask &= self._traits.judge(demand.required, demand.forbidden)
        return mask & self._aggregates.judge(
            demand.member_of, demand.not_member_of
        )

    def list_traits(self) -> Names:
        """Return the traits that some provider has."""
        return self._traits.list_names()

    def number_shapes(self) -> NDArray[np.int64]:
        """Number the rows; those that differ in use alone are the same."""
        parts: list[NDArray[Any]] = [
            getattr(column, name) for column in self._columns.values()
            for name in ('capacity', 'min_unit', 'max_unit', 'step_size')
        ]
        parts += [self._traits.classes, self._aggregates.classes]
        table = np.column_stack([part.astype(np.float64) for part in parts])
        shapes: NDArray[np.int64] = np.unique(
            table, axis=0, return_inverse=True
        )[1].reshape(-1)
        return shapes

    def copy_unused(self, uuid: str) -> 'ProviderColumns':
        """Return the columns of one provider, as if nothing of it was used."""
        row = self.rows[uuid]
        only = slice(row, row + 1)
        columns = {
            name: dataclasses.replace(_Column(**{
                field_.name: getattr(column, field_.name)[only]
                for field_ in fields(column)
            }), used=np.zeros(1, np.int64))
            for name, column in self._columns.items()
        }
        traits, aggregates = (
            _Sets(sets.classes[only], sets.names)
            for sets in (self._traits, self._aggregates)
        )
        return ProviderColumns(
            {uuid: 0}, [dataclasses.replace(self.providers[row], used={})],
            stamps.make(1), columns, traits, aggregates,
        )

    def find_offering(self, resource_classes: Iterable[str]) -> Mask:
        """Say of each row whether it has any of the resource classes."""
        mask = np.zeros(len(self.rows), np.bool_)
        for name in resource_classes:
            if name in self._columns:
                mask |= self._columns[name].capacity > 0
        return mask

    def can_put(self, providers: Iterable[Provider]) -> bool:
        """Say whether there is a column for all that providers have."""
        return all(
            provider.inventories.keys() <= self._columns.keys()
            for provider in providers
        ) and all(
            len(sets.names) <= 2 * len(self.rows) + _MAX_FOUND
            for sets in (self._traits, self._aggregates)
        )

    def put(self, providers: Iterable[Provider]) -> 'ProviderColumns':
        """Return columns with other values of providers that are here."""
        by_row = {self.rows[each.uuid]: each for each in providers}
        return ProviderColumns(
            self.rows, stamps.put(self.providers, by_row),
            stamps.replace(self.stamps, list(by_row)), {
                name: column.put(name, by_row)
                for name, column in self._columns.items()
            },
            self._traits.put({
                row: each.traits for row, each in by_row.items()
            }),
            self._aggregates.put({
                row: each.aggregates for row, each in by_row.items()
            }),
        )


def make_columns(providers: Sequence[Provider]) -> ProviderColumns:
    """Return the columns of providers."""
    names = {name for p in providers for name in p.inventories}
    return ProviderColumns(
        {p.uuid: row for row, p in enumerate(providers)}, providers,
        stamps.make(len(providers)),
        {name: _make_column(name, providers) for name in names},
        _make_sets(p.traits for p in providers),
        _make_sets(p.aggregates for p in providers),
    )


def _make_column(name: str, providers: Iterable[Provider]) -> _Column:
    nothing = Inventory(0)
    amounts = [
        (p.inventories.get(name, nothing), p.used.get(name, 0))
        for p in providers
    ]

    def integers(values: Iterable[int]) -> NDArray[np.int64]:
        return np.array(list(values), np.int64)

    # As placement computes it. Candidates are computed by its database, of
    # which MariaDB and MySQL keep a ratio in single precision: of 10 units
    # and a ratio of 0.9, these offer 8. PostgreSQL and claims keep all digits.
    offered = integers(i.total - i.reserved for i, _ in amounts)
    ratios = np.array([i.allocation_ratio for i, _ in amounts], np.float64)
    return _Column(
        np.minimum(
            offered * ratios,
            offered * ratios.astype(np.float32).astype(np.float64),
        ),
        integers(used for _, used in amounts),
        integers(i.min_unit for i, _ in amounts),
        integers(i.max_unit for i, _ in amounts),
        integers(i.step_size for i, _ in amounts),
    )


def _make_sets(sets: Iterable[Names]) -> _Sets:
    ids: dict[Names, int] = {}
    classes = [ids.setdefault(names, len(ids)) for names in sets]
    return _Sets(np.array(classes, np.int64), list(ids))
