"""What Nova answers to a new server."""

import testtools
from keystoneauth1 import adapter, session, token_endpoint
from requests_mock.contrib import fixture

from nova_ext.zones.items.servers import RefusedError, Servers


class CreateTest(testtools.TestCase):
    """Create a server where Nova refuses it."""

    def test_refused(self):
        """Tell a body that is too long from a quota."""
        nova = self.useFixture(fixture.Fixture())
        servers = Servers(adapter.Adapter(session.Session(
            token_endpoint.Token('http://nova', 't')
        ), service_type='compute'))
        for status, message, code in (
            (413, 'Request is too large.', 'too_long'),
            (403, 'Quota exceeded for cores', 'quota'),
            (403, 'not allowed', 'forbidden'),
        ):
            nova.post('http://nova/servers', status_code=status, json={
                'error': {'message': message}
            }, headers={'Content-Type': 'application/json'})
            error = self.assertRaises(
                RefusedError, servers.create, {}, {}, 'req-1', 5
            )
            self.assertEqual(code, error.code)
