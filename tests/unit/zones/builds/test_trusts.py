"""Tell what Keystone refuses from a Keystone that does not answer."""

import types
from unittest import mock

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

    def test_conflicts(self):
        """A user's trusts end at different seconds: Keystone wants them so."""
        ends, taken = [], set()

        def post(path, json, **_):
            ends.append(json['trust']['expires_at'])
            if len(ends) <= refused or ends[-1] in taken:
                raise keystone.Conflict
            taken.add(ends[-1])
            return mock.Mock(json=lambda: {'trust': {'id': 'made'}})

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.offers.own_cloud.open_caller_session',
            lambda auth: types.SimpleNamespace(post=post),
        ))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.builds.trusts._open_service_session', mock.Mock()
        ))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.builds.trusts._get_keystone', dict
        ))
        auth = types.SimpleNamespace(user=types.SimpleNamespace(
            user_id='u', project_id='p', role_ids=['r']
        ))
        refused = 0
        for _ in range(20):
            self.assertEqual('made', trusts.create_trust(auth, 10**9))
        self.assertEqual(20, len(taken))
        ends.clear()
        refused = 100
        told = self.assertRaises(
            trusts.KeystoneSilentError, trusts.create_trust, auth, 10**9
        )
        self.assertIn('try again', str(told))
        self.assertEqual(4, len({*ends}))
