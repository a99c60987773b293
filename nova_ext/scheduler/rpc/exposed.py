"""Expose methods to RPC, and refuse what does not fit them."""

import functools
import inspect
import logging
from collections.abc import Callable, Iterable
from typing import Any

import oslo_messaging as messaging

from nova_ext.core.base.scheduling_errors import (
    SchedulingError,
    WrongArgumentsError,
)
from nova_ext.core.rpc import arguments
from nova_ext.scheduler.base.rate_limited_log import MAX_LENGTH, RateLimitedLog

LOG = logging.getLogger(__name__)

_MARK = 'nova_ext_is_call'


def call_method(
    max_size: int = arguments.MAX_SIZE
) -> Callable[[Callable[..., Any]], Any]:
    """Expose a method whose caller waits for the answer.

    :param max_size: characters of its arguments, see :func:`arguments.load`.
    """
    return functools.partial(_expose, is_call=True, max_size=max_size)


def cast_method(method: Callable[..., Any]) -> Any:
    """Expose a method whose sender waits for no answer: log its refusals."""
    return _expose(method, is_call=False, max_size=arguments.MAX_SIZE)


def list_call_methods(endpoints: Iterable[object]) -> frozenset[str]:
    """Return the names of the methods that run only for a waiting caller."""
    return frozenset(
        name for endpoint in endpoints
        for name, method in inspect.getmembers(type(endpoint))
        if getattr(method, _MARK, False)
    )


class RefusingEndpoint:
    """Log refused messages, but rarely."""

    def __init__(self) -> None:
        self._refusals = RateLimitedLog(LOG)

    def _log_refusal(self, method: str, error: Exception) -> None:
        self._refusals.warning(
            'A message from the bus is refused: %s: %s', method, error
        )


def _expose(
    method: Callable[..., Any], *, is_call: bool, max_size: int
) -> Any:
    name = method.__name__
    signature = inspect.signature(method)
    kinds = {
        each.name: each.annotation for each in signature.parameters.values()
    }

    @messaging.expose
    @messaging.expected_exceptions(SchedulingError)
    def checked(self: Any, context: Any, /, **message: Any) -> Any:
        try:
            loaded = arguments.load(
                kinds, _bind(signature, context, message), max_size
            )
        except SchedulingError as error:
            self._log_refusal(name, error)
            raise
        try:
            return method(self, context, **loaded)
        except SchedulingError as error:
            if not is_call:
                self._log_refusal(name, error)
            raise

    setattr(checked, _MARK, is_call)
    return functools.wraps(method)(checked)


def _bind(
    signature: inspect.Signature, context: Any, message: dict[str, Any]
) -> dict[str, Any]:
    """Return a message's arguments.

    :raises WrongArgumentsError: for names that the method does not take.
    """
    try:
        signature.bind(None, context, **message)
    except TypeError as error:
        raise WrongArgumentsError(str(error)[:MAX_LENGTH]) from None
    return message
