"""Secrets that a build over zones passes on, and leaves nowhere."""

import logging
import subprocess
import sys

import fixtures
import psutil
import requests
import yaml
from oslo_context.context import generate_request_id
from oslo_messaging._drivers import impl_fake

from nova_ext.client import wire
from nova_ext.core.rpc.offers import OfferQuestion
from nova_ext.zones import registry
from tests.faults.zone_chain import ChainTestCase
from tests.functional_rpc.zone_clouds import HeadersPlugin
from tests.lab import canaries

TOKEN, SECRET, USER_DATA, METADATA = (
    f'canary-{name}-7c1f9b' for name in (
        'token', 'secret', 'userdata', 'metadata'
    )
)
SECRETS = {
    'token': TOKEN, 'secret': SECRET, 'user data': USER_DATA,
    'metadata': METADATA,
}


class SecretsTest(ChainTestCase):
    """A token, a password, user data and metadata are planted."""

    def setUp(self):
        """Plant them, and listen to all that is logged and sent over RPC."""
        super().setUp()
        self.clouds.write_text(yaml.safe_dump({'clouds': {'child': {
            'auth_type': 'http_basic', 'auth': {
                'endpoint': 'http://x', 'username': 'u', 'password': SECRET,
            },
        }}}))
        get_headers = HeadersPlugin.get_headers
        self.useFixture(fixtures.MonkeyPatch(
            'tests.functional_rpc.zone_clouds.HeadersPlugin.get_headers',
            lambda plugin, session, **options: {
                **get_headers(plugin, session, **options),
                'X-Auth-Token': TOKEN,
            },
        ))
        self.headers = {'X-Auth-Token': TOKEN}
        self.messages, self.sent = [], []
        deliver = impl_fake.FakeExchange.deliver_message

        def keep_message(exchange, topic, ctxt, message, *args, **options):
            # Nova's own hold its users' tokens.
            if topic == wire.TOPIC:
                self.messages.append(repr((ctxt, message)))
            return deliver(exchange, topic, ctxt, message, *args, **options)

        self.useFixture(fixtures.MonkeyPatch(
            'oslo_messaging._drivers.impl_fake.FakeExchange.deliver_message',
            keep_message,
        ))
        send = requests.Session.send

        def keep_request(session, request, **options):
            self.sent.append(repr(request.headers))
            return send(session, request, **options)

        self.useFixture(fixtures.MonkeyPatch(
            'requests.Session.send', keep_request
        ))
        self.log = self.useFixture(fixtures.FakeLogger(
            level=logging.DEBUG, nuke_handlers=False,
            format='%(name)s: %(message)s',
        ))

    def search(self):
        """Return pairs of a secret's name and a place that holds it."""
        lines = '\n'.join(
            line for line in self.log.output.splitlines()
            # Nova's own log what its users send.
            if not line.startswith('nova.')
        )
        found = canaries.search_files(
            SECRETS, self.folder.glob('*.sqlite*')
        ) | canaries.search_processes(SECRETS, [
            psutil.Process(), *psutil.Process().children()
        ])
        for place, text in ('log', lines), ('RPC', str(self.messages)):
            found |= {
                (name, place) for name, secret in SECRETS.items()
                if canaries.is_in(secret, text.encode())
            }
        return found

    def test_build(self):
        """They stand nowhere; metadata does where servers are made of it."""
        answer = requests.post(f'{self.to_root.url}/v1/builds', json={
            'build': {
                'name': 'web', 'flavor': self.build_flavor(), 'count': 1,
                'image': {'name': 'image'}, 'networks': 'none',
                'user_data': USER_DATA,
            },
        }, headers=self.headers, timeout=60)
        self.assertEqual(400, answer.status_code, answer.text)
        build = self.post(metadata={'key': METADATA})
        self.follow(build, 'active')
        self.judge(build)
        # They were on their way, and there was something to search.
        for secret in TOKEN, SECRET:
            self.assertTrue(canaries.is_in(secret, str(self.sent).encode()))
        self.assertIn('make_offers', str(self.messages))
        self.assertIn('nova_ext.', self.log.output)
        found = self.search()
        self.assertLessEqual(found, {
            ('metadata', f'{zone}.sqlite{suffix}')
            for zone in ('parent', 'middle', 'leaf')
            for suffix in ('', '-wal')
        })
        self.assertLessEqual({
            ('metadata', f'{zone}.sqlite')
            for zone in ('parent', 'middle', 'leaf')
        }, {(name, place.removesuffix('-wal')) for name, place in found})

    def test_search(self):
        """What is planted in each place is found there."""
        self.assertEqual(set(), self.search())
        with self.database.writing() as session:
            registry.list_zones(session)[0].last_error = TOKEN
        logging.getLogger('nova_ext.zones').debug('sent %s', SECRET)
        self.program.make_offers(self.me, OfferQuestion(
            self.request(hints={'key': USER_DATA}), [generate_request_id()],
        ))
        process = subprocess.Popen(
            [sys.executable, '-c', 'input()', METADATA],
            stdin=subprocess.PIPE, env={'SECRET': SECRET},
        )
        self.addCleanup(process.communicate)
        self.assertEqual({
            ('token', 'parent.sqlite'), ('secret', 'log'),
            ('user data', 'RPC'), ('metadata', 'cmdline'),
            ('secret', 'environ'),
        }, {
            (name, place.removesuffix('-wal')) for name, place
            in self.search()
        })
