"""Test the example dashboards and alerts."""

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

from nova_ext.metrics import answers
from nova_ext.metrics.exporter import DecisionMetrics

SOURCE = Path(__file__).parents[3]
EXAMPLES = SOURCE / 'etc' / 'nova_ext' / 'prometheus'
DASHBOARDS = {
    path.name: json.loads(path.read_text()) for path in EXAMPLES.glob('*.json')
}
RULES = {
    path.name: yaml.safe_load(path.read_text())['groups'][0]['rules']
    for path in EXAMPLES.glob('*.yaml')
}
#: What promtool plays of the rules of each file.
PLAYED = {
    'alerts.yaml': 'alerts-fire.yaml', 'capacity.yaml': 'capacity-fires.yaml',
}
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
    } | answers.METRICS.keys()


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
        rules = [rule for group in RULES.values() for rule in group]
        for rule in rules:
            self.assert_query(rule['expr'])
            self.assertIn(rule['labels']['severity'], ('warning', 'critical'))
            self.assertEqual(
                {'summary', 'description'}, set(rule['annotations'])
            )
        self.assertEqual(
            len(rules), len({rule['alert'] for rule in rules})
        )

    def test_documented(self):
        """Describe each metric on the page, and no other."""
        page = (SOURCE / 'doc/source/user/metrics.rst').read_text()
        counted = CollectorRegistry()
        DecisionMetrics(counted)
        names = {
            metric.name + {'counter': '_total'}.get(metric.type, '')
            for metric in counted.collect()
        } | answers.METRICS.keys()
        described = re.findall(
            r'\* - ``(nova_ext_\w+)(?:\{([\w,]+)\})?``', page
        )
        self.assertEqual(sorted(names), sorted(name for name, _ in described))
        for name, labels in described:
            if name in answers.METRICS:
                self.assertEqual(','.join(answers.METRICS[name][1]), labels)

    def test_dashboard(self):
        """Parse each panel's queries; let no panels overlap."""
        for example in DASHBOARDS.values():
            self.check_panels(example['panels'])

    def check_panels(self, panels):
        """Check the panels of one dashboard."""
        places = set()
        for panel in panels:
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
        for example in DASHBOARDS.values():
            read = dashboard.Dashboard.from_json(example)
            self.assert_within(
                example, json.loads(JSONEncoder().encode(read))
            )

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
        for example in DASHBOARDS.values():
            variables = [one['name'] for one in example['templating']['list']]
            self.assertEqual(['datasource', 'instance'], variables[:2])


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
        self.assertEqual(PLAYED.keys(), RULES.keys())
        for rules, play in PLAYED.items():
            played = yaml.safe_load(
                Path(__file__).with_name(play).read_text()
            )
            played['rule_files'] = [str(EXAMPLES / rules)]
            path = self.folder / play
            path.write_text(yaml.safe_dump(played))
            self.assertIn(
                'SUCCESS', self.promtool('test', 'rules', str(path))
            )
            self.assertEqual(
                {rule['alert'] for rule in RULES[rules]},
                {one['alertname'] for one in (
                    played['tests'][0]['alert_rule_test']
                )},
            )

    def test_dashboard(self):
        """Have Prometheus read the query of each panel."""
        queries = [
            target['expr'].replace(*RANGE)
            for example in DASHBOARDS.values()
            for panel in example['panels'] for target in panel['targets']
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
