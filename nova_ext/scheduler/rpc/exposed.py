"""Expose methods to RPC, and refuse what does not fit them."""

import functools
import inspect
import logging
from collections.abc import Callable
from typing import Any

import oslo_messaging as messaging

from nova_ext.core.base.scheduling_errors import (
    SchedulingError,
    WrongArgumentsError,
)
from nova_ext.scheduler.base.rate_limited_log import MAX_LENGTH, RateLimitedLog

LOG = logging.getLogger(__name__)


def rpc_method(method: Callable[..., Any]) -> Any:
    """Refuse arguments of wrong names with a typed error."""
    signature = inspect.signature(method)

    @messaging.expose
    @messaging.expected_exceptions(SchedulingError)
    def checked(self: Any, context: Any, /, **message: Any) -> Any:
        try:
            signature.bind(self, context, **message)
        except TypeError as error:
            refusal = WrongArgumentsError(
                f'{method.__name__}: {str(error)[:MAX_LENGTH]}'
            )
            # Senders of reports and stats wait for no answer.
            self._log_refusal('A message is refused', refusal)
            raise refusal from None
        return method(self, context, **message)

    return functools.wraps(method)(checked)


class RefusingEndpoint:
    """Log refused messages, but rarely."""

    def __init__(self) -> None:
        self._refusals = RateLimitedLog(LOG)

    def _log_refusal(self, message: str, error: Exception) -> None:
        known = isinstance(error, SchedulingError)
        self._refusals.warning(
            '%s: %s', message, error if known else repr(error)
        )


def check_serial(serial: Any) -> int:
    """Return the number of a message.

    :raises WrongArgumentsError: for what is no integer.
    """
    if type(serial) is not int:
        raise WrongArgumentsError('serial is no integer')
    return serial
