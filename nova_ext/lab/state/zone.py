"""Describe the place of a lab among labs that are zones of one another."""

import dataclasses

#: What a chain of zones calls its members, parents first.
NAMES = ('parent', 'child', 'grandchild')


@dataclasses.dataclass(frozen=True)
class Zone:
    """Describe a lab's place in a chain of zones, each a lab of its own.

    :param labs: the labs' names, parents first.
    :param depth: which of them it is, counted from 0.
    """

    labs: tuple[str, ...]
    depth: int

    @property
    def name(self) -> str:
        """Return what the zone calls itself."""
        return NAMES[self.depth]

    @property
    def parent(self) -> str | None:
        """Return the name of the lab that is its parent zone."""
        return self.labs[self.depth - 1] if self.depth else None

    @property
    def child(self) -> str | None:
        """Return the name of the lab that is its child zone."""
        return next(iter(self.labs[self.depth + 1:]), None)


def name_labs(first: str, count: int) -> tuple[str, ...]:
    """Return the names of the labs of a chain of zones, parents first.

    :param first: the parent's, by which the whole chain is known.
    """
    return (first, *(f'{first}-{n}' for n in range(2, count + 1)))
