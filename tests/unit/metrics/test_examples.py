"""Test the example dashboard and alerts."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import fixtures
import promql_parser
import testtools
import yaml
from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import dashboard
from prometheus_client import CollectorRegistry

from nova_ext.metrics.exporter import DecisionMetrics

EXAMPLES = Path(__file__).parents[3] / 'etc' / 'nova_ext' / 'prometheus'
DASHBOARD = json.loads((EXAMPLES / 'dashboard.json').read_text())
RULES = yaml.safe_load(
    (EXAMPLES / 'alerts.yaml').read_text()
)['groups'][0]['rules']
NAME = re.compile(r'\bnova_ext_\w+')
#: What Grafana puts there.
RANGE = ('$__rate_interval', '5m')


def exported():
    """Return the names that Prometheus knows."""
    registry = CollectorRegistry()
    DecisionMetrics(registry)
    ends = {'counter': ('_total',), 'gauge': ('',),
            'histogram': ('_bucket', '_sum', '_count')}
    return {
        metric.name + end
        for metric in registry.collect() for end in ends[metric.type]
    }


class ExamplesTest(testtools.TestCase):
    """Query metrics that are exported, in PromQL."""

    def assert_query(self, text):
        """Assert that a query parses, and that its metrics are exported."""
        promql_parser.parse(text.replace(*RANGE))
        names = set(NAME.findall(text))
        self.assertTrue(names)
        self.assertEqual(set(), names - exported())

    def test_alerts(self):
        """Give each rule a severity, a summary and a description."""
        for rule in RULES:
            self.assert_query(rule['expr'])
            self.assertIn(rule['labels']['severity'], ('warning', 'critical'))
            self.assertEqual(
                {'summary', 'description'}, set(rule['annotations'])
            )
        self.assertEqual(
            len(RULES), len({rule['alert'] for rule in RULES})
        )

    def test_dashboard(self):
        """Parse each panel's queries; let no panels overlap."""
        places = set()
        for panel in DASHBOARD['panels']:
            for target in panel['targets']:
                self.assert_query(target['expr'])
            at = panel['gridPos']
            cells = {
                (at['x'] + x, at['y'] + y)
                for x in range(at['w']) for y in range(at['h'])
            }
            self.assertEqual(set(), cells & places)
            places |= cells

    def test_grafana(self):
        """Lose nothing of the dashboard in Grafana's own library."""
        plugins.register_default_plugins()
        read = dashboard.Dashboard.from_json(DASHBOARD)
        self.assert_within(DASHBOARD, json.loads(JSONEncoder().encode(read)))

    def assert_within(self, part, whole):
        """Assert that data is in another, which may have more fields."""
        if isinstance(part, dict):
            for name, value in part.items():
                self.assertIn(name, whole)
                self.assert_within(value, whole[name])
        elif isinstance(part, list):
            self.assertEqual(len(part), len(whole))
            for one, other in zip(part, whole, strict=True):
                self.assert_within(one, other)
        else:
            self.assertEqual(part, whole)

    def test_variables(self):
        """Offer a data source and an instance at the top."""
        variables = [one['name'] for one in DASHBOARD['templating']['list']]
        self.assertEqual(['datasource', 'instance'], variables)


class PromtoolTest(testtools.TestCase):
    """Check the examples with Prometheus' own tool."""

    def setUp(self):
        """Create a folder."""
        super().setUp()
        if not shutil.which('promtool'):
            self.skipTest('promtool is not installed')
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)

    def promtool(self, *words):
        """Run it; assert that it succeeds."""
        done = subprocess.run(
            ('promtool', *words), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=60, check=False,
        )
        self.assertEqual(0, done.returncode, done.stdout)
        return done.stdout

    def test_alerts_fire(self):
        """Fire for the scheduler in trouble, and not for the other."""
        played = yaml.safe_load(
            Path(__file__).with_name('alerts-fire.yaml').read_text()
        )
        played['rule_files'] = [str(EXAMPLES / 'alerts.yaml')]
        path = self.folder / 'played.yaml'
        path.write_text(yaml.safe_dump(played))
        self.assertIn('SUCCESS', self.promtool('test', 'rules', str(path)))
        self.assertEqual(
            {rule['alert'] for rule in RULES},
            {one['alertname'] for one in (
                played['tests'][0]['alert_rule_test']
            )},
        )

    def test_dashboard(self):
        """Have Prometheus read the query of each panel."""
        queries = [
            target['expr'].replace(*RANGE)
            for panel in DASHBOARD['panels'] for target in panel['targets']
        ]
        path = self.folder / 'queries.yaml'
        path.write_text(yaml.safe_dump({'groups': [{'name': 'all', 'rules': [
            {'record': f'query:{number}', 'expr': query}
            for number, query in enumerate(queries)
        ]}]}))
        self.assertIn(
            f'{len(queries)} rules found',
            self.promtool('check', 'rules', str(path)),
        )
