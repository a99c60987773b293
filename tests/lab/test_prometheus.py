"""Run the example dashboards and alerts on metrics of a lab."""

import subprocess

from nova_ext.lab.services import servers
from tests import prometheus
from tests.lab.exporting import Exporter
from tests.lab.test_metrics import FLAVOR, MetricsTestCase


class PrometheusTest(MetricsTestCase):
    """Three hosts with room for two servers each, all of it taken."""

    up = ('--computes', *(f'cmp-{n}:ram_mb=1536' for n in (1, 2, 3)))

    def setUp(self):
        """Start exporters and Prometheus, with all example rules."""
        super().setUp()
        if not prometheus.is_installed():
            self.skipTest('prometheus is not installed')
        self.add_rack('a', 'cmp-1', 'cmp-2')
        self.exporter = Exporter(
            self, '--os-cloud', 'admin', '--flavors', FLAVOR, 'm1.large',
            '--interval', '1', '--loss-interval', '1', '--rack-key', 'rack',
        )
        # This user is no operator.
        self.refused = Exporter(self, '--no-record', '--os-cloud', 'demo')
        self.prometheus = self.useFixture(prometheus.Prometheus(*(
            each.url.removeprefix('http://')
            for each in (self.exporter, self.refused)
        )))

    def test_queries(self):
        """Each panel has data, and the alerts that are due are raised."""
        self.boot_all(*(f's{number}' for number in range(6)))
        large = servers.boot(self.cloud(), 'large', flavor='4')
        self.assertEqual('ERROR', large['status'])
        self.exporter.wait_for('capacity', 'empty_cloud', 'rack_loss')
        self.wait_until(lambda: self.prometheus.query(
            'nova_ext_servers_not_back{loss="host"} > 0'
        ))
        for query in prometheus.list_queries():
            result = self.prometheus.query(query)
            # The lab has no mirror.
            if 'mirror' not in query:
                self.assertNotEqual([], result, query)
        self.assertEqual({'ok'}, self.prometheus.list_health())
        self.wait_until(lambda: self.prometheus.list_alerts() >= {
            ('HostLossLeavesServers', None), ('RackLossLeavesServers', None),
            ('FlavorDoesNotFit', FLAVOR), ('FlavorRunsOut', FLAVOR),
            ('AskingFails', None),
        })
        # It fits into no empty host: that is nobody's alarm.
        self.assertNotIn(
            ('FlavorDoesNotFit', 'm1.large'), self.prometheus.list_alerts()
        )
        self.assertEqual(1, self.refused.read()[
            'nova_ext_asking_fails', 'capacity', 'unauthorized'
        ])
        self.check_names()

    def check_names(self):
        """Check names and texts of the real page with promtool."""
        checked = subprocess.run(
            ['promtool', 'check', 'metrics'], check=False, text=True,
            input=self.exporter.read_text(), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.assertEqual((0, ''), (checked.returncode, checked.stdout))
