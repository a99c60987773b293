"""api.yml with a lab's Keystone and RabbitMQ, and a MariaDB, all over TLS."""

import contextlib
import http.client
import http.server
import json
import ssl
import tempfile
import threading
import time
from pathlib import Path

import requests
from testtools import content

from nova_ext.lab.configuration import broker
from nova_ext.lab.state import lab_state, paths
from tests.lab import base as labs
from tests.playbooks import services

START_S = 120
FAILED = 'CERTIFICATE_VERIFY_FAILED'
LOG = 'nova-ext-api.log'
BOTH = ('--skip-tags', 'identity')


class _Handler(http.server.BaseHTTPRequestHandler):
    """Hand a request on, and name this address in the answer's links.

    Keystone does, where its public_endpoint is the balancer's address.
    """

    def do_GET(self):
        """Hand it on."""
        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        there = http.client.HTTPConnection('127.0.0.1', self.server.there)
        with contextlib.closing(there):
            there.request(self.command, self.path, body, dict(self.headers))
            answer = there.getresponse()
            text = answer.read().replace(
                f'http://127.0.0.1:{self.server.there}/'.encode(),
                f'https://127.0.0.1:{self.server.server_port}/'.encode(),
            )
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ('content-length', 'connection', 'date'):
                self.send_header(name, value)
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        """Hand it on alike."""
        self.do_GET()

    def log_message(self, *_):
        """Say nothing."""


class TLSTest(services.ServicesTestCase, labs.RabbitTestCase):
    """Have a lab whose broker and Keystone can be reached over TLS alone."""

    up = ('--broker', 'rabbit')

    @classmethod
    def setUpClass(cls):
        """Give the lab's RabbitMQ a listener for TLS."""
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix='nova-ext-tls-')
        cls.addClassCleanup(folder.cleanup)
        cls.signed = cls.make_certificate(folder.name, 'theirs')
        cls.other = cls.make_certificate(folder.name, 'another')
        cls.rabbit_port = services.find_port()
        own = paths.find('default').path / 'rabbit/conf.d'
        own.mkdir()
        (own / 'tls.conf').write_text(
            f'listeners.ssl.1 = 127.0.0.1:{cls.rabbit_port}\n'
            f'ssl_options.certfile = {cls.signed}/certificate.pem\n'
            f'ssl_options.keyfile = {cls.signed}/key.pem\n'
            'ssl_options.verify = verify_none\n'
        )
        cls.lab('restart', 'rabbit')

    @staticmethod
    def make_certificate(folder, name):
        """Return a folder with a certificate and its key."""
        own = Path(folder, name)
        own.mkdir()
        services.write_certificate(own)
        return own

    def setUp(self):
        """Serve the lab's Keystone over TLS, and name both."""
        super().setUp()
        self.addOnException(lambda _: self.addDetail(
            LOG, content.text_content(self.read('api1', LOG) or '')
        ))
        state = lab_state.load(paths.find('default'))
        keystone = http.server.ThreadingHTTPServer(
            ('127.0.0.1', 0), _Handler
        )
        keystone.there = state.ports['keystone']
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(
            self.signed / 'certificate.pem', self.signed / 'key.pem'
        )
        # Each connection's thread shakes hands: none waits for another.
        keystone.socket = context.wrap_socket(
            keystone.socket, server_side=True, do_handshake_on_connect=False,
        )
        thread = threading.Thread(target=keystone.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(keystone.shutdown)
        signed = str(self.signed / 'certificate.pem')
        url = broker.build_url(state).replace(
            str(state.ports['rabbit']), str(self.rabbit_port)
        )
        self.variables.update({
            'nova_ext_auth_url':
                f'https://127.0.0.1:{keystone.server_port}/v3',
            'nova_ext_transport_url': url,
            'nova_ext_keystone_ca': signed, 'nova_ext_rabbit_ca': signed,
            # As the lab's Nova has it.
            'nova_ext_api_options': {
                'oslo_messaging_rabbit': {'amqp_durable_queues': 'true'},
            },
            'nova_ext_service_user': 'nova',
            'nova_ext_service_password': state.passwords['service'],
        })
        self.token = self.cloud().session.get_token()

    def get(self, path):
        """Return status and body of what the first API answers."""
        answer = requests.get(
            f'http://127.0.0.1:{self.ports["api1"]}{path}',
            headers={'X-Auth-Token': self.token}, timeout=120,
        )
        return answer.status_code, answer.json()

    def wait_for_status(self, path, status):
        """Wait until the first API answers with a status."""
        deadline = time.monotonic() + START_S
        while (got := self.get(path))[0] != status:
            self.assertLess(time.monotonic(), deadline, got)
            time.sleep(0.5)
        return got[1]

    def test_signed(self):
        """Database, Keystone and schedulers answer, each over TLS."""
        self.play('api', *BOTH)
        self.assertEqual([], self.wait_for_status('/v1/decisions', 200)[
            'decisions'
        ])
        drivers = self.wait_for_status('/v1/drivers', 200)
        self.assertIn('FilterScheduler', json.dumps(drivers))

    def test_another(self):
        """Another signer's file is told in one line, by each of the three."""
        wrong = str(self.other / 'certificate.pem')
        refused = self.play('api', *BOTH, status=2, nova_ext_database_ca=wrong)
        self.assertIn('nova-ext-manage: the database: ', refused.output)
        self.assertIn(FAILED, refused.output)

        self.play('api', *BOTH, nova_ext_keystone_ca=wrong)
        self.wait_for_status('/v1/decisions', 503)
        self.wait_for_text('api1', LOG, FAILED)
        (self.site / 'api1' / LOG).write_text('')

        self.play('api', *BOTH, nova_ext_rabbit_ca=wrong)
        self.wait_for_status('/v1/drivers', 503)
        self.wait_for_text('api1', LOG, FAILED)
