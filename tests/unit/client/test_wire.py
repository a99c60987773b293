"""Send contexts of oslo.context as Nova's."""

import testtools
from nova import context as nova_context
from oslo_context import context

from nova_ext.client.wire import NovaContextSerializer

FIELDS = ('user_id', 'project_id', 'roles', 'auth_token', 'request_id',
          'is_admin', 'remote_address', 'user_name')


class NovaContextTest(testtools.TestCase):
    """Read contexts by Nova's own class."""

    def assert_arrives(self, sent):
        """Assert that all fields that a scheduler reads arrive."""
        read = nova_context.RequestContext.from_dict(
            NovaContextSerializer().serialize_context(sent)
        )
        for field in FIELDS:
            self.assertEqual(
                getattr(sent, field, None), getattr(read, field), field
            )

    def test_oslo_context(self):
        """Send the user and the token."""
        self.assert_arrives(context.RequestContext(
            user_id='u', project_id='p', roles=['member'], auth_token='t',  # noqa: S106
            user_name='name', is_admin=False,
        ))

    def test_nova_context(self):
        """Send the client's address, too."""
        self.assert_arrives(nova_context.RequestContext(
            'u', 'p', is_admin=True, remote_address='192.0.2.1',
            roles=['admin'],
        ))
