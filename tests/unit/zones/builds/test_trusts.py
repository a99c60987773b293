"""Tell what Keystone refuses from a Keystone that does not answer."""

import types

import fixtures
import testtools
from keystoneauth1 import exceptions as keystone

from nova_ext.zones.builds import trusts


class CreateTrustTest(testtools.TestCase):
    """Keystone's errors."""

    def test_errors(self):
        """Where another try may succeed, it is another error."""
        auth = types.SimpleNamespace(user=None)
        for error, expected in (
            (keystone.Forbidden(), trusts.TrustRefusedError),
            (keystone.NotFound(), trusts.TrustRefusedError),
            (keystone.EndpointNotFound(), trusts.TrustRefusedError),
            (keystone.ServiceUnavailable(), trusts.KeystoneSilentError),
            (keystone.BadGateway(), trusts.KeystoneSilentError),
            (keystone.ConnectFailure(), trusts.KeystoneSilentError),
            (keystone.ConnectTimeout(), trusts.KeystoneSilentError),
            # As for an auth_url without a version.
            (keystone.DiscoveryFailure(), trusts.KeystoneSilentError),
        ):
            def fail(auth, error=error):
                raise error

            with self.subTest(type(error).__name__), fixtures.MonkeyPatch(
                'nova_ext.zones.offers.own_cloud.open_caller_session', fail
            ):
                told = self.assertRaises(
                    expected, trusts.create_trust, auth, 10**9
                )
                self.assertIn('Keystone', str(told))
