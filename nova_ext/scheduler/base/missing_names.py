"""Find what the installed Nova lacks of the names that are used of it."""

import contextlib
import dis
import inspect
import pkgutil
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from nova_ext.scheduler.base.nova_api import NOVA_API


def find_missing(api: Mapping[str, str] = NOVA_API) -> list[str]:
    """Return what the installed Nova lacks, each in one phrase.

    :param api: as :data:`NOVA_API`.
    """
    _register_objects()
    missing = []
    for path, names in api.items():
        try:
            owner = pkgutil.resolve_name(path)
        except (ImportError, AttributeError):
            missing.append(f'{path} is gone')
            continue
        missing.extend(
            f'{path}.{name} {problem}'
            for name, parameters in parse_names(names).items()
            if (problem := _find_problem(owner, name, parameters))
        )
    return missing


def parse_names(names: str) -> dict[str, list[str]]:
    """Return the parameters that each of these names must take.

    :param names: as a value of :data:`NOVA_API`.
    """
    return {
        name: parameters.split()
        for name, parameters in re.findall(r'(\w+)(?:\(([^)]*)\))?', names)
    }


def _register_objects() -> None:
    """Fill the namespace ``nova.objects``, as each of Nova's services does."""
    with contextlib.suppress(ImportError, AttributeError):
        pkgutil.resolve_name('nova.objects.register_all')()


def _find_problem(owner: Any, name: str, needed: list[str]) -> str:
    if not hasattr(owner, name):
        kept = isinstance(owner, type) and find_definer(owner, name)
        return '' if kept else 'is gone'
    try:
        takes = list_parameters(getattr(owner, name)) if needed else []
    except TypeError:
        return 'is no function'
    names = ', '.join(name for name in needed if name not in takes)
    return f'takes no {names}' if names else ''


def find_definer(cls: type, name: str) -> type | None:
    """Return the class that defines an attribute of a class's instances.

    :returns: the first class, in the order in which Python looks, that has
        the attribute or whose methods set it on ``self``; None if there is
        none.
    """
    return next((
        base for base in cls.__mro__
        if name in vars(base) or name in _list_set_attributes(base)
    ), None)


@cache
def _list_set_attributes(cls: type) -> frozenset[str]:
    """Return the names that a class's own methods set on any object."""
    return frozenset(
        instruction.argval
        for method in vars(cls).values() if inspect.isfunction(method)
        for instruction in dis.get_instructions(inspect.unwrap(method))
        if instruction.opname == 'STORE_ATTR'
    )


def list_parameters(method: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters of one of Nova's callables.

    oslo.messaging hides them behind its decorator for expected exceptions.
    """
    decorated = inspect.getclosurevars(method).nonlocals.get('func', method)
    return list(inspect.signature(decorated).parameters)
