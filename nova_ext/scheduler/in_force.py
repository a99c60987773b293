"""What decides in this scheduler, and which hints that reads."""

import ast
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from nova_ext.core.extension import Driver
from nova_ext.lint import nova_facts
from nova_ext.lint.code import hints, reach
from nova_ext.lint.code.find import Finder
from nova_ext.lint.code.module import Module
from nova_ext.lint.code.plugin import BrokenError, Function, Plugin, Reader
from nova_ext.scheduler.options import CONF

#: Hints of Nova's own plugins; others tell by their source.
_NOVAS: Mapping[str, Iterable[str]] = {
    **{name: known.hints for name, known in nova_facts.FILTERS.items()},
    **nova_facts.WEIGHER_HINTS,
}

#: Modules of base classes, which read no hints themselves.
_CONTRACTS = (
    'abc', 'builtins', 'nova.filters', 'nova.scheduler.filters',
    'nova.scheduler.weights', 'nova.weights', 'nova_ext.core.extension',
    'nova_ext.scheduler.recording',
)


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


def unread(
    given: Iterable[str], readers: Iterable[Any]
) -> list[str] | None:
    """Hints that nothing reads which decides.

    :param given: names of the hints of a request.
    :param readers: the classes of the filters, the weighers and the driver.
    :returns: None where one of them may read hints that its source does not
        name, unless others read all that were given.
    """
    told = [_hints(cls) for cls in readers]
    read = {name for each in told for name in each.names}
    beginnings = tuple(
        name.removesuffix('*') for name in read if name.endswith('*')
    )
    left = [
        name for name in given
        if name not in read and not name.startswith(beginnings)
    ]
    return left if not left or all(each.whole for each in told) else None


@dataclass(frozen=True)
class _Hints:
    """The hints that a class reads.

    :param names: sorted; ``stats:*`` for all that begin so.
    :param whole: whether it reads no others.
    """

    names: list[str]
    whole: bool


def _about(one: Any) -> dict[str, Any]:
    cls: Any = type(one)
    return {
        'name': cls.__name__, 'source': f'{cls.__module__}.{cls.__name__}',
        'hints': _hints(cls).names,
    }


@cache
def _hints(cls: Any) -> _Hints:
    """What Nova's own plugins are known for, and others by their source.

    A class that records bears the name and the module of the one that it
    was made of.
    """
    ancestry = getattr(cls, 'plugin_class', cls).__mro__
    known = [one for one in ancestry if _is_novas(one)]
    contracts = {base for one in known for base in one.__mro__}
    names = {hint for one in known for hint in _NOVAS[one.__name__]}
    reader = Reader(Finder())
    followed: list[tuple[Module, ast.ClassDef]] = []
    whole = True
    for one in ancestry:
        functions = _functions(one)
        if one in contracts or one.__module__ in _CONTRACTS or not functions:
            continue
        source = _source(one, functions, reader)
        if source is None:
            whole = False
        else:
            followed.append(source)
    if followed:
        plugin = Plugin(cls.__name__, followed, None)
        found = reach.reach(plugin, reader)
        names |= hints.honoured(plugin, reader, found.functions)
        whole &= found.whole or bool(hints.prefix(plugin, reader))
    return _Hints(sorted(names), whole)


def _is_novas(cls: Any) -> bool:
    return cls.__module__.startswith('nova.') and cls.__name__ in _NOVAS


def _functions(cls: Any) -> set[str]:
    """The names of what a class itself has that can run."""
    return {
        name for name, value in vars(cls).items()
        if isinstance(value, property | classmethod | staticmethod)
        or (callable(value) and not isinstance(value, type))
    }


def _source(
    cls: Any, functions: set[str], reader: Reader
) -> tuple[Module, ast.ClassDef] | None:
    """Where a class is written; None where not all of it is."""
    path = getattr(sys.modules.get(cls.__module__), '__file__', None)
    if path is None:
        return None
    try:
        module = reader.module(cls.__module__, Path(path))
    except BrokenError:
        return None
    node = module.classes.get(cls.__name__)
    written = {
        statement.name for statement in node.body
        if isinstance(statement, Function)
    } if node else set()
    return (module, node) if node and functions <= written else None


def _multiplier(weigher: Any) -> float | None:
    """What counts on a host that is in no aggregate; None: unknown."""
    try:
        return float(weigher.weight_multiplier(SimpleNamespace(aggregates=[])))
    except Exception:  # an extension may look at more of a host
        return None
