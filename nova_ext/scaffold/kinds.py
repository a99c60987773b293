"""What a package can be made for."""

from dataclasses import dataclass

from nova_ext.core import nova_names


@dataclass(frozen=True)
class Kind:
    """A contract of :mod:`nova_ext.core.extension`.

    :param name: as it is typed.
    :param endings: last words of a class name that say the kind, the one
        that our own classes have first.
    :param group: the entry-point group.
    :param novas: names that Nova's own classes of the kind have.
    """

    name: str
    endings: tuple[str, ...]
    group: str
    novas: frozenset[str]


KINDS = {
    kind.name: kind
    for kind in (
        Kind('filter', ('Filter',), 'nova_ext.filters', nova_names.FILTERS),
        Kind(
            'weigher', ('Weigher',), 'nova_ext.weighers', nova_names.WEIGHERS
        ),
        Kind(
            'driver', ('Scheduler', 'Driver'), 'nova_ext.drivers',
            frozenset(),
        ),
    )
}
