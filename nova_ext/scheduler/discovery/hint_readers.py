"""Know which scheduler hints the filters, weighers and drivers read."""

from collections.abc import Iterable
from typing import Any

from nova_ext.core.request import scheduler_hints
from nova_ext.nova_releases import plugins_and_options

#: Hints of Nova's own plugins, by class. Others declare theirs.
_NOVAS = {
    f'{plugins_and_options.FILTERS_PACKAGE}.{known.module}.{name}': known.hints
    for name, known in plugins_and_options.FILTERS.items()
} | {
    f'{plugins_and_options.WEIGHERS_PACKAGE}.{module}.{name}':
        plugins_and_options.WEIGHER_HINTS.get(name, ())
    for name, module in plugins_and_options.WEIGHERS.items()
}


def find_unread_hints(
    hints: Iterable[str], readers: Iterable[Any]
) -> list[str] | None:
    """Return the hints of a request that nothing in the scheduler reads.

    :param hints: their names.
    :param readers: the classes of the filters, the weighers and the driver.
    :returns: None where that is not known: some hints are declared by
        nobody, and a class that declares none may read any.
    """
    declared = [get_hints(cls) for cls in readers]
    read = {name for names in declared for name in names or ()}
    unread = [
        name for name in hints if not scheduler_hints.is_declared(name, read)
    ]
    return None if unread and None in declared else unread


def get_hints(cls: Any) -> frozenset[str] | None:
    """Return the hints that a class reads; None: not known."""
    # A traced class has the name and the module of its base class.
    novas = _NOVAS.get(get_path(cls))
    if novas is not None:
        return frozenset(novas)
    plugin = getattr(cls, 'plugin_class', cls)
    return scheduler_hints.get_declared_hints(
        getattr(plugin, 'hints', None), getattr(plugin, 'hint_prefix', '')
    )


def get_path(cls: Any) -> str:
    """Return a class's module and name."""
    return f'{cls.__module__}.{cls.__name__}'
