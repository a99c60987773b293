"""Connect to few origins, and read answers that are limited in every way.

requests limits how long it waits for the next bytes. A hostile server may send
one byte at a time, for ever.
"""

import contextlib
import io
import socket
import threading
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any, Self
from urllib import parse

import requests
from requests import adapters
from urllib3 import connection, connectionpool

#: Bytes of an answer.
MAX_BYTES = 1024 * 1024

_limit: ContextVar['TimeLimit'] = ContextVar('limit')


class TooLongError(requests.RequestException):
    """Report an answer of more than MAX_BYTES."""


class TimeLimit:
    """End all connections of a ``with`` block when its time is over.

    :param seconds: from the beginning of the block.
    :ivar is_over: whether they were ended.
    """

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        self._token = _limit.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _limit.reset(self._token)
        self._timer.cancel()
        with self._lock:
            for watched in self._sockets:
                watched.close()
            self._sockets.clear()

    def watch(self, connected: socket.socket) -> None:
        """End this connection with the others.

        :raises TimeoutError: when the time is over already.
        """
        with self._lock:
            if self.is_over:
                raise TimeoutError
            # TLS takes the socket over; a duplicate stays the same connection.
            self._sockets.append(connected.dup())

    def _end(self) -> None:
        with self._lock:
            self.is_over = True
            for watched in self._sockets:
                # Whoever reads from it is woken.
                with contextlib.suppress(OSError):
                    watched.shutdown(socket.SHUT_RDWR)


class _WatchedHTTP(connection.HTTPConnection):
    """Have the time limit watch a connection."""

    def _new_conn(self) -> socket.socket:
        return _watch(super()._new_conn())


class _WatchedHTTPS(connection.HTTPSConnection):
    """Have the time limit watch a connection before its handshake."""

    def _new_conn(self) -> socket.socket:
        return _watch(super()._new_conn())


class _HTTPPool(connectionpool.HTTPConnectionPool):
    ConnectionCls = _WatchedHTTP


class _HTTPSPool(connectionpool.HTTPSConnectionPool):
    ConnectionCls = _WatchedHTTPS


class _LimitedAdapter(adapters.HTTPAdapter):
    """Read answers of at most MAX_BYTES, as they come over the network.

    Nothing is unpacked: a packed answer may be a thousand times as long.
    """

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Use connections that are watched."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {
            'http': _HTTPPool, 'https': _HTTPSPool,
        }

    def send(
        self, request: requests.PreparedRequest, *args: Any, **kwargs: Any
    ) -> requests.Response:
        """Send a request, and read its whole answer.

        :raises TooLongError: for more than MAX_BYTES.
        """
        response = super().send(request, *args, **{**kwargs, 'stream': True})
        body = io.BytesIO()
        try:
            while chunk := response.raw.read(
                MAX_BYTES + 1 - body.tell(), decode_content=False
            ):
                body.write(chunk)
                if body.tell() > MAX_BYTES:
                    raise TooLongError
        finally:
            response.close()
        body.seek(0)
        response.raw = body
        return response


def make_session(urls: Iterable[str]) -> requests.Session:
    """Make a session that connects to the origins of these URLs alone.

    Neither redirects, nor catalogs, nor proxies and netrc of the environment
    lead it anywhere else. Connections need a :class:`TimeLimit`.
    """
    session = requests.Session()
    session.trust_env = False
    session.adapters.clear()
    for url in urls:
        session.mount(_get_origin(url), _LimitedAdapter())
    session.headers['Accept-Encoding'] = 'identity'
    return session


def _get_origin(url: str) -> str:
    """Return the URL's beginning, as requests writes it."""
    parts = parse.urlsplit(requests.Request('GET', url).prepare().url or '')
    return f'{parts.scheme}://{parts.netloc}/'


def _watch(connected: socket.socket) -> socket.socket:
    try:
        _limit.get().watch(connected)
    except BaseException:
        connected.close()
        raise
    return connected
