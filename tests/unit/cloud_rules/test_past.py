"""Check rules against a journal, with made-up answers of its scheduler."""

import dataclasses
import tempfile
from pathlib import Path

import testtools

from nova_ext.cloud_rules import rules_file, verdicts
from nova_ext.cloud_rules.past import JournaledCloud
from nova_ext.core.decision import decision as d
from nova_ext.core.rpc.capacity import Capacity, ServerRange
from nova_ext.journal.moment import PARTIAL, PastCloud
from tests.unit.journal import samples, test_moment

AGGREGATE = {'nova_object.data': {
    'id': 1, 'uuid': 'u', 'name': 'gpu', 'hosts': ['b'],
    'metadata': {'availability_zone': 'z'},
}}


class Answers:
    """Decide that host a passes, and that b is rejected."""

    def __init__(self):
        self.requests = []
        self.notes = ['hosts are those of req-1']

    def simulate(self, moment, like, new_group=''):
        """Return the decision."""
        self.requests.append((like, new_group))
        servers = [f's{number}' for number in range(like.count)]
        return d.Decision(
            '2026', 'req', servers, outcome=d.PLACED, attempts=[d.Attempt(
                servers[0], 0, 2, [d.Step('F', 'filter', 2, 1, [
                    d.Rejection('no', 1, ['b'])
                ])], ranked=['a'], ranked_count=1,
            )], chosen={server: ['a'] for server in servers},
        ), self.notes

    def count(self, moment, like):
        """Return that four fit."""
        return Capacity(
            ServerRange(4, 4), hosts={'a': ServerRange(4, 4)},
            decision=self.simulate(moment, like)[0]
        ), self.notes

    def list_filters(self):
        """Return one."""
        return ['F']

    def list_multipliers(self):
        """Return one."""
        return {'RAMWeigher': 1.0}


class JournaledCloudTest(testtools.TestCase):
    """Each kind of rule."""

    def setUp(self):
        """Have a journal of two hosts, one of them in an aggregate."""
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        writer = samples.make_writer(self.folder)
        made = samples.make_decision(
            1, {'a': {'aggregates': []}, 'b': {'aggregates': [1]}},
            {1: AGGREGATE},
        )
        made.body.update(
            operation='first boot', spec=test_moment.make_spec()
        )
        writer.write(made)
        writer.close()
        self.answers = Answers()
        self.cloud = JournaledCloud(PastCloud([self.folder]), self.answers)

    def judge(self, text):
        """Return the answer about one rule, and why."""
        path = self.folder / 'rules.yaml'
        path.write_text(f'rules:\n- {{{text}}}\n')
        (verdict,) = verdicts.judge(
            rules_file.read(str(path), verdicts.SCHEMAS), self.cloud
        )
        return str(verdict.answer), verdict.why

    def test_answers(self):
        """What the journal knows is judged."""
        for text, answer in (
            ('flavor: small, passes on: at least 1 host', 'holds'),
            ('flavor: small, passes on: at least 2 hosts', 'fails'),
            ('flavor: small, passes on: no host, in aggregate: gpu', 'holds'),
            ('flavor: small, fits: at least 4 times', 'holds'),
            ('flavor: small, fits: at least 5 times', 'fails'),
            ('enabled filters include: [F]', 'holds'),
            ('enabled filters include: [G]', 'fails'),
            ('hosts: at most 50 %, are in no aggregate with: '
             'availability_zone', 'holds'),
            ('hosts: none, are in no aggregate with: availability_zone',
             'fails'),
        ):
            self.assertEqual(answer, self.judge(text)[0], text)

    def test_multipliers(self):
        """Those of then are compared with a file."""
        (self.folder / 'nova.conf').write_text(
            '[filter_scheduler]\nram_weight_multiplier = 2.0\n'
        )
        answer, why = self.judge(
            'every multiplier set in: [nova.conf], is: in force'
        )
        self.assertEqual('fails', answer)
        self.assertIn('RAMWeigher uses 1', why)

    def test_request(self):
        """A rule becomes a boot; a group is a new one."""
        self.judge(
            'flavor: small, fits: at least 3 times, with policy: '
            'anti-affinity, with hints: {h: v}, for project: p'
        )
        ((like, group),) = self.answers.requests
        self.assertEqual('anti-affinity', group)
        self.assertEqual(
            {'flavor': 'small', 'image': '', 'zone': '',
             'hints': {'h': ['v']}, 'project': 'p', 'count': 3},
            dataclasses.asdict(like),
        )

    def test_not_known(self):
        """What the journal lacks is never held to be so."""
        for text, why in (
            ('flavor: small, passes on: no host, room: ignored',
             'leave out "room: ignored"'),
            ('flavor: huge, passes on: no host', 'has flavor huge'),
            ('flavor: small, passes on: no host, in aggregate: x',
             'in the journal there is no aggregate x'),
        ):
            answer, text = self.judge(text)
            self.assertEqual('not known', answer)
            self.assertIn(why, text)
        self.answers.notes = [f'{PARTIAL}stats']
        for text in ('passes on: no host', 'fits: never'):
            answer, text = self.judge(f'flavor: small, {text}')
            self.assertEqual(
                ('not known', f'{PARTIAL}stats'), (answer, text)
            )

    def test_flavors(self):
        """A first file asks for those that were requested."""
        self.assertEqual({'small': {}}, self.cloud.flavors)
