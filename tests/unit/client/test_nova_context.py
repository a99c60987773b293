"""A context of oslo.context arrives as one of Nova's."""

import testtools
from nova import context as nova_context
from oslo_context import context

from nova_ext.client.nova_context import NovaContextSerializer

FIELDS = ('user_id', 'project_id', 'roles', 'auth_token', 'request_id',
          'is_admin', 'remote_address', 'user_name')


class NovaContextTest(testtools.TestCase):
    """Read by Nova's own class."""

    def assert_arrives(self, sent):
        """All that a scheduler reads is as it was."""
        read = nova_context.RequestContext.from_dict(
            NovaContextSerializer().serialize_context(sent)
        )
        for field in FIELDS:
            self.assertEqual(
                getattr(sent, field, None), getattr(read, field), field
            )

    def test_oslos(self):
        """Who asks, and the token."""
        self.assert_arrives(context.RequestContext(
            user_id='u', project_id='p', roles=['member'], auth_token='t',  # noqa: S106
            user_name='name', is_admin=False,
        ))

    def test_novas(self):
        """The client's address, too."""
        self.assert_arrives(nova_context.RequestContext(
            'u', 'p', is_admin=True, remote_address='192.0.2.1',
            roles=['admin'],
        ))
