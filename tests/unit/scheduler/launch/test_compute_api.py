"""Translate Nova's answers, and report missing ones."""

import requests
import testtools
from keystoneauth1 import adapter, session, token_endpoint
from requests_mock.contrib import fixture as requests_fixture

from nova_ext.core.base.scheduling_errors import ApiError, UnauthenticatedError
from nova_ext.scheduler.launch.compute_api import ComputeClient

URL = 'http://compute.example/v2.1'
UNCERTAIN = 'may have been created all the same'


class CreateTest(testtools.TestCase):
    """Create servers by POST /servers."""

    def setUp(self):
        """Have an API that answers as a test sets."""
        super().setUp()
        self.nova = self.useFixture(requests_fixture.Fixture())
        self.client = ComputeClient(adapter.Adapter(
            session.Session(), service_type='compute',
            auth=token_endpoint.Token(URL, 'token'),
        ))

    def create(self, **answer):
        """Create a server."""
        self.nova.post(f'{URL}/servers', **answer)
        return self.client.create({'server': {}}, 'req-1')

    def refusal(self, expected, **answer):
        """Return the error that an answer raises."""
        return str(self.assertRaises(expected, self.create, **answer))

    def test_created(self):
        """Return the id, and send the request id."""
        self.assertEqual('one', self.create(json={'server': {'id': 'one'}}))
        self.assertEqual(
            'req-1',
            self.nova.last_request.headers['X-OpenStack-Request-ID'],
        )

    def test_refused(self):
        """Quote Nova's message, without a doubt."""
        line = self.refusal(ApiError, status_code=403, json={
            'forbidden': {'code': 403, 'message': 'Quota\nexceeded'},
        })
        self.assertEqual('Nova\'s API: Quota exceeded', line)
        self.assertNotIn(UNCERTAIN, self.refusal(ApiError, status_code=500))
        self.refusal(UnauthenticatedError, status_code=401)

    def test_uncertain(self):
        """Say that the server may have been created."""
        for answer in (
            {'exc': requests.exceptions.ReadTimeout},
            {'exc': requests.exceptions.ConnectionError},
            {'status_code': 502}, {'status_code': 504},
            {'text': 'no JSON'}, {'json': {'reservation_id': 'r-1'}},
            {'json': []},
        ):
            line = self.refusal(ApiError, **answer)
            self.assertIn(UNCERTAIN, line)
            self.assertNotIn('\n', line)
