"""Let Keystone hang while users send tokens that nobody has seen."""

import concurrent.futures
import socket
from collections import Counter

from oslo_config import cfg
from werkzeug.test import Client

from nova_ext.api import service
from tests.hostile import drawing
from tests.unit.api.base import ApiTestCase

TOKENS, AT_ONCE = 60, 24
PUBLIC = ('/', '/v1/', '/v1/openapi.json', '/healthcheck')


class KeystoneTest(ApiTestCase):
    """Take connections in Keystone's place, and answer none."""

    keystone = False

    def setUp(self):
        """Listen, and no more; wait for a second each."""
        listener = socket.create_server(('127.0.0.1', 0), backlog=200)
        self.addCleanup(listener.close)
        self.authtoken = (
            'auth_type = none\n'
            f'endpoint = http://127.0.0.1:{listener.getsockname()[1]}\n'
            'http_connect_timeout = 1\nhttp_request_max_retries = 0\n'
        )
        super().setUp()
        self.app = service.build(cfg.CONF, self.backends)

    def test_hanging(self):
        """Each token is answered by 503, and what needs none meanwhile."""
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            refused = [
                pool.submit(self.get, '/v1/hints', f'token-{number}')
                for number in range(TOKENS)
            ]
            public = Counter(self.get(path) for path in PUBLIC * 5)
            statuses = Counter(each.result() for each in refused)
        drawing.count('tokens while Keystone hangs', statuses)
        drawing.count('public paths meanwhile', public)
        self.assertEqual({503: TOKENS}, statuses)
        self.assertEqual({200: 5 * len(PUBLIC)}, public)

    def get(self, path, token=None):
        """Return the status of one answer."""
        headers = {'X-Auth-Token': token} if token else {}
        return Client(self.app).get(path, headers=headers).status_code
