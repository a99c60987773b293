"""The message broker of a lab, as its clients see it."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import amqp

from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.ports import ADDRESS

USER = 'broker'

#: Ports that it opens: for its clients, for other brokers, and that of the
#: name server of those.
PORTS = ('rabbit', 'rabbit-distribution', 'rabbit-epmd')

_TIMEOUT_S = 5
_POLL_S = 0.1


def url(state: State) -> str:
    """Return its address, as oslo.messaging takes it; holds a password."""
    port = state.ports['rabbit']
    return f'rabbit://{USER}:{state.passwords[USER]}@{ADDRESS}:{port}/'


def serves(state: State) -> bool:
    """Return whether it lets the lab's services in."""
    with contextlib.suppress(OSError, amqp.AMQPError), _channel(state):
        return True
    return False


def consumers(state: State, queue: str) -> int:
    """Return how many processes take messages from a queue.

    :returns: 0 too when there is no such queue, or no broker.
    """
    with (
        contextlib.suppress(OSError, amqp.AMQPError),
        _channel(state) as channel,
    ):
        found = channel.queue_declare(queue, passive=True)
        return int(found.consumer_count)
    return 0


def wait_for(state: State, queue: str, deadline: float) -> bool:
    """Wait until somebody takes messages from a queue.

    :param deadline: when to give up, by time.monotonic().
    :returns: whether somebody does.
    """
    while not consumers(state, queue):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True


@contextlib.contextmanager
def _channel(state: State) -> Iterator[Any]:
    with amqp.Connection(
        f'{ADDRESS}:{state.ports["rabbit"]}', userid=USER,
        password=state.passwords[USER], connect_timeout=_TIMEOUT_S,
        read_timeout=_TIMEOUT_S, write_timeout=_TIMEOUT_S,
    ) as connection, connection.channel() as channel:
        yield channel
