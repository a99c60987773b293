"""A server that stops gracefully."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import requests
import testtools

from tests.unit.lab import serving

# More than the buffers between two sockets hold.
SIZE = 30_000_000
# Seconds in which all must have happened.
DEADLINE_S = 60


class StopTest(testtools.TestCase):
    """Requests in hand are answered, new ones refused."""

    def setUp(self):
        """Serve what answers when it is let."""
        super().setUp()
        self.entered = threading.Event()
        self.let = threading.Event()
        self.addCleanup(self.let.set)
        served = self.useFixture(serving.Served(self.application))
        self.url, self.web = served.url, served.web

    def application(self, environ, start_response):
        """Wait, then answer at length."""
        self.entered.set()
        self.let.wait(DEADLINE_S)
        start_response('200 OK', [('Content-Type', 'text/plain')])
        return [b'x' * SIZE]

    def get(self):
        """One request."""
        return requests.get(self.url, timeout=DEADLINE_S)

    def test_in_hand(self):
        """Stopping takes as long as the answer, which arrives whole."""
        with ThreadPoolExecutor(2) as pool:
            asked = pool.submit(self.get)
            self.assertTrue(self.entered.wait(DEADLINE_S))
            stopped = pool.submit(
                self.web.stop, time.monotonic() + DEADLINE_S
            )
            self.assertFalse(stopped.done())
            while not self.web._closed:
                time.sleep(0.01)
            refused = self.get()
            self.assertEqual(
                (503, '5'),
                (refused.status_code, refused.headers['Retry-After']),
            )
            self.assertFalse(stopped.done())
            self.let.set()
            self.assertEqual(SIZE, len(asked.result().content))
            self.assertTrue(stopped.result())

    def test_answer_on_its_way(self):
        """What is written and not sent is in hand as well."""
        self.let.set()
        address = self.url.removeprefix('http://').split(':')
        with socket.create_connection((address[0], int(address[1]))) as slow:
            slow.sendall(b'GET / HTTP/1.0\r\n\r\n')
            slow.recv(1)
            self.assertFalse(self.web.stop(time.monotonic() + 0.3))
            while slow.recv(1_000_000):
                pass
            self.assertTrue(self.web.stop(time.monotonic() + DEADLINE_S))

    def test_deadline(self):
        """It does not wait for ever."""
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(self.get)
            self.assertTrue(self.entered.wait(DEADLINE_S))
            self.assertFalse(self.web.stop(time.monotonic() + 0.1))
            self.let.set()
            asked.result()
