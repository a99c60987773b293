"""Serve a scheduler's side of RPC in the test's process."""

import fixtures
import oslo_messaging as messaging
import testtools
from oslo_config import cfg
from oslo_context import context

from nova_ext.client import SchedulerClient, wire

URL = 'fake://'


class ServedTestCase(testtools.TestCase):
    """Serve an endpoint on oslo.messaging's bus inside one process."""

    def setUp(self):
        """Make the caller's context."""
        super().setUp()
        self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.context = context.RequestContext(
            user_id='u', project_id='p', roles=['member'],
        )

    def serve(self, endpoint, topic=wire.TOPIC):
        """Serve until the test ends.

        :param endpoint: an object with methods, and perhaps a target.
        """
        transport = messaging.get_rpc_transport(cfg.CONF, URL)
        self.addCleanup(transport.cleanup)
        server = messaging.get_rpc_server(
            transport, messaging.Target(
                exchange=wire.EXCHANGE, topic=topic, server='scheduler'
            ), [endpoint], executor='threading',
            access_policy=messaging.DefaultRPCAccessPolicy,
        )
        server.start()
        self.addCleanup(server.wait)
        self.addCleanup(server.stop)

    def client(self, **options):
        """Return a client of it."""
        caller = SchedulerClient(**{'url': URL, 'timeout_s': 20, **options})
        self.addCleanup(caller.close)
        return caller
