"""What decides in this scheduler, and which hints that reads."""

import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from nova_ext.core.extension import Driver
from nova_ext.lint import nova_facts
from nova_ext.lint.code import hints
from nova_ext.lint.code.find import Finder
from nova_ext.lint.code.plugin import BrokenError, Plugin, Reader
from nova_ext.scheduler.options import CONF

#: Hints of Nova's own plugins; others tell by their source.
_NOVAS: Mapping[str, Iterable[str]] = {
    **{name: known.hints for name, known in nova_facts.FILTERS.items()},
    **nova_facts.WEIGHER_HINTS,
}


def told(host_manager: Any, drivers: Mapping[str, Driver]) -> dict[str, Any]:
    """Filters, weighers and drivers, as plain data.

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


def unread(given: Iterable[str], readers: Iterable[Any]) -> list[str]:
    """Hints that nothing reads which decides.

    :param given: names of the hints of a request.
    :param readers: the classes of the filters, the weighers and the driver.
    """
    read: set[str] = set()
    for cls in readers:
        read.update(_hints(cls))
    beginnings = tuple(
        name.removesuffix('*') for name in read if name.endswith('*')
    )
    return [
        name for name in given
        if name not in read and not name.startswith(beginnings)
    ]


def _about(one: Any) -> dict[str, Any]:
    cls: Any = type(one)
    return {
        'name': cls.__name__, 'source': f'{cls.__module__}.{cls.__name__}',
        'hints': _hints(cls),
    }


@cache
def _hints(cls: Any) -> list[str]:
    """The hints that a class reads, sorted.

    A class that records bears the name and the module of the one that it
    was made of.
    """
    if cls.__module__.startswith('nova.'):
        return sorted(_NOVAS.get(cls.__name__, ()))
    reader = Reader(Finder())
    try:
        plugin = _plugin(cls, reader)
    except BrokenError:
        return []
    return sorted(hints.honoured(plugin, reader)) if plugin else []


def _plugin(cls: Any, reader: Reader) -> Plugin | None:
    """The source of a class; None for one that has none."""
    path = getattr(sys.modules.get(cls.__module__), '__file__', None)
    if path is None:
        return None
    module = reader.module(cls.__module__, Path(path))
    if cls.__name__ not in module.classes:
        return None
    return reader.followed(module, cls.__name__)


def _multiplier(weigher: Any) -> float | None:
    """What counts on a host that is in no aggregate; None: unknown."""
    try:
        return float(weigher.weight_multiplier(SimpleNamespace(aggregates=[])))
    except Exception:  # an extension may look at more of a host
        return None
