"""A WSGI application under waitress that can stop gracefully."""

import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


class Web:
    """Serves an application on a listening socket, in threads.

    :param application: what to serve.
    :param listener: a socket that listens already.
    :param threads: requests that are answered at a time.
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
            # An address that a client claims is for the service to judge.
            clear_untrusted_proxy_headers=False,
        )

    def start(self) -> None:
        """Serve from now on, in the background."""
        threading.Thread(
            target=self._server.run, name='web', daemon=True
        ).start()

    def stop(self, deadline: float) -> bool:
        """Refuse new requests, and wait for those in hand.

        :param deadline: when to give up, by :func:`time.monotonic`.
        :returns: whether every answer was sent.
        """
        self._closed = True
        while self._busy():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    def _busy(self) -> bool:
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
