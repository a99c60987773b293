"""Serve a WSGI application, under waitress and behind a proxy."""

import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

PREFIX = '/client/'


class Web:
    """Serve an application in threads, and stop gracefully.

    :param listener: a socket that listens already.
    :param threads: how many requests are answered at a time.
    """

    def __init__(
        self, application: Application, listener: socket.socket,
        threads: int,
    ) -> None:
        import waitress

        self._application = application
        self._closed = False
        self._server: Any = waitress.create_server(
            self._answer, sockets=[listener], threads=threads, ident=None,
            # A hundred computes keep more connections than the default.
            connection_limit=4000, asyncore_use_poll=True,
            channel_timeout=60,
            # The service judges the address that a client claims.
            clear_untrusted_proxy_headers=False,
        )

    def start(self) -> None:
        """Start to serve, in the background."""
        threading.Thread(
            target=self._server.run, name='web', daemon=True
        ).start()

    def stop(self, deadline: float) -> bool:
        """Refuse new requests, and wait for those in hand.

        :param deadline: when to give up, by :func:`time.monotonic`.
        :returns: whether every answer was sent.
        """
        self._closed = True
        while self._is_busy():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    def _is_busy(self) -> bool:
        channels = list(self._server.active_channels.values())
        return any(
            channel.requests or channel.total_outbufs_len
            for channel in channels
        )

    def _answer(
        self, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        if not self._closed:
            return self._application(environ, start_response)
        body = b'The service is restarting.\n'
        start_response('503 Service Unavailable', [
            ('Content-Type', 'text/plain'), ('Retry-After', '5'),
            ('Content-Length', str(len(body))),
        ])
        return [body]


class Proxy:
    """Act as a deployment's reverse proxy in front of an application.

    A request to ``/client/<address>/<rest>`` is passed on as ``/<rest>``.
    The address is added to X-Forwarded-For, as a proxy adds that of the
    client that connects to it. Other requests are passed on as they are.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    def __call__(
        self, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Pass a request on."""
        path = environ.get('PATH_INFO', '')
        if path.startswith(PREFIX):
            address, slash, rest = path[len(PREFIX):].partition('/')
            others = environ.get('HTTP_X_FORWARDED_FOR')
            environ = {
                **environ,
                'PATH_INFO': slash + rest,
                'HTTP_X_FORWARDED_FOR':
                    f'{others}, {address}' if others else address,
                # Clients follow Nova's links to itself.
                'HTTP_X_FORWARDED_PREFIX': f'{PREFIX}{address}',
            }
            # Nova would believe its first element, the client's own claim.
            environ.pop('HTTP_FORWARDED', None)
        return self._application(environ, start_response)
