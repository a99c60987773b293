"""The message bus: calls and casts that end in time, with typed errors."""

import contextlib
from collections.abc import Mapping
from typing import Any

import oslo_messaging as messaging
from oslo_config import cfg

from nova_ext.client import failure
from nova_ext.client.deadline import AwayError, Deadline
from nova_ext.client.nova_context import NovaContextSerializer
from nova_ext.conf import nova_ext
from nova_ext.core.base import scheduling_errors

#: Attempts to send after the first; they take 9 seconds and more. What is
#: sent later than that may come too late to be wanted.
_RETRIES = 3
#: Seconds beyond the timeout for which oslo.messaging may tell it itself.
_GRACE_S = 2.0
_AWAY = 'no connection in time'


class Bus:
    """Nova's message bus.

    :param url: the transport URL; None: that of the configuration, which
        may name another bus for us than the one that Nova has here.
    :param timeout_s: seconds to wait for an answer.
    :ivar transport: oslo.messaging's.
    :raises UnreachableError: for a URL that can't be one.
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
            # Their own words hold the URL, and with it a password.
            raise scheduling_errors.UnreachableError(
                'transport_url can\'t be used: no URL of a message bus that '
                f'oslo.messaging knows ({type(error).__name__})'
            ) from None

    def close(self) -> None:
        """Close all connections; one that is still being made is left."""
        with contextlib.suppress(messaging.MessagingTimeout):
            Deadline().within(_GRACE_S, self.transport.cleanup)

    def call(
        self, context: Any, target: messaging.Target, method: str,
        arguments: Mapping[str, Any],
    ) -> Any:
        """Have one server run a method.

        :returns: its result.
        :raises SchedulingError: for all that can go wrong.
        """
        prepared = self._client(target).prepare(timeout=self._timeout_s)
        try:
            return self._deadline.within(
                self._timeout_s + _GRACE_S,
                lambda: prepared.call(context, method, **arguments),
            )
        except AwayError:
            raise failure.unsent(method, _AWAY) from None
        except Exception as error:
            raise failure.of(error, method) from None

    def cast(
        self, context: Any, target: messaging.Target, method: str,
        arguments: Mapping[str, Any],
    ) -> None:
        """Tell servers something, and wait for none of them.

        :raises UnreachableError: when it was not sent.
        """
        client = self._client(target)
        try:
            self._deadline.within(
                self._timeout_s,
                lambda: client.cast(context, method, **arguments),
            )
        except (AwayError, messaging.MessagingTimeout):
            raise failure.unsent(method, _AWAY) from None
        except Exception as error:
            raise failure.of(error, method) from None

    def _client(self, target: messaging.Target) -> Any:
        return messaging.get_rpc_client(
            self.transport, target, serializer=NovaContextSerializer(),
            retry=_RETRIES,
        )
