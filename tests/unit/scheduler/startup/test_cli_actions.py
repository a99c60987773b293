"""Ping a scheduler, which may run and not answer."""

import fixtures
import oslo_messaging as messaging
from nova import baserpc, rpc
from nova.scheduler import rpcapi
from oslo_messaging import conffixture

from nova_ext.core.base import errors
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.startup.cli_actions import wait_for_scheduler
from tests.unit.scheduler import configured


class PingTest(configured.ConfiguredTestCase):
    """Use oslo.messaging's transport within a process."""

    def setUp(self):
        """Set up Nova's RPC, without a server."""
        super().setUp()
        self.conf.config(host='here')
        transport = self.useFixture(conffixture.ConfFixture(CONF))
        transport.transport_url = 'fake://'
        rpc.init(CONF)
        self.addCleanup(rpc.cleanup)

    def serve(self, host):
        """Answer as Nova's services do, on a scheduler's topic.

        On threads, which no release of Nova has to be patched for.
        """
        server = messaging.get_rpc_server(
            rpc.TRANSPORT,
            messaging.Target(topic=rpcapi.RPC_TOPIC, server=host),
            [baserpc.BaseRPCAPI('scheduler', None)], executor='threading',
            serializer=rpc.RequestContextSerializer(None),
        )
        server.start()
        self.addCleanup(server.wait)
        self.addCleanup(server.stop)

    def test_answers(self):
        """Return once a scheduler answers."""
        self.serve('here')
        wait_for_scheduler(30)

    def test_another_host_answers(self):
        """Name the host whose scheduler does not answer."""
        self.serve('elsewhere')
        error = self.assertRaises(errors.NovaExtError, wait_for_scheduler, 0.5)
        self.assertIn(
            'the scheduler of host here has not answered for 0.5 s',
            str(error),
        )

    def test_error(self):
        """Raise one line, without a traceback of the thread."""
        def call(*args, **kwargs):
            raise FileNotFoundError(2, 'No such file', '/proc/1234567/stat')

        self.useFixture(fixtures.MonkeyPatch(
            'oslo_messaging.rpc.client._BaseCallContext.call', call
        ))
        error = self.assertRaises(errors.NovaExtError, wait_for_scheduler, 30)
        self.assertEqual(
            "the scheduler of host here can't be asked: FileNotFoundError: "
            "[Errno 2] No such file: '/proc/1234567/stat'", str(error),
        )
