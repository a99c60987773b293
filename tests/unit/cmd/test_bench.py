"""Run nova-ext bench plugin."""

import json

from tests.unit.cmd import base


class BenchTest(base.CommandTestCase):
    """Read what it prints."""

    def bench(self, *words, status=0):
        """Measure at few hosts, and return both streams."""
        ended, out, err = self.run_command('bench', 'plugin', *words)
        self.assertEqual(status, ended, err)
        return out, err

    def test_rows(self):
        """Print numbers for a program."""
        out, _ = self.bench(
            'SpecifiedHostFilter', '--hosts', '5', '--rounds', '1',
            '--against', 'IoOpsFilter', '-f', 'json',
        )
        ours, nova = json.loads(out)
        self.assertEqual(
            ('SpecifiedHostFilter', 5, 1.0),
            (ours['What'], ours['Hosts'], ours['Ratio']),
        )
        self.assertEqual('IoOpsFilter', nova['What'])
        self.assertGreater(nova['us a host'], 0)

    def test_for_a_person(self):
        """Print the table, the ratio's meaning, and where the time goes."""
        out, _ = self.bench(
            'SpecifiedHostFilter', '--hosts', '5', '--rounds', '1',
            '--against', 'IoOpsFilter', '--hint', 'requested_host=cmp-1',
        )
        self.assertIn('how many times as long SpecifiedHostFilter takes', out)
        self.assertRegex(out, r'%  check \(specified_host\.py:\d+\), 1 calls')
        self.assertNotIn('Nova is not installed', out)

    def test_refusals(self):
        """Refuse what makes no sense."""
        _, err = self.bench('IPSchedule', status=1)
        self.assertEqual(1, err.count('\n'), err)
        for words in (('--hosts', '0'), ('--hosts', 'x'), ('--hint', 'x')):
            self.bench('IPScheduler', *words, status=2)
