"""Verdicts, where answers are incomplete; labs make the situations."""

import pathlib
from xml.etree import ElementTree

import fixtures

from nova_ext.cloud_rules import junit, rules_file, verdicts
from nova_ext.cloud_rules.kinds import passes
from nova_ext.cloud_rules.scheduler import UnknownError
from nova_ext.core.base.finding import Location
from tests.unit.cloud_rules import base
from tests.unit.cloud_rules.base import HOSTS, explain, row

MULTIPLIERS = {
    'RAMWeigher': 1.0, 'GpuOnlyWeigher': 100.0, 'MetricsWeigher': None,
    'SpecifiedHostWeigher': 5.0,
}


class VerdictTest(base.CloudTestCase):
    """Judge rules by answers that a scheduler gives."""

    def setUp(self):
        """Have a folder beside the cloud."""
        super().setUp()
        self.scheduler.list_multipliers = lambda: MULTIPLIERS
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)

    def judge(self, key, **fields):
        """Return the verdict on a rule."""
        fields = {name.replace('_', ' '): value
                  for name, value in fields.items()}
        rule = rules_file.CloudRule(
            key, {**fields}, Location(str(self.folder / 'rules.yaml'), 2)
        )
        (self.verdict,) = verdicts.judge([rule], self.cloud)
        return str(self.verdict.answer), self.verdict.why

    def passes(self, explanation, passes_on, **fields):
        """Judge on how many hosts a flavor passes."""
        self.scheduler.simulate = lambda request, changes: explanation
        return self.judge('passes on', passes_on=passes_on, **fields)

    def test_reasons(self):
        """Why hosts do not pass is said in explain's words, grouped."""
        explanation = explain(
            row('chosen', 1, 'cmp-1'),
            row('rejected', 2, 'cmp-2', 'cmp-3', stage='ComputeFilter',
                reason='is down'),
            row('rejected', 2, 'cmp-4', 'cmp-5', stage='placement',
                reason='no candidate', reasons={'cmp-4': 'no candidate 4'}),
            asked_again={'left_out': [
                {'lacks': ['lacks VCPU', 'is disabled'], 'hosts': ['cmp-5']},
            ]},
        )
        self.assertEqual(('holds', ''), self.passes(
            explanation, 'at least 1 host'
        ))
        self.assertEqual(('fails', (
            '1 of 5 hosts passes; ComputeFilter: is down (cmp-2, cmp-3); '
            'placement: no candidate 4 (cmp-4); placement: lacks VCPU and is '
            'disabled (cmp-5)'
        )), self.passes(explanation, 'at least 2 hosts'))
        self.assertEqual(
            ('fails', '1 of 5 hosts passes: cmp-1'),
            self.passes(explanation, 'no host'),
        )
        self.assertEqual(('holds', ''), self.passes(
            explanation, 'no host', in_aggregate='gpu'
        ))
        answer, why = self.passes(explanation, 'no host', in_aggregate='gbu')
        self.assertEqual('not known', answer)
        self.assertIn('there is no aggregate gbu; available: gpu', why)

    def test_unnamed(self):
        """Hosts that pass are known where all others are named."""
        rejected = row('rejected', 1, 'cmp-1', stage='F', reason='no')
        known = passes.read(
            explain(row('passed', 4), rejected), frozenset(HOSTS)
        )
        self.assertEqual(set(HOSTS) - {'cmp-1'}, known.passing)
        self.assertRaises(UnknownError, passes.read, explain(
            row('passed', 2, 'cmp-1'), row('passed', 1), row('rejected', 2)
        ), HOSTS)
        self.assertEqual('not known', self.passes(
            explain(row('passed', 1, 'cmp-1'), row('rejected', 4)),
            'no host', in_aggregate='gpu',
        )[0])

    def test_no_answer(self):
        """A request that failed says nothing of hosts."""
        for explanation in (
            explain(outcome='failed'),
            explain(outcome='no valid host', placement={'answered': False}),
        ):
            self.assertEqual(
                ('not known', 'so it is'), self.passes(explanation, 'no host')
            )

    def fits(self, least, most, fits, **fields):
        """Judge how many servers fit."""
        self.scheduler.capacity = lambda request: {
            'total': {'least': least, 'most': most}, 'bounded': False,
            'unknown': False, 'full': {'VCPU': 2}, 'decision': None, **fields,
        }
        return self.judge('fits', fits=fits)

    def test_fits(self):
        """A number that depends on chance may be too small to tell."""
        self.assertEqual('holds', self.fits(3, 5, 'at least 3 times')[0])
        self.assertEqual(
            ('not known', '3 to 5 more fit; first runs out VCPU on 2 hosts'),
            self.fits(3, 5, 'at least 4 times'),
        )
        self.assertEqual('fails', self.fits(3, 5, 'at most 2 times')[0])
        self.assertEqual(
            'not known', self.fits(9, 9, 'at most 20 times', bounded=True)[0]
        )
        answer, why = self.fits(
            0, 0, 'at least 1 time', decision={'sentence': '0/5 hosts'}
        )
        self.assertEqual('fails', answer)
        self.assertTrue(why.endswith('; 0/5 hosts'), why)
        self.assertEqual(('not known', 'deciding failed'), self.fits(
            0, 0, 'never', unknown=True
        ))

    def test_outside(self):
        """Hosts in no aggregate with a key are counted, and named."""
        key = 'are in no aggregate with'
        rule = {'are_in_no_aggregate_with': 'gpu'}
        for hosts in ('at most 4', 'at least 80 %'):
            self.assertEqual(
                ('holds', ''), self.judge(key, hosts=hosts, **rule)
            )
        self.assertEqual(
            ('fails', '4 of 5 hosts are in no aggregate with gpu: cmp-1, '
                      'cmp-2, cmp-3, cmp-4'),
            self.judge(key, hosts='none', **rule),
        )
        rule = {'are_in_no_aggregate_with': 'ssd'}
        self.assertEqual('holds', self.judge(key, hosts='all', **rule)[0])

    def test_group(self):
        """A policy that no filter keeps is no group that fits."""
        self.scheduler.simulate = lambda request, changes: explain(
            chosen={'a': ['cmp-1'], 'b': ['cmp-1']}
        )
        policy = {'fits': 'at least 2 times', 'with_policy': 'anti-affinity'}
        answer, why = self.judge('fits', **policy)
        self.assertEqual('fails', answer)
        self.assertIn('no enabled filter keeps the policy: 2 servers would '
                      'be on 1 host, cmp-1', why)
        self.assertIn(
            'a group of 1 to', self.judge(
                'fits', **policy | {'fits': 'at least 0 times'}
            )[1],
        )
        policy['with_policy'] = 'affinity'
        self.assertEqual('holds', self.judge('fits', **policy)[0])
        self.scheduler.simulate = lambda request, changes: explain(
            chosen={}, outcome='no valid host'
        )
        self.assertEqual(
            ('fails', 'so it is'), self.judge('fits', **policy)
        )

    def test_multipliers(self):
        """Compare with weighers by Nova's names, nova-ext's and a key's."""
        (self.folder / 'a.conf').write_text(
            '[filter_scheduler]\nram_weight_multiplier = 1\n'
            'gpu_only_weight_multiplier = 100\n'
            '[nova_ext_specified_host]\nweight_multiplier = 5\n'
        )
        (self.folder / 'b.yaml').write_text(
            'filter_scheduler:\n  ram_weight_multiplier: 2.0\n'
            '  absent_weight_multiplier: 1\n'
            'metrics: {weight_multiplier: 3}\n'
        )
        key = 'every multiplier set in'
        files = {'every_multiplier_set_in': ['a.conf']}
        self.assertEqual(('holds', ''), self.judge(key, **files))
        files['every_multiplier_set_in'].append('b.yaml')
        answer, why = self.judge(key, **files)
        self.assertEqual('fails', answer)
        for part in (
            'b.yaml:3): no weigher that runs reads it',
            'b.yaml:2): RAMWeigher uses 1',
            'b.yaml:4): what MetricsWeigher uses is not known',
        ):
            self.assertIn(part, why)
        files['every_multiplier_set_in'] = ['none.conf']
        self.assertEqual('not known', self.judge(key, **files)[0])

    def test_junit(self):
        """A rule is a test case; one that is not known is an error."""
        judged = []
        for name in ('ComputeFilter', 'Gpu\x1bFilter'):
            self.judge('enabled filters include',
                       enabled_filters_include=[name])
            judged.append(self.verdict)
        self.fits(0, 0, 'never', unknown=True)
        path = self.folder / 'out.xml'
        junit.write(path, [*judged, self.verdict])
        suite = ElementTree.parse(path).getroot()  # noqa: S314  our own
        self.assertEqual(
            ('3', '1', '1'),
            tuple(suite.get(name) for name in ('tests', 'failures', 'errors')),
        )
        self.assertEqual(
            [[], ['failure'], ['error']],
            [[each.tag for each in case] for case in suite],
        )
