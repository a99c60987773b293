"""Listening sockets on free ports of 127.0.0.1.

The command binds them and the services inherit them: nothing can take a
port in between, and a client that comes early waits instead of failing.
"""

import random
import socket
from collections.abc import Collection, Mapping

from nova_ext.lab.errors import LabError

ADDRESS = '127.0.0.1'

#: Listening socket by service.
Sockets = dict[str, socket.socket]

# Below the kernel's ephemeral range, whose ports outgoing connections take.
_RANGE = range(20000, 32000)


def listen(port: int | None, avoid: Collection[int] = ()) -> socket.socket:
    """A listening socket.

    :param port: the port to use if it is still free; None for any.
    :param avoid: ports that another lab will want back.
    :raises LabError: when no port is free.
    """
    candidates = [] if port is None else [port]
    candidates += [
        number
        for number in random.sample(_RANGE, 200)
        if number not in avoid
    ]
    for number in candidates:
        server = socket.socket()
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind((ADDRESS, number))
            server.listen(1024)
            return server
        except OSError:
            server.close()
    raise LabError(f'no free port between {_RANGE[0]} and {_RANGE[-1]}')


def listening(port: int) -> bool:
    """Whether somebody listens on a port."""
    with socket.socket() as client:
        client.settimeout(1)
        return client.connect_ex((ADDRESS, port)) == 0


def listen_all(
    wanted: Mapping[str, int | None], avoid: Collection[int]
) -> Sockets:
    """A listening socket for each service.

    :param wanted: the port that a service had before, if it had one.
    :param avoid: ports that other labs will want back.
    """
    sockets: Sockets = {}
    try:
        for service, port in wanted.items():
            sockets[service] = listen(port, avoid)
    except BaseException:
        close(sockets)
        raise
    return sockets


def close(sockets: Sockets) -> None:
    """Close what was not handed to a service."""
    for one in sockets.values():
        one.close()
