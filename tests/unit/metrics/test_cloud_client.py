"""Ask nova-ext-api over HTTP, and say why it does not answer."""

import fixtures
import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.metrics import cloud_client
from nova_ext.metrics.answers import Failure
from tests.unit.metrics import clouds


class CloudClientTest(testtools.TestCase):
    """Have a server answer."""

    def setUp(self):
        """Serve, and do not wait for long."""
        super().setUp()
        self.api = self.useFixture(clouds.ApiFixture())
        self.useFixture(fixtures.MonkeyPatch(
            f'{cloud_client.__name__}.BUSY_S', 0
        ))
        self.cloud = cloud_client.CloudClient(self.api.name, lambda: None)

    def fail(self, status, code=None):
        """Return why a request fails."""
        error = {'code': f'scheduler.{code}', 'detail': 'it is so'}
        self.api.answer = status, {'errors': [error]} if code else {}
        return cloud_client.find_reason(self.assertRaises(
            NovaExtError, self.cloud.post, '/v1/capacities', {}
        ))

    def test_reasons(self):
        """Name one of few reasons."""
        for status, code, reason in (
            (401, None, Failure.UNAUTHORIZED),
            (403, 'forbidden', Failure.UNAUTHORIZED),
            (503, 'busy', Failure.BUSY),
            (503, 'no_scheduler', Failure.NO_SCHEDULER),
            (504, 'scheduler_silent', Failure.TIMEOUT),
            (503, 'scheduler_unreachable', Failure.UNREACHABLE),
            (502, None, Failure.UNREACHABLE),
            (502, 'driver_failed', Failure.ERROR),
            (500, None, Failure.ERROR),
            (400, 'invalid_request', Failure.ERROR),
        ):
            self.assertEqual(reason, self.fail(status, code), (status, code))
        self.api.answer = None
        self.assertEqual(Failure.UNREACHABLE, cloud_client.find_reason(
            self.assertRaises(
                NovaExtError, self.cloud.post, '/v1/capacities', {}
            )
        ))
        self.assertEqual(
            Failure.ERROR, cloud_client.find_reason(ValueError('x'))
        )

    def test_busy(self):
        """Ask again while it is busy; no other answer is asked for twice."""
        self.fail(503, 'busy')
        self.assertEqual(
            cloud_client.BUSY_ATTEMPTS, len(self.api.bodies)
        )
        del self.api.bodies[:]
        self.fail(400, 'invalid_request')
        self.assertEqual(1, len(self.api.bodies))

    def test_refused(self):
        """Tell a fault of one request from one of all."""
        for status, expected in ((400, True), (403, False)):
            self.api.answer = status, {}
            error = self.assertRaises(
                NovaExtError, self.cloud.post, '/v1/capacities', {}
            )
            self.assertEqual(expected, cloud_client.is_refused(error))

    def test_no_cloud(self):
        """Name the cloud that clouds.yaml lacks."""
        error = self.assertRaises(
            NovaExtError, cloud_client.CloudClient, 'nowhere', lambda: None
        )
        self.assertIn('--os-cloud nowhere: ', str(error))
