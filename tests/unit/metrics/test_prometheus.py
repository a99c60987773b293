"""Have a real Prometheus read the exporter, and run all example queries."""

import subprocess
import threading
import time
from pathlib import Path
from urllib import request

import fixtures
import testtools

from nova_ext.core.decision import decision as d
from nova_ext.metrics import answers, capacity, exporter, losses, placement
from nova_ext.record import drops, shortening
from tests import prometheus
from tests.unit.metrics import test_capacity
from tests.unit.record import samples

#: A line for each kind of thing that is counted.
DECISIONS = (
    samples.success(), samples.failure(
        by={'driver': 'A'}, stages={'filters': 0.2},
        mirror=d.MirrorCheck(compared=3, differences=['x']),
    ), samples.failure(mirror=d.MirrorCheck(fallback='query', decides=True)),
    samples.failure(attempts=[], placement=d.Placement('q', 0)),
)


class PrometheusTest(testtools.TestCase):
    """Two flavors that do not fit, one of them into no empty host either."""

    def setUp(self):
        """Serve a record, and answers; one is old."""
        super().setUp()
        if not prometheus.is_installed():
            self.skipTest('prometheus is not installed')
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.record = folder / 'record'
        self.answers = answers.Answers(answers.CloudQuestion)
        self.answer()
        self.end, ready = threading.Event(), threading.Event()

        def begin(port):
            self.port = port
            ready.set()

        thread = threading.Thread(target=exporter.serve, args=(
            self.record, self.answers, '127.0.0.1', 0, begin, self.end,
        ))
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.end.set)
        self.assertTrue(ready.wait(prometheus.DEADLINE_S))
        self.prometheus = self.useFixture(
            prometheus.Prometheus(f'127.0.0.1:{self.port}')
        )

    def answer(self):
        """Answer each question, the last one with a failure."""
        double = test_capacity.CapacityTest('setUp')
        double.setUp()
        cloud, now = double.cloud, time.time()
        cloud.fits = {'small': {}, 'large': {}, 'own': {}}
        cloud.moves = {('a', 'listed'): ['placed', 'refused'], **{
            ('b', order): ['no host'] for order in losses.Order
        }}
        empty = [
            answers.Sample('nova_ext_servers_fit_empty', count, (flavor,))
            for flavor, count in (('small', 9), ('large', 0))
        ]
        for question, found, began in (
            ('CAPACITY', capacity.ask(cloud, (), placement.Rooms()), now),
            ('EMPTY_CLOUD', empty, now),
            ('HOST_LOSS', losses.ask_hosts(cloud), now - 20000),
            ('RACK_LOSS', [answers.Sample(
                'nova_ext_servers_not_back', 2, ('rack', 'no_host')
            )], now),
        ):
            self.answers.put(
                answers.CloudQuestion[question], found, began, 1.5
            )
        self.answers.fail(
            answers.CloudQuestion.CAPACITY, answers.Failure.TIMEOUT
        )

    def write(self):
        """Record a decision of each kind."""
        with self.record.open('ab') as stream:
            for decision in DECISIONS:
                stream.write(shortening.to_line(decision, 65536))
            stream.write(drops.encode_drops(7))

    def has_counted(self):
        """Record more, and say whether all rates are known."""
        self.write()
        return all(map(self.prometheus.query, (
            'rate(nova_ext_mirror_fallbacks_total[5m]) > 0',
            'rate(nova_ext_decisions_total{driver="A"}[5m]) > 0',
            'rate(nova_ext_no_candidate_total[5m]) > 0',
        )))

    def test_queries(self):
        """Each panel has data; the alerts that are due wait or are raised."""
        self.prometheus.wait_until(self.has_counted)
        for query in prometheus.list_queries():
            self.assertNotEqual([], self.prometheus.query(query), query)
        self.assertEqual({'ok'}, self.prometheus.list_health())
        self.prometheus.wait_until(lambda: self.prometheus.list_alerts() >= {
            ('HostLossLeavesServers', None), ('RackLossLeavesServers', None),
            ('ServersCannotBeEvacuated', None), ('LossesTooOld', None),
            ('FlavorDoesNotFit', 'small'), ('FlavorRunsOut', 'small'),
            ('AskingFails', None), ('NoValidHost', None),
            ('DecisionsNotRecorded', None),
        })
        alerts = {name for name, _ in self.prometheus.list_alerts()}
        self.assertNotIn('CapacityTooOld', alerts)
        self.assertNotIn(
            ('FlavorDoesNotFit', 'large'), self.prometheus.list_alerts()
        )

    def test_names(self):
        """Promtool has nothing to say about names and texts."""
        url = f'http://127.0.0.1:{self.port}/metrics'
        with request.urlopen(url) as page:
            checked = subprocess.run(
                ['promtool', 'check', 'metrics'], check=False,
                input=page.read(), stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        self.assertEqual((0, b''), (checked.returncode, checked.stdout))
