"""Ask over RabbitMQ where no nova-ext-scheduler runs."""

import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import oslo_messaging as messaging
import psutil
import testtools
from oslo_config import cfg
from oslo_context import context

from nova_ext import client
from nova_ext.client import wire
from nova_ext.lab.configuration import broker
from nova_ext.lab.services import rabbit
from nova_ext.lab.state import lab_state, paths, ports
from nova_ext.lab.state.errors import LabError

#: Seconds that a broker takes to start on a busy machine.
START_S = 120


class Endpoint:
    """Answer as a nova-ext-scheduler does."""

    target = messaging.Target(version=wire.VERSION)

    def in_force(self, context):
        """Name the scheduler."""
        return {'host': 'ctl'}


class NoSchedulerTest(testtools.TestCase):
    """Start a broker alone."""

    def setUp(self):
        """Wait until it lets clients in."""
        super().setUp()
        try:
            program = rabbit.find_program()
        except LabError as error:
            raise unittest.SkipTest(str(error)) from error
        folder = tempfile.TemporaryDirectory(prefix='nova-ext-broker-')
        self.addCleanup(folder.cleanup)
        lab = paths.LabFolder(Path(folder.name))
        self.state = lab_state.create([])
        for name in broker.PORTS:
            with ports.listen(None, self.state.ports.values()) as listener:
                self.state.ports[name] = listener.getsockname()[1]
        for name, text in rabbit.configure(lab, self.state).items():
            path = lab.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.environment = rabbit.build_environment(
            lab, self.state, {'PATH': '/usr/bin:/bin:/usr/sbin:/sbin'}
        )
        self.addCleanup(self.stop)
        self.server = subprocess.Popen(
            [str(program), '-noinput'], env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + START_S
        while not broker.is_serving(self.state):
            self.assertIsNone(self.server.poll())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.2)

    def stop(self):
        """End the broker, and the name server that it leaves behind."""
        home = self.environment['HOME']
        for process in psutil.process_iter():
            try:
                if process.environ().get('HOME') == home:
                    process.kill()
            except psutil.Error:
                continue
        self.server.wait()

    def test_before_and_after(self):
        """Say at once that none runs; ask one that does; miss one that ended.

        A queue without a scheduler stays, so that a restart loses nothing.
        """
        url = broker.build_url(self.state)
        me = context.RequestContext(roles=['admin'])
        caller = self.enterContext(client.SchedulerClient(url))
        boot = client.BootRequest(client.BootFlavor(1, 512))
        for call, arguments in (
            (caller.simulate, [boot]), (caller.capacity, [boot]),
            (caller.in_force, []),
        ):
            error = self.assertRaises(
                client.NoSchedulerError, call, me, *arguments
            )
            self.assertIn('is on this message bus', str(error))

        transport = messaging.get_rpc_transport(cfg.CONF, url)
        self.addCleanup(transport.cleanup)
        server = messaging.get_rpc_server(
            transport, messaging.Target(
                exchange=wire.EXCHANGE, topic=wire.TOPIC, server='ctl'
            ), [Endpoint()], executor='threading',
            access_policy=messaging.DefaultRPCAccessPolicy,
        )
        server.start()
        try:
            self.assertEqual({'host': 'ctl'}, caller.in_force(me))
        finally:
            server.stop()
            server.wait()
        error = self.assertRaises(
            client.RequestTimeoutError, caller.in_force, me
        )
        self.assertIn('within 5 s', str(error))
