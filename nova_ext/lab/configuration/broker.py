"""Reach the message broker of a lab, as its clients do.

The queues of a service keep their names when it restarts. With random names
oslo.messaging deletes a service's fanout queue when the service ends. While
it waits for the broker's answer, it takes requests for the service,
acknowledges and drops them. Nobody would ever answer these. Queues with fixed
names are left to the broker.

Commands have queues with random names. To count theirs, oslo.messaging would
need the first process of their group, which may have ended where a script
goes on in the background.
"""

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import amqp

from nova_ext.lab.state.lab_state import Settings, State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.ports import ADDRESS

USER = 'broker'

#: Ports that it opens: for its clients, for other brokers, and that of the
#: name server of those.
PORTS = ('rabbit', 'rabbit-distribution', 'rabbit-epmd')

_GROUP = 'oslo_messaging_rabbit'
_TIMEOUT_S = 5

# Where oslo.messaging counts the queues of a host's services.
_COUNTERS = Path('/dev/shm')  # noqa: S108  its choice


def build_url(state: State) -> str:
    """Return the address for oslo.messaging; it holds a password."""
    port = state.ports['rabbit']
    return f'rabbit://{USER}:{state.passwords[USER]}@{ADDRESS}:{port}/'


def is_serving(state: State) -> bool:
    """Say whether the broker lets the lab's services in."""
    with contextlib.suppress(OSError, amqp.AMQPError), _open_channel(state):
        return True
    return False


def count_consumers(state: State, queue: str) -> int:
    """Return how many processes take messages from a queue.

    :returns: 0 too when there is no such queue, or no broker.
    """
    with (
        contextlib.suppress(OSError, amqp.AMQPError),
        _open_channel(state) as channel,
    ):
        declared = channel.queue_declare(queue, passive=True)
        return int(declared.consumer_count)
    return 0


def queue_options(
    lab: LabFolder, service: str, settings: Settings
) -> dict[str, str]:
    """Return a service's options, as variables that oslo.config reads.

    :param settings: of the lab, which come before them.
    """
    options = {
        'use_queue_manager': 'True', 'hostname': _hostname(lab),
        'processname': service,
    }
    return {
        f'OS_{_GROUP.upper()}__{name.upper()}': value
        for name, value in options.items()
        if f'{_GROUP}.{name}' not in settings
    }


def delete_queue_counters(lab: LabFolder) -> None:
    """Delete the files of oslo.messaging that are outside a lab's folder."""
    for counter in _COUNTERS.glob(f'{_hostname(lab)}_*'):
        counter.unlink(missing_ok=True)


def _hostname(lab: LabFolder) -> str:
    """Return a name that no other lab on this machine has."""
    digest = hashlib.sha256(str(lab.path).encode()).hexdigest()
    return f'nova-ext-lab-{digest[:16]}'


@contextlib.contextmanager
def _open_channel(state: State) -> Iterator[Any]:
    with amqp.Connection(
        f'{ADDRESS}:{state.ports["rabbit"]}', userid=USER,
        password=state.passwords[USER], connect_timeout=_TIMEOUT_S,
        read_timeout=_TIMEOUT_S, write_timeout=_TIMEOUT_S,
    ) as connection, connection.channel() as channel:
        yield channel
