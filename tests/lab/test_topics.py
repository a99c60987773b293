"""Use topics over RabbitMQ, by real processes, some of which are killed."""

import collections
import concurrent.futures
import contextlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

import amqp
from oslo_context import context

from nova_ext import client
from nova_ext.client import wire
from nova_ext.lab.configuration import broker
from nova_ext.lab.state import ports
from tests.lab import base
from tests.unit.client.test_scheduler_client import LEGACY

EXAMPLES = Path(__file__).parents[2] / 'doc' / 'source' / 'user' / 'topics'
#: Seconds after its last report at which a service is down in this lab.
DOWN_AFTER_S = 6
#: Seconds in which the examples' services report again.
INTERVAL_S = 2
#: Seconds that a call may take, in which some are killed.
TIMEOUT_S = 10
#: What oslo.messaging would call malformed.
GARBAGE = (
    '', 'no json', '[]', '7', 'null', '"text"', '{}',
    '{"oslo.version": "2.0", "oslo.message": "[1, 2]"}',
    '{"oslo.version": "9.9", "oslo.message": "{}"}',
    '{"oslo.version": "2.0", "oslo.message": "{\\"method\\": {}}"}',
    '{"oslo.version": "2.0", "oslo.message": "{\\"_timeout\\": []}"}',
)


class TopicsTest(base.RabbitTestCase):
    """Run two schedulers of ours, with two workers each, and a stock one."""

    up = None

    @classmethod
    def setUpClass(cls):
        """Run a lab with drivers of two more topics than compute."""
        super().setUpClass()
        for path in (EXAMPLES / 'backup.py',
                     Path(__file__).with_name('working.py')):
            shutil.copy(path, cls.home)
        cls.lab(
            'up', '--broker', 'rabbit', '--schedulers', '3',
            '--stock-schedulers', '1', '--set', 'scheduler.workers=2',
            '--computes', 'one', 'two', *cls.settings({
                'nova_ext.plugin_files': [
                    cls.home / 'backup.py', cls.home / 'working.py'
                ],
                'nova_ext.scheduler_driver': [
                    'FilterScheduler', 'BackupDriver', 'WorkDriver'
                ],
                'nova_ext_services.down_after_s': [DOWN_AFTER_S],
                'nova_ext_offers.secret': ['between schedulers'],
                'filter_scheduler.enabled_filters': [
                    'ComputeFilter,SpecifiedHostFilter,OfferFilter'
                ],
            }),
        )
        cls.scheduler = cls.program(timeout_s=TIMEOUT_S)
        cls.me = context.RequestContext(user_id='me', project_id='mine')

    @staticmethod
    def settings(values):
        """Return arguments that set options, some several times."""
        return [
            word for option, several in values.items() for value in several
            for word in ('--set', f'{option}={value}')
        ]

    @contextlib.contextmanager
    def reporting(self, host):
        """Run a service until the test ends or kills it."""
        service = subprocess.Popen([
            sys.executable, str(EXAMPLES / 'report.py'),
            str(self.nova_conf()), host,
        ])
        try:
            yield service
        finally:
            service.kill()
            service.wait()

    def workers(self):
        """Return the services that each worker knows, by its process id.

        A stock scheduler's workers would not answer.
        """
        known = {}
        deadline = time.monotonic() + 60
        while len(known) < 4 and time.monotonic() < deadline:
            pid, hosts = self.scheduler.schedule(
                self.me, 'work', 'look', topic='backup'
            )
            known[pid] = hosts
        self.assertEqual(4, len(known))
        return known

    def wait_until_all_know(self, *hosts):
        """Wait until each worker knows exactly these services."""
        self.wait_until(
            lambda: set(map(tuple, self.workers().values())) == {hosts}
        )

    def test_example(self):
        """The program of the documentation, run as it is."""
        with self.reporting('b-1'):
            self.wait_until_all_know('b-1')
            output = self.command(
                'python', str(EXAMPLES / 'ask.py'), str(self.nova_conf())
            )
        # Libraries may have warned before it.
        self.assertEqual(
            ["['b-1']", "{'full': ['b-1'], 'diff': ['b-1']}", 'b-1'],
            output.splitlines()[-3:],
        )

    def test_two_topics_at_once(self):
        """Servers boot while tickets are run; nothing gets in the way."""
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            runs = [
                pool.submit(self.scheduler.schedule, self.me, 'work', 'run',
                            ticket=f'beside-{n}')
                for n in range(80)
            ]
            servers = self.boot_many([f'beside-{n}' for n in range(6)])
            self.assertEqual(
                [f'beside-{n}' for n in range(80)],
                [run.result() for run in runs],
            )
        self.assertEqual({'ACTIVE'}, {one['status'] for one in servers})

    def test_typed_errors(self):
        """Each crosses RPC as what it is, in one line."""
        for expected, topic, method, arguments in (
            (client.UnknownTopicError, 'tape', 'run', {}),
            (client.UnknownMethodError, 'work', 'rank', {}),
            (client.WrongArgumentsError, 'work', 'run', {}),
            (client.NoHostError, 'backup', 'choose', {'size_gb': 10**9}),
            (client.DriverError, 'backup', 'choose', {'size_gb': 'many'}),
        ):
            with self.subTest(expected.__name__), self.reporting('b-1'):
                self.wait_until_all_know('b-1')
                error = self.assertRaises(
                    client.SchedulingError, self.scheduler.schedule,
                    self.me, topic, method, **arguments,
                )
                self.assertIs(expected, type(error))
                self.assertNotIn('\n', str(error))

    def test_servers_beside_a_stock_scheduler(self):
        """None is created: it would ignore where they were to go."""
        session = self.cloud().session
        caller = context.RequestContext(
            user_id=session.get_user_id(), auth_token=session.get_token(),
            project_id=session.get_project_id(), roles=['admin'],
        )
        error = self.assertRaises(
            client.NotHonouredError, self.scheduler.schedule, caller,
            'compute', 'schedule_run_instance',
            server={'name': 'nowhere', 'flavorRef': '1'},
        )
        self.assertIn('is a stock nova-scheduler', str(error))

    def test_select_destinations(self):
        """Of whichever scheduler takes it, a stock one at times."""
        error = self.assertRaises(
            client.NoHostError, self.scheduler.select_destinations,
            self.me, LEGACY, {'scheduler_hints': {'requested_host': 'no'}},
        )
        self.assertIn('No valid host', str(error))

    def test_dead_host(self):
        """Chosen by no worker once it is down; known again by a report."""
        with self.reporting('b-1') as killed, self.reporting('b-2'):
            self.wait_until_all_know('b-1', 'b-2')
            killed.kill()
            at = time.monotonic()
            self.wait_until_all_know('b-2')
            # The last report may have been late, once.
            self.assertGreater(
                time.monotonic() - at, DOWN_AFTER_S - 2 * INTERVAL_S - 1
            )
            self.assertEqual(
                {'b-2'}, {
                    self.scheduler.schedule(
                        self.me, 'backup', 'choose', size_gb=1
                    ) for _ in range(20)
                },
            )
            with self.reporting('b-1'):
                self.wait_until_all_know('b-1', 'b-2')

    def test_restarted_scheduler(self):
        """It knows all services again, from their next report."""
        with self.reporting('b-1'):
            self.wait_until_all_know('b-1')
            before = set(self.workers())
            self.lab('restart', 'scheduler-1')
            self.wait_until_all_know('b-1')
            self.assertEqual(2, len(before - set(self.workers())))

    def test_killed_in_the_middle(self):
        """Each call ends in time; none is run twice."""
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            calls = [
                pool.submit(self.run_ticket, f'killed-{n}')
                for n in range(200)
            ]
            self.wait_until(lambda: len(self.runs('killed')) >= 50)
            for process in self.tree('scheduler-1'):
                process.kill()
            ended = [call.result() for call in calls]
        self.lab('restart', 'scheduler-1')
        took, outcomes = zip(*ended, strict=True)
        # Threads of a busy machine wake up late.
        self.assertLess(max(took), TIMEOUT_S + 30)
        runs = self.runs('killed')
        self.assertEqual({1}, set(runs.values()))
        self.assertEqual(200, len(outcomes))
        done = {ticket for ticket in outcomes if ticket is not None}
        self.assertLessEqual(done, set(runs))
        self.assertGreater(len(done), 150)

    def run_ticket(self, ticket):
        """Have a ticket run.

        :returns: the seconds it took, and the ticket; None in its place for
            a typed error.
        """
        began = time.monotonic()
        try:
            done = self.scheduler.schedule(
                self.me, 'work', 'run', ticket=ticket
            )
        except client.SchedulingError:
            done = None
        return time.monotonic() - began, done

    def runs(self, prefix):
        """Count how often each ticket was begun, by any worker."""
        path = self.home / 'runs'
        lines = path.read_text().split() if path.exists() else []
        return collections.Counter(
            line for line in lines if line.startswith(prefix)
        )

    def test_garbage(self):
        """What no client sends stops no worker."""
        with self.channel() as channel:
            for body in GARBAGE:
                for _ in range(4):
                    channel.basic_publish(
                        amqp.Message(body, content_type='application/json',
                                     content_encoding='utf-8'),
                        routing_key=wire.TOPIC,
                    )
        self.wait_until(lambda: len(self.workers()) == 4)

    @contextlib.contextmanager
    def channel(self):
        """Open a connection to the broker."""
        state = self.state()
        with amqp.Connection(
            f'{ports.ADDRESS}:{state.ports["rabbit"]}', userid=broker.USER,
            password=state.passwords[broker.USER],
        ) as connection, connection.channel() as channel:
            yield channel
