"""What a package can be made for."""

from dataclasses import dataclass

from nova_ext.nova_releases import plugins_and_options, removed_names


@dataclass(frozen=True)
class Kind:
    """A contract of :mod:`nova_ext.core.extension`.

    :param name: as it is typed.
    :param endings: last words of a class name that say the kind, the one
        that our own classes have first.
    :param group: the entry-point group.
    :param novas: names that Nova's own classes of the kind have, or had:
        lint and old guides still tell of these.
    """

    name: str
    endings: tuple[str, ...]
    group: str
    novas: frozenset[str]


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            'filter', ('Filter',), 'nova_ext.filters',
            frozenset({*plugins_and_options.FILTERS, *removed_names.FILTERS}),
        ),
        Kind(
            'weigher', ('Weigher',), 'nova_ext.weighers',
            frozenset(plugins_and_options.WEIGHERS),
        ),
        Kind(
            'driver', ('Scheduler', 'Driver'), 'nova_ext.drivers',
            frozenset(),
        ),
    )
}
