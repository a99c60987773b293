"""Test the server of WSGI applications, on real sockets."""

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import requests
import testtools

from nova_ext.lab.process.web import Proxy
from tests.unit.lab import base

# More than the buffers between two sockets hold.
SIZE = 30_000_000
# Seconds in which all must have happened.
DEADLINE_S = 60


class StopTest(testtools.TestCase):
    """Answer requests in hand, and refuse new ones."""

    def setUp(self):
        """Serve an application that answers when it is let."""
        super().setUp()
        self.entered = threading.Event()
        self.let = threading.Event()
        self.addCleanup(self.let.set)
        served = self.useFixture(base.Served(self.application))
        self.url, self.web = served.url, served.web

    def application(self, environ, start_response):
        """Wait, then answer at length."""
        self.entered.set()
        self.let.wait(DEADLINE_S)
        start_response('200 OK', [('Content-Type', 'text/plain')])
        return [b'x' * SIZE]

    def get(self):
        """Send one request."""
        return requests.get(self.url, timeout=DEADLINE_S)

    def test_in_hand(self):
        """Stop when the answer has arrived whole, not before."""
        with ThreadPoolExecutor(2) as pool:
            response = pool.submit(self.get)
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
            self.assertEqual(SIZE, len(response.result().content))
            self.assertTrue(stopped.result())

    def test_answer_on_its_way(self):
        """Wait for an answer that is written and not sent."""
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
        """Give up at the deadline."""
        with ThreadPoolExecutor(1) as pool:
            response = pool.submit(self.get)
            self.assertTrue(self.entered.wait(DEADLINE_S))
            self.assertFalse(self.web.stop(time.monotonic() + 0.1))
            self.let.set()
            response.result()


def echo(environ, start_response):
    """Answer with the request that arrived."""
    start_response('200 OK', [('Content-Type', 'application/json')])
    return [json.dumps({
        'path': environ['PATH_INFO'], 'query': environ['QUERY_STRING'],
        'for': environ.get('HTTP_X_FORWARDED_FOR'),
        **({'forwarded': environ['HTTP_FORWARDED']}
           if 'HTTP_FORWARDED' in environ else {}),
    }).encode()]


class ProxyTest(testtools.TestCase):
    """Pass the address of the client on, as a deployment would."""

    def setUp(self):
        """Serve an application behind the proxy."""
        super().setUp()
        self.url = self.useFixture(base.Served(Proxy(echo))).url

    def get(self, path, **headers):
        """Return the request that the application saw."""
        answer = requests.get(self.url + path, headers=headers, timeout=10)
        return answer.json()

    def test_client(self):
        """Remove the prefix, add the address, keep the rest."""
        self.assertEqual(
            {'path': '/v2.1/servers', 'query': 'a=b', 'for': '10.1.0.5'},
            self.get('/client/10.1.0.5/v2.1/servers?a=b'),
        )
        self.assertEqual(
            {'path': '/', 'query': '', 'for': '2001:db8::1'},
            self.get('/client/2001:db8::1/'),
        )

    def test_own_claim(self):
        """Put the proxy's address last, after the client's own claim."""
        seen = self.get(
            '/client/10.1.0.5/', **{'X-Forwarded-For': '192.0.2.9'}
        )
        self.assertEqual('192.0.2.9, 10.1.0.5', seen['for'])
        seen = self.get('/client/10.1.0.5/', Forwarded='for=192.0.2.9')
        self.assertEqual('10.1.0.5', seen['for'])
        self.assertNotIn('forwarded', seen)

    def test_direct(self):
        """Leave other requests alone, with all their headers."""
        self.assertEqual(
            {'path': '/v2.1/client/x', 'query': '', 'for': None},
            self.get('/v2.1/client/x'),
        )
        seen = self.get('/', **{'X-Forwarded-For': '192.0.2.9'})
        self.assertEqual('192.0.2.9', seen['for'])
