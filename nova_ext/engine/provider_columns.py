"""Hold what resource providers have free as columns, and find candidates.

It answers what placement's ``GET /allocation_candidates`` answers for one
unnumbered group, of providers without children and without shared ones
(placement.objects.research_context). A provider is known at one generation:
what was read of it at several is not put in.
"""

from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nova_ext.engine.snapshot import Amounts

Mask = NDArray[np.bool_]
Names = frozenset[str]


@dataclass(frozen=True)
class Inventory:
    """Hold an inventory as placement has it.

    :param total: units.
    :param reserved: units of it that are not offered.
    :param allocation_ratio: how often a unit may be given.
    :param min_unit: the least amount of one allocation.
    :param max_unit: the greatest amount of one allocation.
    :param step_size: an amount is a multiple of it.
    """

    total: int
    reserved: int = 0
    allocation_ratio: float = 1.0
    min_unit: int = 1
    max_unit: int = 2 ** 31 - 1
    step_size: int = 1


@dataclass(frozen=True)
class Provider:
    """Hold a resource provider at one generation.

    :param inventories: by resource class.
    :param used: units, by resource class.
    :param traits: names.
    :param aggregates: UUIDs.
    """

    uuid: str
    generation: int
    inventories: Mapping[str, Inventory]
    used: Mapping[str, int]
    traits: Names = frozenset()
    aggregates: Names = frozenset()


@dataclass(frozen=True)
class Demand:
    """Hold what a request asks of one provider.

    :param resources: units, by resource class.
    :param required: a provider has one trait at least of each set.
    :param forbidden: traits that it has not.
    :param member_of: it is in one aggregate at least of each set.
    :param not_member_of: aggregates that it is not in.
    :param in_tree: UUID of the one provider that may be used; empty: any.
    """

    resources: Mapping[str, int]
    required: Sequence[Names] = ()
    forbidden: Names = frozenset()
    member_of: Sequence[Names] = ()
    not_member_of: Names = frozenset()
    in_tree: str = ''


@dataclass(frozen=True)
class _Column:
    """Hold one resource class. A provider without it has no capacity."""

    capacity: NDArray[np.float64]
    used: NDArray[np.int64]
    min_unit: NDArray[np.int64]
    max_unit: NDArray[np.int64]
    step_size: NDArray[np.int64]

    def fits(self, amount: int, held: Mapping[int, int]) -> Mask:
        used = self.used
        if held:
            used = used.copy()
            for row, units in held.items():
                used[row] += units
        return (
            (used + amount <= self.capacity)
            & (self.min_unit <= amount) & (amount <= self.max_unit)
            & (amount % self.step_size == 0)
        )


@dataclass(frozen=True)
class ProviderColumns:
    """Hold the columns of providers at one moment. Nothing changes in it.

    :param rows: by UUID.
    """

    rows: Mapping[str, int]
    _columns: Mapping[str, _Column]
    _traits: tuple[NDArray[np.int64], Sequence[Names]]
    _aggregates: tuple[NDArray[np.int64], Sequence[Names]]

    def find(self, demand: Demand, held: Amounts | None = None) -> Mask:
        """Say of each row whether it is a candidate.

        :param held: what was claimed and not read yet; providers that are
            not here are passed over.
        """
        mask = np.ones(len(self.rows), np.bool_)
        for resource_class, amount in demand.resources.items():
            column = self._columns.get(resource_class)
            if column is None:
                return np.zeros(len(self.rows), np.bool_)
            mask &= column.fits(amount, {
                self.rows[uuid]: amounts[resource_class]
                for uuid, amounts in (held or {}).items()
                if uuid in self.rows and resource_class in amounts
            })
        if demand.in_tree:
            only = np.zeros(len(self.rows), np.bool_)
            if demand.in_tree in self.rows:
                only[self.rows[demand.in_tree]] = True
            mask &= only
        mask &= _judge(
            self._traits, demand.required, demand.forbidden
        )
        return mask & _judge(
            self._aggregates, demand.member_of, demand.not_member_of
        )

    def find_offering(self, resource_classes: Iterable[str]) -> Mask:
        """Say of each row whether it has any of the resource classes."""
        mask = np.zeros(len(self.rows), np.bool_)
        for name in resource_classes:
            if name in self._columns:
                mask |= self._columns[name].capacity > 0
        return mask


@dataclass
class ProviderTable:
    """Keep providers. One thread puts and removes them."""

    _providers: dict[str, Provider] = field(default_factory=dict)

    def put(self, provider: Provider) -> None:
        """Put a provider in, or in place of what is known of it."""
        self._providers[provider.uuid] = provider

    def keep(self, uuids: Iterable[str]) -> None:
        """Remove all other providers."""
        wanted = set(uuids)
        for uuid in self._providers.keys() - wanted:
            del self._providers[uuid]

    def get(self, uuid: str) -> Provider | None:
        """Return a provider; None of one that is not here."""
        return self._providers.get(uuid)

    def __iter__(self) -> Iterator[Provider]:
        return iter(self._providers.values())

    def freeze(self) -> ProviderColumns:
        """Return the columns as they are now."""
        providers = list(self._providers.values())
        names = {name for p in providers for name in p.inventories}
        return ProviderColumns(
            {p.uuid: row for row, p in enumerate(providers)},
            {name: _make_column(name, providers) for name in names},
            _classify(providers, lambda provider: provider.traits),
            _classify(providers, lambda provider: provider.aggregates),
        )


def _make_column(name: str, providers: Sequence[Provider]) -> _Column:
    nothing = Inventory(0)
    inventories = [p.inventories.get(name, nothing) for p in providers]

    def integers(values: Iterable[int]) -> NDArray[np.int64]:
        return np.array(list(values), np.int64)

    return _Column(
        # As placement computes it.
        np.array([
            (i.total - i.reserved) * i.allocation_ratio for i in inventories
        ], np.float64),
        integers(p.used.get(name, 0) for p in providers),
        integers(i.min_unit for i in inventories),
        integers(i.max_unit for i in inventories),
        integers(i.step_size for i in inventories),
    )


def _classify(
    providers: Iterable[Provider], read: Callable[[Provider], Names]
) -> tuple[NDArray[np.int64], Sequence[Names]]:
    """Return the class of each row, and what each class has."""
    ids: dict[Hashable, int] = {}
    names: list[Names] = []
    rows = []
    for provider in providers:
        own = read(provider)
        id_ = ids.setdefault(own, len(ids))
        if id_ == len(names):
            names.append(own)
        rows.append(id_)
    return np.array(rows, np.int64), names


def _judge(
    classes: tuple[NDArray[np.int64], Sequence[Names]],
    any_of_each: Sequence[Names], none_of: Names,
) -> Mask:
    rows, names = classes
    verdicts = np.array([
        not own & none_of and all(own & some for some in any_of_each)
        for own in names
    ], np.bool_)
    return verdicts[rows]
