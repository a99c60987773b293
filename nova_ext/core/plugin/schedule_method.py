"""Mark and bind the methods of a driver that may be called over RPC.

A driver offers nothing by accident: a method without the mark is not found.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from nova_ext.core.base.errors import suggest_names
from nova_ext.core.base.scheduling_errors import (
    UnknownMethodError,
    WrongArgumentsError,
)

Method = TypeVar('Method', bound=Callable[..., Any])

_MARK = 'nova_ext_schedule_method'


def schedule_method(method: Method) -> Method:
    """Mark a driver's method as callable over RPC.

    It takes the caller's context, and arguments by name. Arguments and
    result are plain data that JSON can hold. Overrides keep the mark.
    """
    setattr(method, _MARK, True)
    return method


def list_methods(driver: object) -> list[str]:
    """Return the names of the methods that a driver offers, sorted."""
    return sorted({
        name for cls in type(driver).__mro__
        for name, value in vars(cls).items() if getattr(value, _MARK, False)
    })


def bind_method(
    driver: object, name: str, context: Any, arguments: Mapping[str, Any]
) -> Callable[[], Any]:
    """Bind a method that a driver offers to its arguments.

    :param name: the method's name, as the caller sent it.
    :param arguments: by name, as the caller sent them.
    :returns: a callable without arguments.
    :raises UnknownMethodError: for a name that the driver does not offer.
    :raises WrongArgumentsError: for arguments that it does not take.
    """
    known = list_methods(driver)
    if name not in known:
        raise UnknownMethodError(
            f'driver {type(driver).__name__} offers no method {name!r}; '
            f'{suggest_names(name, known)}'
        )
    method = getattr(driver, name)
    try:
        bound = inspect.signature(method).bind(context, **arguments)
    except TypeError as error:
        raise WrongArgumentsError(
            f'{type(driver).__name__}.{name}(): {error}'
        ) from None
    return lambda: method(*bound.args, **bound.kwargs)
