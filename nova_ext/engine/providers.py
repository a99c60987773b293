"""Hold resource providers as placement has them, and what requests demand."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

Names = frozenset[str]
#: Amounts by resource class, by the UUID of the resource provider.
Amounts = Mapping[str, Mapping[str, int]]


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

    @property
    def key(self) -> Hashable:
        """Return what is equal for equal demands alone."""
        return (
            tuple(sorted(self.resources.items())), tuple(self.required),
            self.forbidden, tuple(self.member_of), self.not_member_of,
            self.in_tree,
        )
