"""Give compute hosts the accounts of RabbitMQ that the guide gives them."""

import os
import subprocess

import amqp
import psutil
from oslo_context import context as oslo_context

from nova_ext.client import wire
from nova_ext.lab.services import rabbit
from nova_ext.lab.state import paths
from tests import guides
from tests.lab import base

PASSWORD = 'secret'  # noqa: S105  of this lab
FANOUT = f'{wire.TOPIC}_fanout'


class BusPermissionsTest(base.RabbitTestCase):
    """Run a lab whose nova-compute and agent have accounts of their own."""

    up = ('--broker', 'rabbit', '--computes', 'one')

    @classmethod
    def setUpClass(cls):
        """Run the guide's commands; start nova-compute with its account."""
        super().setUpClass()
        environment = rabbit.build_environment(
            paths.find('default'), cls.state(cls), os.environ
        )
        program = rabbit.find_program().with_name('rabbitmqctl')
        for command in guides.read_commands('rabbitmq'):
            words = [
                PASSWORD if word == 'PASSWORD' else word
                for word in command.words[1:]
            ]
            subprocess.run(
                [str(program), *words], env=environment, check=True,
                stdout=subprocess.DEVNULL, timeout=cls.deadline_s,
            )
        process = psutil.Process(cls.state(cls).processes['compute'].pid)
        words, variables = process.cmdline(), process.environ()
        process.terminate()
        process.wait(cls.deadline_s)
        # oslo.messaging counts queues by the leader of the process's group.
        cls.compute = subprocess.Popen(words, start_new_session=True, env={
            **variables, 'OS_DEFAULT__TRANSPORT_URL': cls.url('nova-compute'),
        })
        cls.addClassCleanup(cls.compute.wait)
        cls.addClassCleanup(cls.compute.terminate)

    @classmethod
    def url(cls, account):
        """Return the address of the broker, with an account."""
        return f'rabbit://{account}:{PASSWORD}@{cls.address()}/'

    @classmethod
    def address(cls):
        """Return the broker's address."""
        return f'127.0.0.1:{cls.state(cls).ports["rabbit"]}'

    def assert_refused(self, account, do):
        """Check that the broker refuses what an account does."""
        with amqp.Connection(
            self.address(), userid=account, password=PASSWORD,
            confirm_publish=True,
        ) as connection:
            self.assertRaises(
                amqp.exceptions.AccessRefused, do, connection.channel()
            )

    def publish(self, exchange, key=''):
        """Return what sends a message."""
        return lambda channel: channel.basic_publish(
            amqp.Message('{}'), exchange, key
        )

    def test_nova_compute(self):
        """It builds servers; it reaches nothing of nova-ext's scheduler."""
        self.wait_until(
            lambda: self.boot('restricted')['status'] == 'ACTIVE', 180
        )
        self.assertIsNone(self.compute.poll())
        # With the lab's own account both exchanges are there.
        self.program().update_service_capabilities(
            oslo_context.RequestContext(), 'compute', 'one', {'tier': 'ssd'}
        )
        for do in (
            self.publish(FANOUT), self.publish('nova', wire.TOPIC),
            self.publish('nova', f'{wire.TOPIC}.scheduler-1'),
            lambda channel: channel.basic_consume(wire.TOPIC),
            lambda channel: eavesdrop(channel, FANOUT, ''),
            lambda channel: eavesdrop(channel, 'nova', wire.TOPIC),
            lambda channel: eavesdrop(channel, 'nova', '#'),
            lambda channel: channel.exchange_delete(FANOUT),
        ):
            self.assert_refused('nova-compute', do)

    def test_agent(self):
        """It asks and reports; it reaches none of Nova's services."""
        agent = self.program(url=self.url('nova-ext-agent'))
        context = oslo_context.RequestContext()
        self.assertEqual([], agent.required_stats(context))
        agent.update_service_capabilities(
            context, 'compute', 'one', {'tier': 'gold'}
        )
        self.wait_until(lambda: 'gold' in str(
            agent.service_capabilities(context)['services']
        ))
        for do in (
            *(self.publish('nova', key) for key in (
                'scheduler', 'conductor', 'compute', 'compute.one',
            )),
            self.publish('scheduler_fanout'), self.publish('compute_fanout'),
            *((lambda channel, queue=queue: channel.basic_consume(queue))
              for queue in (wire.TOPIC, 'scheduler', 'conductor')),
            lambda channel: eavesdrop(channel, FANOUT, ''),
            lambda channel: eavesdrop(channel, 'nova', '#'),
        ):
            self.assert_refused('nova-ext-agent', do)


def eavesdrop(channel, exchange, key):
    """Have what is sent to an exchange come to a queue of one's own, too."""
    channel.queue_declare('reply_mine', auto_delete=True)
    channel.queue_bind('reply_mine', exchange, key)
