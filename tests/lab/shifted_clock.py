"""Run a service of the lab as a host does whose clock is off."""

import contextlib
import datetime
import http.client
import http.server
import threading
from email.utils import format_datetime, parsedate_to_datetime

#: Headers that belong to one connection, and what is written anew.
OWN = ('connection', 'content-length', 'date', 'transfer-encoding')


class Proxy(http.server.ThreadingHTTPServer):
    """Pass GET requests on, and move the dates of the answers.

    :param port: the service's, on this machine.
    :param seconds: by how much its clock is ahead.
    """

    def __init__(self, port, seconds):
        super().__init__(('127.0.0.1', 0), Handler)
        self.service_port = port
        self.ahead = datetime.timedelta(seconds=seconds)


class Handler(http.server.BaseHTTPRequestHandler):
    """Handle one connection of a client."""

    def do_GET(self):
        """Ask the service, and answer as it does."""
        with contextlib.closing(http.client.HTTPConnection(
            '127.0.0.1', self.server.service_port
        )) as service:
            service.request('GET', self.path, headers=dict(self.headers))
            answer = service.getresponse()
            body = answer.read()
        date = parsedate_to_datetime(answer.headers['Date'])
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in OWN:
                self.send_header(name, value)
        self.send_header('Date', format_datetime(
            date + self.server.ahead, usegmt=True
        ))
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        """Log nothing."""


@contextlib.contextmanager
def proxy(port, seconds):
    """Give a port at which a service has another clock."""
    with Proxy(port, seconds) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
