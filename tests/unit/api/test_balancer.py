"""Send requests through the haproxy that the playbooks configure."""

import http.client
import json
import shutil
import subprocess
import threading
import time
from pathlib import Path

import fixtures
import jinja2
from oslo_config import cfg
from werkzeug.serving import make_server

from nova_ext.api import service
from nova_ext.lab.state import ports
from tests.unit.api.base import ApiTestCase

TEMPLATE = (
    Path(__file__).parents[3]
    / 'playbooks/roles/nova_ext/templates/services/haproxy.cfg.j2'
)
PROGRAM = shutil.which('haproxy', path='/usr/sbin:/usr/bin:/bin')
#: Seconds that a busy machine takes to start it.
START_S = 120
DEFAULTS = """
defaults
    timeout connect 60s
    timeout client 60s
    timeout server 60s
"""
#: What leads to a host that is not ours, unless haproxy replaces it.
FOREIGN = {
    'Forwarded': 'for=192.0.2.9;proto=ftp;host=evil.example.org',
    'X-Forwarded-Proto': 'ftp', 'X-Forwarded-For': '192.0.2.9',
    'X-Forwarded-Host': 'evil.example.org',
    'X-Forwarded-Prefix': '/evil',
}


class BalancerTest(ApiTestCase):
    """Serve the API behind haproxy."""

    def setUp(self):
        """Start both."""
        super().setUp()
        if PROGRAM is None:
            self.skipTest('haproxy is not installed: apt-get install haproxy')
        self.conf.config(
            group='oslo_middleware', enable_proxy_headers_parsing=True
        )
        api = make_server(
            '127.0.0.1', 0, service.build(cfg.CONF, self.backends),
            threaded=True,
        )
        api.daemon_threads, api.block_on_close = True, False
        thread = threading.Thread(target=api.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(api.server_close)
        self.addCleanup(api.shutdown)
        with ports.listen(None) as listener:
            self.port = listener.getsockname()[1]
        file = Path(self.useFixture(fixtures.TempDir()).path) / 'haproxy.cfg'
        file.write_text(DEFAULTS + jinja2.Template(
            TEMPLATE.read_text(), trim_blocks=True
        ).render(
            groups={'nova_ext_api': ['api1']},
            hostvars={'api1': {
                'nova_ext_api_address': '127.0.0.1',
                'nova_ext_api_port': api.server_port,
            }},
            nova_ext_haproxy_bind=f'127.0.0.1:{self.port}',
            nova_ext_haproxy_pem='',
        ) + '\n')
        haproxy = subprocess.Popen(
            [PROGRAM, '-db', '-f', str(file)], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.addCleanup(haproxy.wait)
        self.addCleanup(haproxy.kill)
        deadline = time.monotonic() + START_S
        while True:
            try:
                if self.get('/healthcheck')[0] == 200:
                    break
            except OSError:
                self.assertIsNone(haproxy.poll())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def get(self, path, **headers):
        """Return the status and the body of an answer."""
        client = http.client.HTTPConnection('127.0.0.1', self.port, START_S)
        try:
            client.request('GET', path, headers=headers)
            answer = client.getresponse()
            return answer.status, answer.read()
        finally:
            client.close()

    def test_foreign_headers(self):
        """Links lead to the host that the client has called."""
        for name, value in FOREIGN.items():
            status, body = self.get('/', **{name: value})
            self.assertEqual(200, status)
            version, = json.loads(body)['versions']
            self.assertEqual(
                f'http://127.0.0.1:{self.port}/v1/',
                version['links'][0]['href'], name,
            )
