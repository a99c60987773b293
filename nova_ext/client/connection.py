"""Call schedulers over the message bus, and read what they answer."""

import time
from collections.abc import Callable
from typing import Any, Self, TypeVar

import oslo_messaging as messaging

from nova_ext.client import wire
from nova_ext.client.bus import Bus
from nova_ext.core.base.scheduling_errors import (
    NoSchedulerError,
    RequestTimeoutError,
    SchedulingError,
)

#: Seconds, as Nova's own calls have.
TIMEOUT_S = 60.0
#: Seconds in which a scheduler that runs answers what takes it no time.
PRESENCE_S = 5.0

Result = TypeVar('Result')


class Connection:
    """Call schedulers; its arguments are those of the client."""

    def __init__(
        self, url: str | None = None, *, timeout_s: float = TIMEOUT_S,
        exchange: str | None = wire.EXCHANGE,
    ) -> None:
        self._bus = Bus(url, timeout_s)
        self._exchange = exchange or wire.find_exchange()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def transport(self) -> messaging.Transport:
        """Return the bus, for RPC between programs that schedulers serve.

        It is closed with the client.
        """
        return self._bus.transport

    def close(self) -> None:
        """Close the connections; the client can't be used after it."""
        self._bus.close()

    def _call(self, context: Any, method: str, /, **arguments: Any) -> Any:
        return self._bus.call(
            context, self._get_target(), method, arguments
        )

    def _check_presence(self, context: Any, wish: str) -> None:
        """Ask for what takes no time, before what takes long.

        :param wish: what the caller wants; it begins the error.
        :raises NoSchedulerError: where none has a queue on this bus.
        :raises RequestTimeoutError: where none answers.
        """
        self._call_quickly(context, 'required_stats', wish)

    def _call_quickly(self, context: Any, method: str, wish: str) -> Any:
        try:
            return self._bus.call(
                context, self._get_target(), method, {}, PRESENCE_S
            )
        except NoSchedulerError:
            raise NoSchedulerError(
                f'{wish}: no nova-ext-scheduler is on this message bus'
            ) from None
        except RequestTimeoutError:
            raise RequestTimeoutError(
                f'{wish}: a queue has the question, and no '
                f'nova-ext-scheduler answered within {PRESENCE_S:.0f} s: '
                f'they are busy, hang or were stopped'
            ) from None

    def _cast(self, context: Any, method: str, /, **arguments: Any) -> None:
        """Send a message to every worker; number it by the time."""
        self._bus.cast(
            context, self._get_target(fanout=True), method,
            {**arguments, 'serial': time.time_ns()},
        )

    def _get_target(self, fanout: bool = False) -> messaging.Target:
        return messaging.Target(
            exchange=self._exchange, topic=wire.TOPIC,
            version=wire.VERSION, fanout=fanout,
        )


def read(method: str, load: Callable[[Any], Result], answer: Any) -> Result:
    """Return what an answer says.

    :raises SchedulingError: it can't be read.
    """
    try:
        return load(answer)
    except TypeError as error:
        raise SchedulingError(
            f'the answer to {method} can\'t be read: {error}'
        ) from None
