"""Send calls and casts that end in time, with typed errors."""

import contextlib
import math
from collections.abc import Mapping
from typing import Any

import oslo_messaging as messaging
from oslo_config import cfg

from nova_ext.client.deadline import BusAwayError, Deadline
from nova_ext.client.wire import NovaContextSerializer
from nova_ext.conf import nova_ext
from nova_ext.core.base import scheduling_errors
from nova_ext.core.base.scheduling_errors import (
    NoHostError,
    NoSchedulerError,
    RequestTimeoutError,
    SchedulingError,
    TooOldError,
    UnreachableError,
)

#: Attempts to send after the first; they take 9 seconds and more. A later
#: message may come too late.
_RETRIES = 3
#: Seconds beyond the timeout in which oslo.messaging may raise it itself.
_GRACE_S = 2.0
_AWAY = 'no connection in time'

#: Errors of Nova's scheduler and of oslo.messaging's servers, by name: the
#: classes themselves do not cross RPC.
_KNOWN: dict[str, type[SchedulingError]] = {
    'NoValidHost': NoHostError,
    'NoSuchMethod': TooOldError,
    'UnsupportedVersion': TooOldError,
}
_UNREACHABLE = (
    messaging.MessageDeliveryFailure, messaging.ClientSendError, OSError,
)
#: What kombu raises, below oslo.messaging, for a first connection.
_NO_CONNECTION = 'OperationalError'


class Bus:
    """Connect to Nova's message bus.

    :param url: the transport URL; None: that of the configuration, which
        may name another bus for nova-ext than for Nova.
    :param timeout_s: seconds to wait for an answer.
    :ivar transport: oslo.messaging's.
    :raises UnreachableError: for a malformed URL.
    """

    def __init__(self, url: str | None, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._deadline = Deadline()
        cfg.CONF.register_opt(nova_ext.TRANSPORT_URL, group=nova_ext.GROUP)
        try:
            # Some of oslo.messaging's options are known in this CONF only.
            self.transport = messaging.get_rpc_transport(
                cfg.CONF, url or cfg.CONF.nova_ext.transport_url,
                allowed_remote_exmods=[scheduling_errors.__name__],
            )
        except (ValueError, messaging.InvalidTransportURL,
                messaging.DriverLoadFailure) as error:
            # Their messages hold the URL, and with it a password.
            raise UnreachableError(
                'transport_url can\'t be used: no URL of a message bus that '
                f'oslo.messaging knows ({type(error).__name__})'
            ) from None

    def close(self) -> None:
        """Close all connections but one that is still being opened."""
        with contextlib.suppress(messaging.MessagingTimeout):
            Deadline().run(_GRACE_S, self.transport.cleanup)

    def call(
        self, context: Any, target: messaging.Target, method: str,
        arguments: Mapping[str, Any], at_most_s: float = math.inf,
    ) -> Any:
        """Have one server run a method, and return its result.

        :param at_most_s: seconds to wait, where that is less than the bus's
            own timeout.
        :raises SchedulingError: for every failure.
        """
        timeout_s = min(self._timeout_s, at_most_s)
        prepared = self._client(target).prepare(
            # RabbitMQ returns a message that no queue takes.
            timeout=timeout_s, transport_options=messaging.TransportOptions(
                at_least_once=True
            ),
        )
        try:
            return self._deadline.run(
                timeout_s + _GRACE_S,
                lambda: prepared.call(context, method, **arguments),
            )
        except BusAwayError:
            raise make_unsent_error(method, _AWAY) from None
        except Exception as error:
            raise translate(error, method) from None

    def cast(
        self, context: Any, target: messaging.Target, method: str,
        arguments: Mapping[str, Any],
    ) -> None:
        """Have servers run a method, and wait for none of them.

        :raises UnreachableError: when it was not sent.
        """
        client = self._client(target)
        try:
            self._deadline.run(
                self._timeout_s,
                lambda: client.cast(context, method, **arguments),
            )
        except (BusAwayError, messaging.MessagingTimeout):
            raise make_unsent_error(method, _AWAY) from None
        except Exception as error:
            raise translate(error, method) from None

    def _client(self, target: messaging.Target) -> Any:
        return messaging.get_rpc_client(
            self.transport, target, serializer=NovaContextSerializer(),
            retry=_RETRIES,
        )


def translate(error: Exception, method: str) -> SchedulingError:
    """Translate what oslo.messaging raised.

    :param error: what the call of a method raised, here or at the server.
    :param method: the method's name.
    :returns: an error of one line, without the server's traceback.
    """
    if isinstance(error, messaging.MessagingTimeout):
        return RequestTimeoutError(
            f'no answer to {method} in time; whether it ran is not known'
        )
    if isinstance(error, messaging.MessageUndeliverable):
        return NoSchedulerError(
            f'no scheduler that answers {method} is on this message bus'
        )
    if isinstance(error, _UNREACHABLE) or (
        type(error).__name__ == _NO_CONNECTION
    ):
        return make_unsent_error(method, type(error).__name__)
    if isinstance(error, SchedulingError):
        return find_known_class(type(error))(_first_line(error.args[0]))
    name, message = type(error).__name__, str(error)
    if isinstance(error, messaging.RemoteError):
        name, message = error.exc_type, error.value or ''
    name = name.removesuffix('_Remote')
    cls = _KNOWN.get(name, SchedulingError)
    line = _first_line(message)
    return cls(line if cls is NoHostError else f'{method}: {name}: {line}')


def make_unsent_error(method: str, reason: str) -> UnreachableError:
    """Return the error of a message that did not leave the program."""
    return UnreachableError(
        f'{method} was not sent: the message bus can\'t be reached ({reason})'
    )


def find_known_class(cls: type[SchedulingError]) -> type[SchedulingError]:
    """Return the class itself, or its nearest base that crosses RPC."""
    return next(
        base for base in cls.__mro__
        if base.__module__ == scheduling_errors.__name__
    )


def _first_line(message: object) -> str:
    return next(iter(str(message).splitlines()), '')
