"""Serve the API as the documentation says."""

import contextlib
import http.client
import os
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import fixtures
import testtools

from nova_ext.api import configuration
from nova_ext.api.http import authentication
from nova_ext.lab.state import ports
from tests.unit.api import keystone

GUIDE = Path(__file__).parents[3] / 'doc' / 'source' / 'user' / 'api.rst'
BIN = Path(sys.prefix) / 'bin'
ADDRESS = '127.0.0.1:8780'
#: Clients that send half a request, more than any server has threads.
CLIENTS = 200
#: Seconds that a busy machine takes to start a server, or to answer.
START_S, ANSWER_S = 90, 10


def read_command(program):
    """Return the documented command line of a server."""
    text = GUIDE.read_text().replace('\\\n', ' ')
    line, = (
        line for line in text.splitlines()
        if line.strip().startswith(f'$ {program} ')
    )
    return shlex.split(line)[1:]


class ServerTestCase(testtools.TestCase):
    """Run documented servers."""

    def serve(self, program, options=''):
        """Start the documented server, and return its port.

        :param options: further lines of its configuration.
        """
        found = shutil.which(program, path=f'{BIN}{os.pathsep}{os.defpath}')
        if found is None:
            self.skipTest(f'{program} is not installed')
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'api.conf').write_text(
            f'[DEFAULT]\ntransport_url = fake://\n{options}'
        )
        with ports.listen(None) as listener:
            port = listener.getsockname()[1]
        command = [
            word.replace(ADDRESS, f'127.0.0.1:{port}')
            for word in read_command(program)
        ]
        log = self.enterContext((folder / 'log').open('wb'))
        server = subprocess.Popen(
            [found, *command[1:]], stdout=log, stderr=log,
            stdin=subprocess.DEVNULL, env={
                **os.environ, configuration.FILES: str(folder / 'api.conf'),
            },
        )
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        deadline = time.monotonic() + START_S
        while self.ask(port) != 200:
            self.assertLess(time.monotonic(), deadline)
            self.assertIsNone(server.poll(), (folder / 'log').read_text())
            time.sleep(0.1)
        return port

    def ask(self, port, path='/v1/', limit_s=ANSWER_S, **headers):
        """Return the status of a request; None without an answer in time."""
        client = http.client.HTTPConnection('127.0.0.1', port, limit_s)
        with contextlib.closing(client), contextlib.suppress(OSError):
            client.request('GET', path, headers=headers)
            return client.getresponse().status
        return None

    def check_half_headers(self, port):
        """Others are answered in time beside connections with half a header.

        The connections stay open until the test ends.
        """
        for _ in range(CLIENTS):
            half = socket.create_connection(('127.0.0.1', port), START_S)
            self.addCleanup(half.close)
            half.sendall(b'GET /v1/ HTTP/1.1\r\nHost: x\r\nX-A: ')
        self.assertEqual([200] * 3, [self.ask(port) for _ in range(3)])


class UwsgiTest(ServerTestCase):
    """Hold connections with half a header."""

    def test_half_headers(self):
        """Answer others within seconds."""
        self.check_half_headers(self.serve('uwsgi'))


class WaitressTest(ServerTestCase):
    """Send more requests than there are threads while services hang."""

    def setUp(self):
        """Have a Keystone, and a MariaDB that only takes connections."""
        super().setUp()
        self.keystone = keystone.start(self)
        mariadb = socket.create_server(('127.0.0.1', 0), backlog=CLIENTS)
        self.connections = []

        def take():
            with contextlib.suppress(OSError):
                while True:
                    connection = mariadb.accept()[0]
                    self.addCleanup(connection.close)
                    self.connections.append(connection)

        thread = threading.Thread(target=take)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(mariadb.close)
        self.addCleanup(mariadb.shutdown, socket.SHUT_RDWR)
        port = mariadb.getsockname()[1]
        self.port = self.serve(
            'waitress-serve', '[keystone_authtoken]\n'
            'www_authenticate_uri = http://keystone/\n'
            f'http_connect_timeout = 600\n{self.keystone.options}'
            '[nova_ext_database]\nconnection = mysql+pymysql://u@127.0.0.1:'
            f'{port}/d?connect_timeout=600&read_timeout=600\n'
        )

    def send(self, path, token):
        """Send a request whose answer is not waited for."""
        client = socket.create_connection(('127.0.0.1', self.port), START_S)
        self.addCleanup(client.close)
        client.sendall(
            f'GET {path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: {token}'
            '\r\n\r\n'.encode()
        )

    def test_others(self):
        """Answer what needs neither, and refuse the rest at once."""
        self.check_half_headers(self.port)
        self.assertEqual(404, self.get('/v1/nothing', 'cached'))
        for number in range(CLIENTS // 2):
            for limit in 1, 100:  # a short page, and a long one
                self.send(f'/v1/decisions?limit={limit}', 'cached')
            self.send('/v1/nothing', f'hanging-{number}')
        deadline = time.monotonic() + START_S
        while (
            len(self.connections) < configuration.TRANSACTIONS_AT_ONCE
            or len(self.hanging) < authentication.TOKENS_AT_ONCE
        ):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        for path, token, status in (
            ('/', '', 200), ('/v1/openapi.json', '', 200),
            ('/healthcheck', '', 200), ('/v1/nothing', 'cached', 404),
            ('/v1/decisions?limit=1', 'cached', 503),
            ('/v1/nothing', 'new', 503),
        ):
            self.assertEqual(status, self.get(path, token), (path, token))
        self.assertEqual(
            configuration.TRANSACTIONS_AT_ONCE, len(self.connections)
        )
        self.assertEqual(authentication.TOKENS_AT_ONCE, len(self.hanging))

    def get(self, path, token):
        """Return the status of a request."""
        return self.ask(self.port, path, START_S, **{'X-Auth-Token': token})

    @property
    def hanging(self):
        """Return the tokens for which Keystone hangs."""
        return [
            name for name in self.keystone.seen if name.startswith('hanging')
        ]
