"""Describe what decides in this scheduler, and which hints it reads."""

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from nova_ext.core.extension import Cost, Driver
from nova_ext.core.request import scheduler_hints
from nova_ext.nova_releases import plugins_and_options
from nova_ext.scheduler.base.options import CONF

#: Hints of Nova's own plugins, by class. Others declare theirs.
_NOVAS = {
    f'{plugins_and_options.FILTERS_PACKAGE}.{known.module}.{name}': known.hints
    for name, known in plugins_and_options.FILTERS.items()
} | {
    f'{plugins_and_options.WEIGHERS_PACKAGE}.{module}.{name}':
        plugins_and_options.WEIGHER_HINTS.get(name, ())
    for name, module in plugins_and_options.WEIGHERS.items()
}


def describe(
    host_manager: Any, drivers: Mapping[str, Driver],
    costs: Iterable[tuple[Cost, int]],
) -> dict[str, Any]:
    """Return the filters, weighers, drivers and costs as plain data.

    :param costs: each with its weight.
    """
    return {
        'host': CONF.host,
        'filters': [
            _describe(filter_) for filter_ in host_manager.enabled_filters
        ],
        'weighers': [
            _describe(weigher) | {'multiplier': _get_multiplier(weigher)}
            for weigher in host_manager.weighers
        ],
        'drivers': [
            _describe(driver) | {'topic': topic}
            for topic, driver in drivers.items()
        ],
        'costs': [
            _describe(cost) | {'weight': weight} for cost, weight in costs
        ],
    }


def find_unread_hints(
    hints: Iterable[str], readers: Iterable[Any]
) -> list[str] | None:
    """Return the hints of a request that nothing in the scheduler reads.

    :param hints: their names.
    :param readers: the classes of the filters, the weighers and the driver.
    :returns: None if that is unknown: some hints are declared by
        nobody, and a class that declares none may read any.
    """
    declared = [_get_hints(cls) for cls in readers]
    read = {name for names in declared for name in names or ()}
    unread = [
        name for name in hints if not scheduler_hints.is_declared(name, read)
    ]
    return None if unread and None in declared else unread


def _describe(extension: Any) -> dict[str, Any]:
    cls = type(extension)
    names = _get_hints(cls)
    return {
        'name': cls.__name__, 'source': _get_path(cls),
        'hints': None if names is None else sorted(names),
    }


def _get_hints(cls: Any) -> frozenset[str] | None:
    """Return the hints that a class reads; None if unknown."""
    # A traced class has the name and the module of its base class.
    novas = _NOVAS.get(_get_path(cls))
    if novas is not None:
        return frozenset(novas)
    plugin = getattr(cls, 'plugin_class', cls)
    return scheduler_hints.get_declared_hints(
        getattr(plugin, 'hints', None), getattr(plugin, 'hint_prefix', '')
    )


def _get_path(cls: Any) -> str:
    return f'{cls.__module__}.{cls.__name__}'


def _get_multiplier(weigher: Any) -> float | None:
    """Return the multiplier of a host in no aggregate; None if unknown."""
    try:
        return float(weigher.weight_multiplier(SimpleNamespace(aggregates=[])))
    except Exception:  # an extension may look at more of a host
        return None
