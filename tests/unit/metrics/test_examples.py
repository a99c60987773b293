"""The example dashboard and alerts."""

import json
import re
from pathlib import Path

import promql_parser
import testtools
import yaml
from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import dashboard
from prometheus_client import CollectorRegistry

from nova_ext.metrics.counted import Counted

EXAMPLES = Path(__file__).parents[3] / 'etc' / 'nova_ext' / 'prometheus'
NAME = re.compile(r'\bnova_ext_\w+')


def exported():
    """Names that Prometheus knows."""
    registry = CollectorRegistry()
    Counted(registry)
    ends = {'counter': ('_total',), 'gauge': ('',),
            'histogram': ('_bucket', '_sum', '_count')}
    return {
        metric.name + end
        for metric in registry.collect() for end in ends[metric.type]
    }


class ExamplesTest(testtools.TestCase):
    """They ask for what is there, in PromQL."""

    def assert_query(self, text):
        """A query can be read, and its metrics are exported."""
        promql_parser.parse(text.replace('$__rate_interval', '5m'))
        names = set(NAME.findall(text))
        self.assertTrue(names)
        self.assertEqual(set(), names - exported())

    def test_alerts(self):
        """Each rule has what Prometheus and a person want."""
        text = (EXAMPLES / 'alerts.yaml').read_text()
        rules = yaml.safe_load(text)['groups'][0]['rules']
        for rule in rules:
            self.assert_query(rule['expr'])
            self.assertIn(rule['labels']['severity'], ('warning', 'critical'))
            self.assertEqual(
                {'summary', 'description'}, set(rule['annotations'])
            )
        self.assertEqual(
            len(rules), len({rule['alert'] for rule in rules})
        )

    def test_dashboard(self):
        """Each panel's queries, and panels that do not overlap."""
        made = json.loads((EXAMPLES / 'dashboard.json').read_text())
        places = set()
        for panel in made['panels']:
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
        """Grafana's own library reads the dashboard, and loses none of it."""
        made = json.loads((EXAMPLES / 'dashboard.json').read_text())
        plugins.register_default_plugins()
        read = dashboard.Dashboard.from_json(made)
        self.assert_within(made, json.loads(JSONEncoder().encode(read)))

    def assert_within(self, part, whole):
        """All of plain data is in another, which may have more fields."""
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
        """What a person may choose at the top."""
        made = json.loads((EXAMPLES / 'dashboard.json').read_text())
        variables = [one['name'] for one in made['templating']['list']]
        self.assertEqual(['datasource', 'instance'], variables)
