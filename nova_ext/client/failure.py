"""What went wrong in a call, as one of the library's own errors."""

import oslo_messaging as messaging

from nova_ext.core.base import scheduling_errors
from nova_ext.core.base.scheduling_errors import (
    NoHostError,
    RequestTimeoutError,
    SchedulingError,
    TooOldError,
    UnreachableError,
)

#: Errors of Nova's scheduler and of oslo.messaging's servers, by name: the
#: classes themselves do not cross RPC.
_KNOWN: dict[str, type[SchedulingError]] = {
    'NoValidHost': NoHostError,
    'NoSuchMethod': TooOldError,
    'UnsupportedVersion': TooOldError,
}
_UNREACHABLE = (
    messaging.MessageDeliveryFailure, messaging.ClientSendError,
    messaging.MessageUndeliverable, OSError,
)
#: What kombu raises, below oslo.messaging, for a first connection.
_NO_CONNECTION = 'OperationalError'


def of(error: Exception, method: str) -> SchedulingError:
    """Translate what oslo.messaging raised.

    :param error: what the call of a method raised, here or at the other
        end.
    :param method: the method's name.
    :returns: an error of one line, without the traceback of the other end.
    """
    if isinstance(error, messaging.MessagingTimeout):
        return RequestTimeoutError(
            f'no answer to {method} in time; whether it ran is not known'
        )
    if isinstance(error, _UNREACHABLE) or (
        type(error).__name__ == _NO_CONNECTION
    ):
        return unsent(method, type(error).__name__)
    if isinstance(error, SchedulingError):
        return known_class(type(error))(_first_line(error.args[0]))
    name, message = type(error).__name__, str(error)
    if isinstance(error, messaging.RemoteError):
        name, message = error.exc_type, error.value or ''
    name = name.removesuffix('_Remote')
    cls = _KNOWN.get(name, SchedulingError)
    told = _first_line(message)
    return cls(told if cls is NoHostError else f'{method}: {name}: {told}')


def unsent(method: str, why: str) -> UnreachableError:
    """The error of a message that did not leave the program."""
    return UnreachableError(
        f'{method} was not sent: the message bus can\'t be reached ({why})'
    )


def known_class(cls: type[SchedulingError]) -> type[SchedulingError]:
    """The class itself, or the nearest of its bases that crosses RPC."""
    return next(
        base for base in cls.__mro__
        if base.__module__ == scheduling_errors.__name__
    )


def _first_line(message: object) -> str:
    return next(iter(str(message).splitlines()), '')
