"""Serve child zones, and others, on loopback."""

import contextlib
import json
import ssl
import subprocess
import threading
import types
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import werkzeug.serving
import yaml
from keystoneauth1.fixture import V3Token
from oslo_config import cfg

from nova_ext.api import service
from nova_ext.zones import registry
from nova_ext.zones.poller import Poller
from tests.unit.api import base
from tests.unit.database.databases import make_database

#: Secrets that must not be found anywhere: of clouds.yaml, and of Keystone.
SECRET, TOKEN = 'canary-secret-7f3a', 'canary-token-91bc'
#: Seconds in which a child has to answer.
TIME_LIMIT_S = 60
#: So many where a test waits until they are over.
SHORT_LIMIT_S = 6
MAX_ERRORS = 3
UUID = '11111111-1111-4111-8111-111111111111'
OTHER_UUID = '22222222-2222-4222-8222-222222222222'


def build_info(**fields):
    """Return what a child zone answers."""
    return {'zone': {
        'uuid': UUID, 'name': 'child', 'gathering': False,
        'capabilities': {'general': {}, 'services': {}}, **fields,
    }}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        """Respond as the server's function does."""
        self.server.seen.append((self.path, dict(self.headers)))
        self.close_connection = True
        # The client may have left.
        with contextlib.suppress(OSError):
            self.server.respond(self)

    def do_POST(self):
        """Read the body, and respond alike."""
        self.body = self.rfile.read(
            int(self.headers.get('Content-Length', 0))
        )
        self.do_GET()

    def do_PUT(self):
        """Respond alike."""
        self.do_POST()

    def do_DELETE(self):
        """Respond alike; there may be no body."""
        self.do_POST()

    def answer(self, status, body=b'', **headers):
        """Send a whole answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace('_', '-'), value)
        self.send_header('Content-Length', str(len(body)))
        # A client that isn't told may send its next request into the void.
        self.send_header('Connection', 'close')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Print nothing."""


class ZonesTestCase(base.ApiTestCase):
    """Have a parent's API and database, and child zones of any kind.

    Keystone gives everybody one token. A child zone has ``time_limit_s``
    seconds to answer.
    """

    time_limit_s = TIME_LIMIT_S

    def setUp(self):
        """Start Keystone, and write a clouds.yaml."""
        super().setUp()
        token = V3Token(user_id='parent', project_id=base.OURS)
        token.add_role(name='reader')
        self.tokens.add_token(token, TOKEN)
        #: Where Keystone's catalog and its version document lead.
        self.elsewhere = self.serve(lambda seen: seen.answer(200))
        self.keystone_server = self.serve(self.give_token)
        self.folder = self.useFixture(base.fixtures.TempDir()).path
        self.clouds_file = f'{self.folder}/clouds.yaml'
        self.conf.config(
            group='nova_ext_zones', zone_clouds_file=self.clouds_file,
            allow_http=True, time_limit_s=self.time_limit_s,
            max_errors=MAX_ERRORS,
        )
        self.write_clouds()
        self.poller = Poller(self.database, cfg.CONF.nova_ext_zones)

    def write_clouds(
        self, auth_type='v3applicationcredential', cacert=None, **auth
    ):
        """Write credentials for the cloud ``child``."""
        with open(self.clouds_file, 'w') as stream:  # noqa: PTH123
            yaml.safe_dump({'clouds': {'child': {
                'auth_type': auth_type, 'cacert': cacert, 'auth': auth or {
                    'auth_url': f'{self.keystone_server.url}/v3',
                    'application_credential_id': 'i',
                    'application_credential_secret': SECRET,
                },
            }}}, stream)

    def give_token(self, request):
        """Answer as Keystone does; its catalog leads elsewhere."""
        token = V3Token(project_id=base.OURS)
        token.add_service('scheduler').add_standard_endpoints(
            public=self.elsewhere.url
        )
        request.answer(
            201, json.dumps(token).encode(), X_Subject_Token=TOKEN
        )

    def serve(self, respond):
        """Serve requests by a function until the test ends.

        :returns: its ``url``, and the requests that it has ``seen``.
        """
        return self._start(self._make_server(respond))

    def _make_server(self, respond):
        server = ThreadingHTTPServer(('127.0.0.1', 0), _Handler)
        server.daemon_threads, server.block_on_close = True, False
        server.respond, server.seen = respond, []
        return server

    def serve_zone(self, name='child'):
        """Serve a second nova-ext-api, with a database of its own."""
        database = make_database(f'{self.folder}/{name}.sqlite')
        backends = base.Backends(database)
        server = werkzeug.serving.make_server(
            '127.0.0.1', 0, service.build(cfg.CONF, backends), threaded=True
        )
        started = self._start(server)
        started.backends = backends
        return started

    def serve_own_zone(self):
        """Serve this zone's own API."""
        return self._start(werkzeug.serving.make_server(
            '127.0.0.1', 0, service.build(cfg.CONF, self.backends),
            threaded=True,
        ))

    def _start(self, server):
        # It looks so often whether it has to end.
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        return types.SimpleNamespace(
            url=f'http://127.0.0.1:{server.server_address[1]}',
            seen=getattr(server, 'seen', None),
        )

    def serve_tls(self, respond):
        """Serve over TLS, with a certificate that is signed by itself.

        :returns: what :meth:`serve` returns, and the certificate's file as
            ``certificate``.
        """
        file = f'{self.folder}/server.pem'
        subprocess.run(
            ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt',
             'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
             '-subj', '/CN=child', '-addext', 'subjectAltName=IP:127.0.0.1',
             '-keyout', file, '-out', f'{file}.cert'],
            check=True, capture_output=True,
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f'{file}.cert', file)
        server = self._make_server(respond)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        started = self._start(server)
        started.url = started.url.replace('http:', 'https:')
        started.certificate = f'{file}.cert'
        return started

    def serve_answer(self, status=200, body=None, **headers):
        """Serve one answer for ever."""
        if not isinstance(body, bytes):
            body = json.dumps(body or build_info()).encode()
        return self.serve(
            lambda request: request.answer(status, body, **headers)
        )

    def add_zone(self, name, url, cloud='child', **values):
        """Add a child zone, and return its ID."""
        with self.database.writing() as session:
            return registry.create_zone(session, {
                'name': name, 'url': url, 'cloud': cloud, 'weight_scale': 1.0,
                'weight_offset': 0.0, 'is_disabled': False, **values,
            }).id

    def get_zone(self, name):
        """Return a child zone."""
        with self.database.reading() as session:
            zone, = registry.list_zones(session, name)
            return zone
