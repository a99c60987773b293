"""Check tokens with keystonemiddleware, and a Keystone on loopback."""

import sys
import time
from concurrent import futures

from oslo_config import cfg
from werkzeug.test import Client

from nova_ext.api import service
from nova_ext.api.http import authentication
from tests.unit.api import keystone
from tests.unit.api.base import ApiTestCase
from tests.unit.api.keystone import DEADLINE_S, make_token

#: An operation that asks neither a database nor Keystone.
PATH = '/v1/filters'
#: As a process of the documentation has.
THREADS = 40


class KeystoneTestCase(ApiTestCase):
    """Have a Keystone that knows ``tokens``."""

    keystone = False
    options = ''

    def setUp(self):
        """Start it."""
        self.server = keystone.start(self)
        self.authtoken = self.server.options + self.options
        super().setUp()

    def wait_for(self, condition):
        """Wait until a condition is true."""
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)


class HangingTest(KeystoneTestCase):
    """Ask Keystone about as many tokens as is allowed, and it hangs."""

    options = 'http_connect_timeout = 600\n'

    def test_others(self):
        """Answer cached tokens, and refuse new ones at once."""
        self.ask(PATH, 'cached')
        count = authentication.TOKENS_AT_ONCE
        names = [f'hanging-{number}' for number in range(count)]
        with futures.ThreadPoolExecutor(count) as pool:
            self.addCleanup(self.server.goes_on.set)
            hanging = [
                pool.submit(self.client.get, PATH, headers={
                    'X-Auth-Token': name
                }) for name in names
            ]
            try:
                self.wait_for(lambda: set(names) <= set(self.server.seen))
                told = self.refusal(PATH, 'new', 503)
                self.assertIn('try again', told)
                self.assertNotIn('new', self.server.seen)
                for path, who in (
                    (PATH, 'cached'), ('/', None), ('/healthcheck', None),
                ):
                    self.ask(path, who)
                self.assertFalse(any(each.done() for each in hanging))
            finally:
                self.server.goes_on.set()
            self.assertEqual([200] * count, [
                each.result(DEADLINE_S).status_code for each in hanging
            ])
        self.ask(PATH, 'new')


class TokensTest(KeystoneTestCase):
    """Have no memcached, as by default."""

    def test_threads(self):
        """Ask Keystone once about a token that many threads use at a time."""
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-6)
        self.ask(PATH, 'cached')
        with futures.ThreadPoolExecutor(THREADS) as pool:
            answers = [
                pool.submit(self.client.get, PATH, headers={
                    'X-Auth-Token': 'cached'
                }) for _ in range(20 * THREADS)
            ]
            self.assertEqual({200}, {
                each.result(DEADLINE_S).status_code for each in answers
            })
        self.assertEqual(['cached'], self.server.seen)

    def test_many(self):
        """Keep the newest tokens where a client asks with ever new ones."""
        tokens = authentication.TokenCache(seconds=DEADLINE_S, most=2)
        for name in 'abc':
            tokens.set(name, f'data of {name}', time=DEADLINE_S)
        self.assertEqual([None, 'data of b', 'data of c'], [
            tokens.get(name) for name in 'abc'
        ])


class DefaultsTest(KeystoneTestCase):
    """Read the options that the guard sets."""

    def test_attempts(self):
        """All attempts take 10 s together, unless a deployer wants others."""
        group = cfg.CONF.keystone_authtoken
        for retries, timeout, expected in (
            (None, None, (1, 5)), (0, None, (0, 10)), (4, None, (4, 2)),
            (30, None, (30, 1)), (None, 20, (1, 20)), (7, 20, (7, 20)),
        ):
            self.conf.config(group='keystone_authtoken', **{
                name: value for name, value in (
                    ('http_request_max_retries', retries),
                    ('http_connect_timeout', timeout),
                ) if value is not None
            })
            service.build(cfg.CONF, self.backends)
            self.assertEqual(expected, (
                group.http_request_max_retries, group.http_connect_timeout
            ))
            for name in 'http_request_max_retries', 'http_connect_timeout':
                cfg.CONF.clear_override(name, 'keystone_authtoken')


class AccessRulesTest(KeystoneTestCase):
    """Use tokens of application credentials with access rules."""

    def test_rules(self):
        """Allow what they name, and no more."""
        self.server.tokens['ours'] = make_token(
            ('GET', '/v1/filters'), ('GET', '/v1/servers/*/explanation')
        )
        self.ask(PATH, 'ours')
        self.ask('/v1/servers/a/explanation', 'ours', 404)
        self.refusal('/v1/decisions', 'ours', 401)
        self.refusal(PATH, 'ours', 401, method='POST')

    def test_other_service(self):
        """Refuse them where the catalog has no such service."""
        self.server.tokens['ours'] = make_token(
            ('GET', PATH), service_type='other'
        )
        self.refusal(PATH, 'ours', 401)

    def test_deployers_type(self):
        """Keep the type that a deployer has in the catalog."""
        self.conf.config(group='keystone_authtoken', service_type='other')
        self.client = Client(service.build(cfg.CONF, self.backends))
        self.server.tokens['ours'] = make_token(('GET', PATH))
        self.refusal(PATH, 'ours', 401)
