"""Serve the API as the documentation says."""

import contextlib
import http.client
import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import fixtures
import testtools

from nova_ext.api import configuration
from nova_ext.lab.state import ports

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


class ServerTest(testtools.TestCase):
    """Hold connections with half a header."""

    def serve(self, program):
        """Start the documented server, and return its port."""
        found = shutil.which(program, path=f'{BIN}{os.pathsep}{os.defpath}')
        if found is None:
            self.skipTest(f'{program} is not installed')
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'api.conf').write_text('[DEFAULT]\ntransport_url = fake://\n')
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

    def ask(self, port):
        """Return the status of a request; None without an answer in time."""
        client = http.client.HTTPConnection('127.0.0.1', port, ANSWER_S)
        with contextlib.closing(client), contextlib.suppress(OSError):
            client.request('GET', '/v1/')
            return client.getresponse().status
        return None

    def hold(self, program):
        """Assert that others are answered."""
        port = self.serve(program)
        for _ in range(CLIENTS):
            half = socket.create_connection(('127.0.0.1', port), START_S)
            self.addCleanup(half.close)
            half.sendall(b'GET /v1/ HTTP/1.1\r\nHost: x\r\nX-A: ')
        self.assertEqual([200] * 3, [self.ask(port) for _ in range(3)])

    def test_waitress(self):
        """Answer others within seconds."""
        self.hold('waitress-serve')

    def test_uwsgi(self):
        """Answer others within seconds."""
        self.hold('uwsgi')
