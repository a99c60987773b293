"""Test which messages the bus inside one process returns."""

import time

import fixtures
import oslo_messaging as messaging
import testtools
from oslo_context import context
from oslo_messaging._drivers import impl_fake

from nova_ext import client
from nova_ext.client import wire
from nova_ext.lab.nova import memory_bus


class Endpoint:
    """Answer as a nova-ext-scheduler does."""

    target = messaging.Target(version=wire.VERSION)

    def in_force(self, context):
        """Name the scheduler."""
        return {'host': 'ctl'}


class ReturnUndeliverableTest(testtools.TestCase):
    """Ask over ``fake://`` as nova-ext-api does in a lab."""

    def setUp(self):
        """Give the test queues of its own."""
        super().setUp()
        driver = impl_fake.FakeDriver
        self.useFixture(fixtures.MonkeyPatch(
            f'{driver.__module__}.FakeDriver.send', driver.send
        ))
        memory_bus.return_undeliverable()
        self.me = context.RequestContext(roles=['admin'])
        self.caller = self.enterContext(client.SchedulerClient(
            'fake://', timeout_s=2, exchange=self.id(),
        ))

    def test_without_scheduler(self):
        """Say at once that none is there, as over RabbitMQ."""
        for call, arguments in (
            (self.caller.simulate, [client.BootRequest(
                client.BootFlavor(1, 512)
            )]),
            (self.caller.in_force, []),
        ):
            error = self.assertRaises(
                client.NoSchedulerError, call, self.me, *arguments
            )
            self.assertIn('is on this message bus', str(error))

    def test_with_scheduler(self):
        """Bring a message to one that listens."""
        server = messaging.get_rpc_server(
            self.caller.transport, messaging.Target(
                exchange=self.id(), topic=wire.TOPIC, server='ctl'
            ), [Endpoint()], executor='threading',
            access_policy=messaging.DefaultRPCAccessPolicy,
        )
        server.start()
        self.addCleanup(server.wait)
        self.addCleanup(server.stop)
        deadline = time.monotonic() + 60
        while True:
            try:
                answer = self.caller.in_force(self.me)
                break
            except client.NoSchedulerError:
                # Its thread does not listen yet.
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
        self.assertEqual({'host': 'ctl'}, answer)
