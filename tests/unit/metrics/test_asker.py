"""Ask at intervals, and keep the newest answers."""

import threading
import time

import fixtures
import testtools
from prometheus_client import CollectorRegistry

from nova_ext.core.base.errors import NovaExtError
from nova_ext.metrics import asker
from nova_ext.metrics.answers import Failure, Sample
from tests.unit.metrics import clouds

DEADLINE_S = 60


class AskerTest(testtools.TestCase):
    """Replace the questions, and count them."""

    def setUp(self):
        """Answer with how often each was asked."""
        super().setUp()
        self.cloud = self.useFixture(clouds.ApiFixture()).name
        self.counts = {}
        self.error = None
        for name, count in (
            ('capacity.ask', 1), ('capacity.ask_empty', 1),
            ('losses.ask_hosts', 3), ('losses.ask_racks', 1),
        ):
            self.useFixture(fixtures.MonkeyPatch(
                f'nova_ext.metrics.{name}', self.answer_with(name, count)
            ))
        self.registry = CollectorRegistry()
        self.end = threading.Event()
        self.addCleanup(self.end.set)

    def answer_with(self, name, count):
        """Return a question that asks some times."""
        def ask(cloud, *args):
            for _ in range(count):
                cloud.post('/', {})
            self.counts[name] = self.counts.get(name, 0) + 1
            if self.error and name == 'capacity.ask':
                raise self.error
            yield Sample('nova_ext_hosts', self.counts[name])
        return ask

    def start(self, **plan):
        """Start asking."""
        asking = asker.Asker(
            asker.AskingPlan(self.cloud, **plan), self.end
        )
        self.registry.register(asking.answers)
        asking.start()

    def wait_until(self, condition):
        """Wait until a condition holds."""
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def value(self, metric, **labels):
        """Return a metric's value."""
        return self.registry.get_sample_value(f'nova_ext_{metric}', labels)

    def test_between(self):
        """Ask for capacity between losses, and for what is wanted alone."""
        self.start(interval_s=0, loss_interval_s=3600)
        self.wait_until(lambda: 'losses.ask_hosts' in self.counts)
        self.assertGreaterEqual(self.counts['capacity.ask'], 4)
        self.assertEqual(1, self.counts['capacity.ask_empty'])
        self.assertNotIn('losses.ask_racks', self.counts)
        self.assertIsNone(self.value(
            'asking_fails', question='rack_loss', reason='error'
        ))

    def test_capacity_alone(self):
        """With an interval of 0 no loss is rehearsed."""
        self.start(interval_s=0, loss_interval_s=0, rack_key='rack')
        self.wait_until(lambda: self.counts.get('capacity.ask', 0) > 2)
        self.assertEqual({'capacity.ask'}, self.counts.keys())

    def test_failure(self):
        """Keep the answer before, and say why there is no newer one."""
        began = time.time()
        self.start(interval_s=0, loss_interval_s=0)
        self.wait_until(lambda: self.value('hosts'))
        self.error = NovaExtError('no')
        self.wait_until(lambda: self.value(
            'asking_fails', question='capacity', reason='error'
        ))
        answered = self.value(
            'answer_timestamp_seconds', question='capacity'
        )
        self.assertGreaterEqual(answered, began)
        hosts = self.value('hosts')
        count = self.counts['capacity.ask']
        self.wait_until(lambda: self.counts['capacity.ask'] > count + 2)
        self.assertEqual((hosts, answered), (
            self.value('hosts'),
            self.value('answer_timestamp_seconds', question='capacity'),
        ))
        self.assertEqual(1, sum(
            self.value('asking_fails', question='capacity', reason=reason)
            for reason in Failure
        ))
        self.error = None
        self.wait_until(lambda: not self.value(
            'asking_fails', question='capacity', reason='error'
        ))
        self.wait_until(lambda: self.value('hosts') > hosts)
