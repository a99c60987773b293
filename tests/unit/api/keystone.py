"""Serve a Keystone on loopback that hangs where a test wants it."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from keystoneauth1.fixture import V3Token

from tests.unit.api.base import OURS

#: Seconds that a busy machine may take.
DEADLINE_S = 120


class _Handler(BaseHTTPRequestHandler):
    """Answer with the token that is asked for, unless it hangs."""

    def do_GET(self):
        """Answer all tokens but those that are named after hanging."""
        name = self.headers['X-Subject-Token'] or ''
        self.server.seen.append(name)
        if name.startswith('hanging'):
            self.server.goes_on.wait(DEADLINE_S)
        body = json.dumps(self.server.tokens.get(name, make_token())).encode()
        with contextlib.suppress(OSError):  # the client may have left
            self.send_response(200)
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_):
        """Print nothing."""


def make_token(*rules, service_type='scheduler'):
    """Return an operator's token, with access rules if there are any."""
    token = V3Token(
        user_id='u', project_id=OURS, **({
            'application_credential_id': 'i',
            'application_credential_access_rules': [
                {'id': str(number), 'service': 'scheduler',
                 'method': method, 'path': path}
                for number, (method, path) in enumerate(rules)
            ],
        } if rules else {}),
    )
    for role in ('reader', 'member', 'admin'):
        token.add_role(name=role)
    token.add_service(service_type).add_standard_endpoints(public='http://x')
    return token


class Keystone(ThreadingHTTPServer):
    """Know ``tokens`` by name, and any other as an operator's.

    It keeps the names that it has ``seen``. Names that begin with ``hanging``
    are answered when ``goes_on`` is set.
    """

    daemon_threads, block_on_close = True, False

    def __init__(self):
        super().__init__(('127.0.0.1', 0), _Handler)
        self.tokens, self.seen = {}, []
        self.goes_on = threading.Event()

    @property
    def options(self):
        """Return the lines of ``[keystone_authtoken]`` that lead here."""
        return (
            'auth_type = none\n'
            f'endpoint = http://127.0.0.1:{self.server_port}\n'
        )


def start(test):
    """Start a Keystone, which ends with a test."""
    server = Keystone()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    test.addCleanup(thread.join)
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    test.addCleanup(server.goes_on.set)
    return server
