"""What decides in this scheduler, and which hints that reads."""

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from nova_ext.core.extension import Driver
from nova_ext.core.request import scheduler_hints
from nova_ext.nova_releases import plugins_and_options
from nova_ext.scheduler.base.options import CONF

#: Hints of Nova's own plugins, by class; others declare theirs.
_NOVAS = {
    f'{plugins_and_options.FILTERS_PACKAGE}.{known.module}.{name}': known.hints
    for name, known in plugins_and_options.FILTERS.items()
} | {
    f'{plugins_and_options.WEIGHERS_PACKAGE}.{module}.{name}':
        plugins_and_options.WEIGHER_HINTS.get(name, ())
    for name, module in plugins_and_options.WEIGHERS.items()
}


def describe(
    host_manager: Any, drivers: Mapping[str, Driver]
) -> dict[str, Any]:
    """Return the filters, weighers and drivers as plain data.

    :param host_manager: Nova's, with its filters and weighers.
    :param drivers: by topic.
    """
    return {
        'host': CONF.host,
        'filters': [_about(one) for one in host_manager.enabled_filters],
        'weighers': [
            _about(one) | {'multiplier': _multiplier(one)}
            for one in host_manager.weighers
        ],
        'drivers': [
            _about(one) | {'topic': topic} for topic, one in drivers.items()
        ],
    }


def unread(
    given: Iterable[str], readers: Iterable[Any]
) -> list[str] | None:
    """Return the hints that nothing reads which decides.

    :param given: names of the hints of a request.
    :param readers: the classes of the filters, the weighers and the driver.
    :returns: None where one of them declares no hints, so that it may read
        any, unless others read all that were given.
    """
    declared = [_hints(cls) for cls in readers]
    read = {name for names in declared for name in names or ()}
    left = [name for name in given if not scheduler_hints.is_among(name, read)]
    return None if left and None in declared else left


def _about(one: Any) -> dict[str, Any]:
    cls = type(one)
    names = _hints(cls)
    return {
        'name': cls.__name__, 'source': _path(cls),
        'hints': None if names is None else sorted(names),
    }


def _hints(cls: Any) -> frozenset[str] | None:
    """Return the hints that a class reads; None: not known.

    A class that records bears the name and the module of the one that it
    was made of.
    """
    novas = _NOVAS.get(_path(cls))
    if novas is not None:
        return frozenset(novas)
    plugin = getattr(cls, 'plugin_class', cls)
    return scheduler_hints.declared(
        getattr(plugin, 'hints', None), getattr(plugin, 'hint_prefix', '')
    )


def _path(cls: Any) -> str:
    return f'{cls.__module__}.{cls.__name__}'


def _multiplier(weigher: Any) -> float | None:
    """What counts on a host that is in no aggregate; None: unknown."""
    try:
        return float(weigher.weight_multiplier(SimpleNamespace(aggregates=[])))
    except Exception:  # an extension may look at more of a host
        return None
