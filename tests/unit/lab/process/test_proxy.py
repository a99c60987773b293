"""What stands in for a reverse proxy, on a real socket."""

import json

import requests
import testtools

from nova_ext.lab.process.proxy import Proxy
from tests.unit.lab import serving


def echo(environ, start_response):
    """Say what arrived."""
    start_response('200 OK', [('Content-Type', 'application/json')])
    return [json.dumps({
        'path': environ['PATH_INFO'], 'query': environ['QUERY_STRING'],
        'for': environ.get('HTTP_X_FORWARDED_FOR'),
        **({'forwarded': environ['HTTP_FORWARDED']}
           if 'HTTP_FORWARDED' in environ else {}),
    }).encode()]


class ProxyTest(testtools.TestCase):
    """The address of the client, as a deployment would pass it."""

    def setUp(self):
        """Serve an application behind the proxy."""
        super().setUp()
        self.url = self.useFixture(serving.Served(Proxy(echo))).url

    def get(self, path, **headers):
        """What the application saw."""
        answer = requests.get(self.url + path, headers=headers, timeout=10)
        return answer.json()

    def test_client(self):
        """The prefix goes, the address comes; the rest stays."""
        self.assertEqual(
            {'path': '/v2.1/servers', 'query': 'a=b', 'for': '10.1.0.5'},
            self.get('/client/10.1.0.5/v2.1/servers?a=b'),
        )
        self.assertEqual(
            {'path': '/', 'query': '', 'for': '2001:db8::1'},
            self.get('/client/2001:db8::1/'),
        )

    def test_own_claim(self):
        """The proxy's address stands last, after what the client says."""
        seen = self.get(
            '/client/10.1.0.5/', **{'X-Forwarded-For': '192.0.2.9'}
        )
        self.assertEqual('192.0.2.9, 10.1.0.5', seen['for'])
        seen = self.get('/client/10.1.0.5/', Forwarded='for=192.0.2.9')
        self.assertEqual('10.1.0.5', seen['for'])
        self.assertNotIn('forwarded', seen)

    def test_direct(self):
        """Other requests are untouched, and the server drops no header."""
        self.assertEqual(
            {'path': '/v2.1/client/x', 'query': '', 'for': None},
            self.get('/v2.1/client/x'),
        )
        seen = self.get('/', **{'X-Forwarded-For': '192.0.2.9'})
        self.assertEqual('192.0.2.9', seen['for'])
