"""What is said of Nova's answers, and of those that do not come."""

import requests
import testtools
from keystoneauth1 import adapter, session, token_endpoint
from requests_mock.contrib import fixture as requests_fixture

from nova_ext.core.base.scheduling_errors import ApiError, UnauthenticatedError
from nova_ext.scheduler.launch.compute_api import Caller

URL = 'http://compute.example/v2.1'
OPEN = 'may have been created all the same'


class CreateTest(testtools.TestCase):
    """POST /servers, once."""

    def setUp(self):
        """An API that answers as a test wants."""
        super().setUp()
        self.nova = self.useFixture(requests_fixture.Fixture())
        self.caller = Caller(adapter.Adapter(
            session.Session(), service_type='compute',
            auth=token_endpoint.Token(URL, 'token'),
        ))

    def create(self, **answer):
        """Create a server."""
        self.nova.post(f'{URL}/servers', **answer)
        return self.caller.create({'server': {}}, 'req-1')

    def refusal(self, expected, **answer):
        """What is told of an answer."""
        return str(self.assertRaises(expected, self.create, **answer))

    def test_created(self):
        """The id is told, and Nova heard the request's."""
        self.assertEqual('one', self.create(json={'server': {'id': 'one'}}))
        self.assertEqual(
            'req-1',
            self.nova.last_request.headers['X-OpenStack-Request-ID'],
        )

    def test_refused(self):
        """In Nova's words, and nothing is open."""
        told = self.refusal(ApiError, status_code=403, json={
            'forbidden': {'code': 403, 'message': 'Quota\nexceeded'},
        })
        self.assertEqual('Nova\'s API: Quota exceeded', told)
        self.assertNotIn(OPEN, self.refusal(ApiError, status_code=500))
        self.refusal(UnauthenticatedError, status_code=401)

    def test_open(self):
        """Nobody knows whether Nova took the request."""
        for answer in (
            {'exc': requests.exceptions.ReadTimeout},
            {'exc': requests.exceptions.ConnectionError},
            {'status_code': 502}, {'status_code': 504},
            {'text': 'no JSON'}, {'json': {'reservation_id': 'r-1'}},
            {'json': []},
        ):
            told = self.refusal(ApiError, **answer)
            self.assertIn(OPEN, told)
            self.assertNotIn('\n', told)
