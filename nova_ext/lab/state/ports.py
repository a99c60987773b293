"""Open listening sockets on free ports of 127.0.0.1.

The command binds them and the services inherit them: nothing can take a
port in between, and a client that comes early waits instead of failing.
"""

import contextlib
import random
import socket
import time
from collections.abc import Collection

from nova_ext.lab.state.errors import LabError

ADDRESS = '127.0.0.1'

#: Listening socket by service.
Sockets = dict[str, socket.socket]

# Below the kernel's ephemeral range, whose ports outgoing connections take.
_RANGE = range(20000, 32000)
_PATIENCE_S = 5


def listen(port: int | None, avoid: Collection[int] = ()) -> socket.socket:
    """Open a listening socket.

    :param port: the port to use if it is still free; None for any.
    :param avoid: ports that another lab will want back.
    :raises LabError: when no port is free.
    """
    if port is not None:
        with contextlib.suppress(OSError):
            return _bind(port)
    for number in random.sample(_RANGE, 200):
        if number not in avoid:
            with contextlib.suppress(OSError):
                return _bind(number)
    raise LabError(f'no free port between {_RANGE[0]} and {_RANGE[-1]}')


def listen_again(lab: str, service: str, port: int) -> socket.socket:
    """Open a listening socket on the port that the catalog names.

    :param lab: the lab's name.
    :raises LabError: when another program took it.
    """
    try:
        return _bind(port)
    except OSError as error:
        raise LabError(
            f'port {port} of {service} was taken by another program; '
            f'"nova-ext lab down --name {lab}", then "nova-ext lab up --name '
            f'{lab}" find new ports'
        ) from error


def wait_closed(port: int) -> bool:
    """Wait until the system has closed the port of an ended process.

    :returns: False when it stays open.
    """
    deadline = time.monotonic() + _PATIENCE_S
    while is_open(port):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _bind(port: int) -> socket.socket:
    server = socket.socket()
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((ADDRESS, port))
        server.listen(1024)
    except OSError:
        server.close()
        raise
    return server


def is_open(port: int) -> bool:
    """Say whether a port is open."""
    with socket.socket() as client:
        client.settimeout(1)
        return client.connect_ex((ADDRESS, port)) == 0


def close(sockets: Sockets) -> None:
    """Close the sockets in this process; services keep theirs."""
    for listener in sockets.values():
        listener.close()
