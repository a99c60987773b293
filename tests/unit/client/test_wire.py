"""Send contexts of oslo.context as Nova's."""

from pathlib import Path

import fixtures
import oslo_messaging as messaging
import testtools
from nova import context as nova_context
from oslo_config import cfg
from oslo_context import context

from nova_ext.client import wire
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


class ExchangeTest(testtools.TestCase):
    """Find the exchange of Nova's services."""

    def test_found(self):
        """What a file sets counts; a default of oslo.messaging does not."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'nova.conf').write_text('[DEFAULT]\ncontrol_exchange = x\n')
        (folder / 'empty.conf').touch()
        for file, exchange in ('nova.conf', 'x'), ('empty.conf', 'nova'):
            conf = cfg.ConfigOpts()
            conf([f'--config-file={folder / file}'], default_config_dirs=[])
            self.useFixture(fixtures.MonkeyPatch(
                'nova_ext.client.wire.cfg.CONF', conf
            ))
            messaging.get_rpc_transport(conf, 'fake://')
            self.assertEqual(exchange, wire.find_exchange())
