"""Run the example dashboards and alerts in a real Prometheus."""

import json
import shutil
import socket
import subprocess
from pathlib import Path
from urllib import parse, request

import fixtures
import yaml

from nova_ext.lab.services import servers
from tests.lab.exporting import Exporter
from tests.lab.test_metrics import FLAVOR, MetricsTestCase

EXAMPLES = Path(__file__).parents[2] / 'etc' / 'nova_ext' / 'prometheus'
#: What Grafana puts there.
VALUES = {
    '$__rate_interval': '5m', '$instance': '.*', '$flavor': '.*',
}


class PrometheusTest(MetricsTestCase):
    """Three hosts with room for two servers each, all of it taken."""

    up = ('--computes', *(f'cmp-{n}:ram_mb=1536' for n in (1, 2, 3)))

    def setUp(self):
        """Start exporters and Prometheus, with all example rules."""
        super().setUp()
        if not shutil.which('prometheus'):
            self.skipTest('prometheus is not installed')
        self.add_rack('a', 'cmp-1', 'cmp-2')
        self.exporter = Exporter(
            self, '--os-cloud', 'admin', '--flavors', FLAVOR, 'm1.large',
            '--interval', '1', '--loss-interval', '1', '--rack-key', 'rack',
        )
        # This user is no operator.
        self.refused = Exporter(self, '--no-record', '--os-cloud', 'demo')
        self.url = self.start_prometheus()

    def start_prometheus(self):
        """Start it on a free port of the loopback; return its address."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'prometheus.yml').write_text(yaml.safe_dump({
            'global': {'scrape_interval': '1s', 'evaluation_interval': '1s'},
            'rule_files': list(map(str, EXAMPLES.glob('*.yaml'))),
            'scrape_configs': [{
                'job_name': 'nova-ext', 'static_configs': [{'targets': [
                    each.url.removeprefix('http://')
                    for each in (self.exporter, self.refused)
                ]}],
            }],
        }))
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            address = f'127.0.0.1:{probe.getsockname()[1]}'
        process = subprocess.Popen([
            'prometheus', f'--config.file={folder}/prometheus.yml',
            f'--storage.tsdb.path={folder}/data',
            f'--web.listen-address={address}', '--log.level=error',
        ], stdin=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        return f'http://{address}'

    def ask(self, path, **query):
        """Return what Prometheus answers."""
        with request.urlopen(  # noqa: S310  our own
            f'{self.url}/api/v1/{path}?{parse.urlencode(query)}'
        ) as answer:
            body = json.load(answer)
        self.assertEqual('success', body['status'])
        return body['data']

    def has_loss(self):
        """Say whether Prometheus knows that a loss would cost servers."""
        try:
            return self.ask(
                'query', query='nova_ext_servers_not_back{loss="host"} > 0'
            )['result']
        except OSError:  # it is starting
            return False

    def test_queries(self):
        """Each panel has data, and the alerts that are due are raised."""
        self.boot_all(*(f's{number}' for number in range(6)))
        large = servers.boot(self.cloud(), 'large', flavor='4')
        self.assertEqual('ERROR', large['status'])
        self.exporter.wait_for('capacity', 'empty_cloud', 'rack_loss')
        self.wait_until(self.has_loss)
        for dashboard in EXAMPLES.glob('*.json'):
            for panel in json.loads(dashboard.read_text())['panels']:
                for target in panel['targets']:
                    self.check_query(target['expr'])
        rules = [
            rule for group in self.ask('rules')['groups']
            for rule in group['rules']
        ]
        self.assertEqual({'ok'}, {rule['health'] for rule in rules})
        # m1.large fits into no empty host: that is nobody's alarm.
        self.wait_until(lambda: self.list_alerts() >= {
            ('HostLossLeavesServers', None), ('RackLossLeavesServers', None),
            ('FlavorDoesNotFit', FLAVOR), ('FlavorRunsOut', FLAVOR),
            ('AskingFails', None),
        })
        self.assertNotIn(
            ('FlavorDoesNotFit', 'm1.large'), self.list_alerts()
        )
        self.assertEqual(1, self.refused.read()[
            'nova_ext_asking_fails', 'capacity', 'unauthorized'
        ])
        self.check_names()

    def list_alerts(self):
        """Return the alerts that wait or are raised, with their flavors."""
        return {
            (alert['labels']['alertname'], alert['labels'].get('flavor'))
            for alert in self.ask('alerts')['alerts']
        }

    def check_query(self, query):
        """Run a query; it has a result."""
        for name, value in VALUES.items():
            query = query.replace(name, value)
        result = self.ask('query', query=query)['result']
        # The lab has no mirror, and nothing went wrong there.
        if not any(word in query for word in ('mirror', 'dropped')):
            self.assertNotEqual([], result, query)

    def check_names(self):
        """Check names and texts of the real page with promtool."""
        checked = subprocess.run(
            ['promtool', 'check', 'metrics'], check=False, text=True,
            input=self.exporter.read_text(), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.assertEqual((0, ''), (checked.returncode, checked.stdout))
