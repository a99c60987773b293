"""What a first file says holds of the cloud that it was written for."""

import io
import pathlib

import fixtures

from nova_ext.cloud_rules import first_file, rules_file, verdicts
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.doctor.model import Aggregate
from tests.unit.cloud_rules import base
from tests.unit.cloud_rules.base import explain, row


class FirstFileTest(base.CloudTestCase):
    """Write it for flavors whose explanations are known."""

    def setUp(self):
        """Name a file that is not there, and simulate by the flavor."""
        super().setUp()
        self.path = pathlib.Path(
            self.useFixture(fixtures.TempDir()).join('rules.yaml')
        )
        self.explanations = {}
        self.changes = []

        def simulate(request, changes):
            self.changes.append(changes)
            answer = self.explanations[request['flavor']]
            if isinstance(answer, NovaExtError):
                raise answer
            return answer

        self.scheduler.simulate = simulate

    def write(self, **explanations):
        """Write the file for flavors; return its rules and its comments."""
        self.explanations = explanations
        self.facts.flavors = {name: {} for name in explanations}
        count = first_file.write(
            self.path, self.cloud, Progress(io.StringIO())
        )
        self.rules = rules_file.read(str(self.path), verdicts.SCHEMAS)
        self.assertEqual(count, len(self.rules))
        return [rule.fields for rule in self.rules], [
            line for line in self.path.read_text().splitlines()
            if line.startswith('# flavor')
        ]

    def test_holds(self):
        """All that it says holds at once, with room ignored."""
        self.facts.aggregates += [
            Aggregate('v', 'az-1', frozenset(base.HOSTS[1:4]), {
                'availability_zone': 'one',
            }),
            Aggregate('w', 'empty', frozenset(), {'ssd': 'yes'}),
            Aggregate('x', 'fast', frozenset(['cmp-1']), {'ssd': 'yes'}),
        ]
        rules, comments = self.write(small=explain(
            row('chosen', 1, 'cmp-1'),
            row('rejected', 4, *base.HOSTS[1:], stage='F', reason='no'),
        ), big=explain(
            row('chosen', 2, 'cmp-1', 'cmp-5'),
            row('rejected', 3, *base.HOSTS[1:4], stage='F', reason='no'),
        ))
        self.assertEqual([
            {'enabled filters include': ['ComputeFilter']},
            {'hosts': 'at most 40 %',
             'are in no aggregate with': 'availability_zone'},
            {'flavor': 'big', 'passes on': 'at least 1 host',
             'room': 'ignored'},
            {'flavor': 'small', 'passes on': 'at least 1 host',
             'room': 'ignored'},
            {'flavor': 'small', 'passes on': 'no host',
             'in aggregate': 'gpu', 'room': 'ignored'},
        ], rules)
        self.assertEqual([], comments)
        self.assertEqual([{'ignore_room': True}] * 2, self.changes)
        self.assertEqual({'holds'}, {
            str(verdict.answer)
            for verdict in verdicts.judge(self.rules, self.cloud)
        })

    def test_zones(self):
        """Hosts without a zone are a share, or none; or nothing is said."""
        self.facts.hypervisors = self.facts.hypervisors[:3]
        for hosts, said in (
            # Two of three are 66.7 %.
            ([], []), (['cmp-1'], ['at most 67 %']), (base.HOSTS, ['none']),
        ):
            self.facts.aggregates = [Aggregate(
                'v', 'az', frozenset(hosts), {'availability_zone': 'one'}
            )]
            self.path.unlink(missing_ok=True)
            rules, _ = self.write()
            self.assertEqual(said, [rule['hosts'] for rule in rules[1:]])
            for verdict in verdicts.judge(self.rules, self.cloud):
                self.assertEqual('holds', str(verdict.answer), verdict)

    def test_left_out(self):
        """What is not known, or passes nowhere, is a comment."""
        rejected = row('rejected', 5, *base.HOSTS, stage='F', reason='no')
        rules, comments = self.write(
            nowhere=explain(rejected, outcome='no valid host'),
            silent=NovaExtError('no scheduler\nanswers'),
            unnamed=explain(
                row('chosen', 1, 'cmp-1'),
                row('rejected', 4, 'cmp-2', stage='F', reason='no'),
            ),
        )
        self.assertEqual(
            [{'enabled filters include': ['ComputeFilter']}], rules
        )
        self.assertEqual([
            '# flavor nowhere passes on no host: so it is',
            '# flavor silent is left out: no scheduler answers',
            '# flavor unnamed is left out: not all hosts are named in the '
            'answer',
        ], comments)

    def test_refused(self):
        """It replaces no file, and says why it can't be written."""
        self.path.write_text('mine')
        error = self.assertRaises(NovaExtError, self.write)
        self.assertEqual(
            f'{self.path} is there already; name another file', str(error)
        )
        self.assertEqual('mine', self.path.read_text())
        self.path = self.path.parent / 'none' / 'rules.yaml'
        error = self.assertRaises(NovaExtError, self.write)
        self.assertEqual(
            f'{self.path} can\'t be written: No such file or directory',
            str(error),
        )
