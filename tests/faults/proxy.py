"""A proxy between two services that lets one request fail."""

import contextlib
import http.server
import re
import threading
from dataclasses import dataclass, field

import requests

#: What may happen to a request. A service that is killed gives no answer.
KILLED_BEFORE, KILLED_AFTER = 'killed before', 'killed after it acted'
#: The client gives up in both cases; a held request arrives later.
LOST, HELD = 'answer lost', 'held until later'
FAULTS = (KILLED_BEFORE, KILLED_AFTER, LOST, HELD)
#: Not one request, but all of a kind: none is answered, and none arrives.
HANGS = 'hangs'

#: Header of an answer in place of which a service hangs up.
HANGS_UP = 'X-Hangs-Up'
#: Seconds in which a service answers.
_TIME_LIMIT_S = 120
#: Headers of one connection; requests writes its own.
_OF_CONNECTION = ('connection', 'host', 'content-length', 'transfer-encoding')


@dataclass
class Fault:
    """Represent what happens to one request.

    :param path: regular expression.
    :param kill: called for faults that kill a service.
    :param skip: number of such requests that are let through before.
    """

    method: str
    path: str
    what: str
    kill: object
    skip: int = 0
    happened: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    held: object = None

    def release(self):
        """Send a held request on; return the answer to it."""
        return self.held()


class FaultyProxy:
    """Forward each request to a service, unless a fault is due.

    :param target: URL of the service.
    :ivar url: URL of the proxy.
    """

    def __init__(self, test, target):
        self._target = target.rstrip('/')
        self._faults = []
        self._lock = threading.Lock()
        server = http.server.ThreadingHTTPServer(
            ('127.0.0.1', 0), self._make_handler()
        )
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        test.addCleanup(server.server_close)
        test.addCleanup(thread.join)
        test.addCleanup(server.shutdown)
        test.addCleanup(self.clear)
        self.url = f'http://127.0.0.1:{server.server_address[1]}'

    def fail(self, method, path, what, kill, skip=0):
        """Have one request fail.

        :returns: the :class:`Fault`.
        """
        fault = Fault(method, path, what, kill, skip)
        with self._lock:
            self._faults.append(fault)
        return fault

    def hang(self, method, path):
        """Keep all requests of a kind waiting, until :meth:`clear`.

        :returns: the :class:`Fault`.
        """
        return self.fail(method, path, HANGS, None)

    def clear(self):
        """Let everything through."""
        with self._lock:
            for fault in self._faults:
                fault.over.set()
            self._faults.clear()

    def _find_fault(self, method, path):
        with self._lock:
            for fault in self._faults:
                if fault.method != method or not re.search(fault.path, path):
                    continue
                if fault.skip:
                    fault.skip -= 1
                    continue
                if fault.what != HANGS:
                    self._faults.remove(fault)
                return fault
        return None

    def _handle(self, method, path, headers, body):
        """Return an answer; None: the connection is closed without one."""
        def forward():
            return requests.request(
                method, f'{self._target}{path}', data=body, headers=headers,
                timeout=_TIME_LIMIT_S, allow_redirects=False,
            )

        fault = self._find_fault(method, path)
        if fault is None:
            answer = forward()
            return None if HANGS_UP in answer.headers else answer
        if fault.what == HANGS:
            fault.happened.set()
            fault.over.wait()
            return None
        try:
            if fault.what == HELD:
                fault.held = forward
                return None
            if fault.what == KILLED_BEFORE:
                fault.kill()
                return None
            forward()
            if fault.what == KILLED_AFTER:
                fault.kill()
            return None
        finally:
            fault.happened.set()

    def _make_handler(proxy):  # noqa: N805  the handler has a self, too
        class Handler(http.server.BaseHTTPRequestHandler):
            """Hand requests to the proxy."""

            protocol_version = 'HTTP/1.1'

            def answer(self):
                """Answer, or close the connection without a word."""
                self.close_connection = True
                body = self.rfile.read(
                    int(self.headers.get('Content-Length', 0))
                )
                try:
                    answer = proxy._handle(
                        self.command, self.path,
                        _without_connection(self.headers), body,
                    )
                except requests.RequestException:
                    return
                if answer is None:
                    return
                self.send_response(answer.status_code)
                for name, value in _without_connection(
                    answer.headers
                ).items():
                    self.send_header(name, value)
                self.send_header('Content-Length', str(len(answer.content)))
                self.send_header('Connection', 'close')
                self.end_headers()
                # The client may have given up.
                with contextlib.suppress(OSError):
                    self.wfile.write(answer.content)

            do_GET = do_PUT = do_POST = do_DELETE = answer  # noqa: N815

            def log_message(self, *words):
                """Log nothing."""

        return Handler


def _without_connection(headers):
    return {
        name: value for name, value in headers.items()
        if name.lower() not in _OF_CONNECTION
    }
