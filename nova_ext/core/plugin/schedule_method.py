"""Methods of a driver that may be called from outside.

A driver offers nothing by accident: a method without the mark is not
found, whatever its name.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from nova_ext.core.base.errors import available
from nova_ext.core.base.scheduling_errors import (
    UnknownMethodError,
    WrongArgumentsError,
)

Method = TypeVar('Method', bound=Callable[..., Any])

_MARK = 'nova_ext_schedule_method'


def schedule_method(method: Method) -> Method:
    """Mark a driver's method as callable from outside.

    It takes the caller's context, and arguments by name; arguments and
    result are what JSON can hold. An override in a subclass keeps the mark.
    """
    setattr(method, _MARK, True)
    return method


def offered(driver: object) -> list[str]:
    """Names of the methods that a driver offers, sorted."""
    return sorted({
        name for cls in type(driver).__mro__
        for name, value in vars(cls).items() if getattr(value, _MARK, False)
    })


def bind(
    driver: object, name: str, context: Any, arguments: Mapping[str, Any]
) -> Callable[[], Any]:
    """Find a method that a driver offers, and give it its arguments.

    :param driver: the driver.
    :param name: the method's name, as somebody sent it.
    :param context: the caller's context.
    :param arguments: by name, as somebody sent them.
    :returns: the call, not yet made.
    :raises UnknownMethodError: for a name that the driver does not offer.
    :raises WrongArgumentsError: for arguments that it does not take.
    """
    known = offered(driver)
    if name not in known:
        raise UnknownMethodError(
            f'driver {type(driver).__name__} offers no method {name!r}; '
            f'{available(name, known)}'
        )
    method = getattr(driver, name)
    try:
        bound = inspect.signature(method).bind(context, **arguments)
    except TypeError as error:
        raise WrongArgumentsError(
            f'{type(driver).__name__}.{name}(): {error}'
        ) from None
    return lambda: method(*bound.args, **bound.kwargs)
