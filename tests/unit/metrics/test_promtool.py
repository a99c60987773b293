"""Prometheus' own word on the example dashboard and alerts."""

import json
import shutil
import subprocess
from pathlib import Path

import fixtures
import testtools
import yaml

from tests.unit.metrics.test_examples import EXAMPLES

#: What Grafana puts there.
RANGE = ('$__rate_interval', '5m')


class PromtoolTest(testtools.TestCase):
    """Its tool is in Debian's package of it."""

    def setUp(self):
        """Make a folder that goes away."""
        super().setUp()
        if not shutil.which('promtool'):
            self.skipTest('promtool is not installed')
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)

    def promtool(self, *words):
        """Run it; it is to succeed."""
        done = subprocess.run(
            ('promtool', *words), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=60, check=False,
        )
        self.assertEqual(0, done.returncode, done.stdout)
        return done.stdout

    def test_alerts_fire(self):
        """Of the scheduler that is in trouble, and not of the other."""
        played = yaml.safe_load(
            Path(__file__).with_name('alerts-fire.yaml').read_text()
        )
        played['rule_files'] = [str(EXAMPLES / 'alerts.yaml')]
        path = self.folder / 'played.yaml'
        path.write_text(yaml.safe_dump(played))
        self.assertIn('SUCCESS', self.promtool('test', 'rules', str(path)))
        rules = yaml.safe_load((EXAMPLES / 'alerts.yaml').read_text())
        self.assertEqual(
            {rule['alert'] for rule in rules['groups'][0]['rules']},
            {one['alertname'] for one in (
                played['tests'][0]['alert_rule_test']
            )},
        )

    def test_dashboard(self):
        """Prometheus reads the query of each panel."""
        made = json.loads((EXAMPLES / 'dashboard.json').read_text())
        queries = [
            target['expr'].replace(*RANGE)
            for panel in made['panels'] for target in panel['targets']
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
