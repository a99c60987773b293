"""Test the network stub over HTTP."""

import requests
import testtools

from nova_ext.lab.services import network
from tests.unit.lab import base


class NetworkTest(testtools.TestCase):
    """Answer as an empty Neutron."""

    def setUp(self):
        """Serve the stub."""
        super().setUp()
        self.url = self.useFixture(base.Served(network.application)).url

    def get(self, path):
        """Return the status and the document of an answer."""
        answer = requests.get(self.url + path, timeout=10)
        return answer.status_code, answer.json()

    def test_lists(self):
        """Return empty lists, under Neutron's names."""
        self.assertEqual(
            (200, {'ports': []}), self.get('/v2.0/ports?device_id=x')
        )
        self.assertEqual(
            (200, {'security_groups': []}), self.get('/v2.0/security-groups')
        )

    def test_versions(self):
        """Link to the stub itself."""
        _, document = self.get('/')
        self.assertEqual(
            f'{self.url}/v2.0/', document['versions'][0]['links'][0]['href']
        )

    def test_absent(self):
        """Find no single resource, with Neutron's kind of error."""
        status, document = self.get('/v2.0/ports/x')
        self.assertEqual(
            (404, 'NotFound'), (status, document['NeutronError']['type'])
        )

    def test_nothing_can_be_made(self):
        """Refuse to create a port."""
        answer = requests.post(
            f'{self.url}/v2.0/ports', json={'port': {}}, timeout=10
        )
        self.assertEqual(501, answer.status_code)
