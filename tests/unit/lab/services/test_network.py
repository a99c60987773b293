"""The network stub, as Nova asks it."""

import requests
import testtools

from nova_ext.lab.services import network
from tests.unit.lab import serving


class NetworkTest(testtools.TestCase):
    """Every list is empty and nothing can be made."""

    def setUp(self):
        """Serve it."""
        super().setUp()
        self.url = self.useFixture(serving.Served(network.application)).url

    def get(self, path):
        """The status and the document of an answer."""
        answer = requests.get(self.url + path, timeout=10)
        return answer.status_code, answer.json()

    def test_lists(self):
        """Empty, under the name that Neutron gives them."""
        self.assertEqual(
            (200, {'ports': []}), self.get('/v2.0/ports?device_id=x')
        )
        self.assertEqual(
            (200, {'security_groups': []}), self.get('/v2.0/security-groups')
        )

    def test_versions(self):
        """The link leads back to it."""
        _, document = self.get('/')
        self.assertEqual(
            f'{self.url}/v2.0/', document['versions'][0]['links'][0]['href']
        )

    def test_absent(self):
        """A single thing is not found, with Neutron's kind of error."""
        status, document = self.get('/v2.0/ports/x')
        self.assertEqual(
            (404, 'NotFound'), (status, document['NeutronError']['type'])
        )

    def test_nothing_can_be_made(self):
        """A port can't be had."""
        answer = requests.post(
            f'{self.url}/v2.0/ports', json={'port': {}}, timeout=10
        )
        self.assertEqual(501, answer.status_code)
