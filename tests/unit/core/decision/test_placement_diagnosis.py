"""Tell placement's later answers of decisions."""

import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as d
from nova_ext.core.decision import left_out_hosts, placement_answer
from nova_ext.core.decision import placement_diagnosis as p

AT = '2026-11-21T12:00:00.000Z'
QUERY = 'limit=2&resources=VCPU%3A1'


class DecisionTest(testtools.TestCase):
    """Two hosts of five were offered, and a filter rejected both."""

    def decision(self, **fields):
        """Return the decision; it took 1.5 s."""
        return d.Decision(**{
            'at': AT, 'request_id': 'req-1', 'servers': ['s'],
            'by': {'mode': Mode.SCHEDULER.value, 'host': 'ctl-1'},
            'placement': d.Placement(QUERY, 2, 2, offered='x'),
            'hosts_total': 5, 'outcome': d.NO_VALID_HOST, 'seconds': 1.5,
            'absent': d.Rejection('no candidate from placement', 3),
            'attempts': [d.Attempt('s', 0, 2)], **fields,
        })

    def diagnosis(self, at='12:00:03', **fields):
        """Return a diagnosis of it."""
        return d.PlacementDiagnosis(**{
            'at': f'2026-11-21T{at}Z', 'query': QUERY, 'scheduler': 'ctl-1',
            'offered': 'x', 'left_out': [d.LeftOut(['lacks VCPU'], 3)],
            **fields,
        })

    def test_needed(self):
        """Where a failure left hosts out, and its roots are known."""
        for needed, fields in (
            (True, {}),
            (True, {'placement': d.Placement('q', 0, offered='x')}),
            (True, {'outcome': d.FAILED}),
            (True, {'absent': None, 'kept_out': [d.Rejection('zone', 1)]}),
            (False, {'outcome': d.PLACED}),
            (False, {'outcome': d.PASSED}),
            (False, {'placement': None}),
            (False, {'placement': d.Placement('q', 0)}),
            (True, {'placement': d.Placement('q r', 2, 2, 0, offered='x')}),
            (False, {'placement': d.Placement('q', 2, 2, 0, offered='x')}),
            (False, {'placement': d.Placement(
                'q', 0, answered=False, offered='x'
            )}),
            (False, {'absent': d.Rejection('none', 0)}),
            (False, {'absent': None}),
            (False, {'by': {'mode': Mode.PLUGIN.value}}),
        ):
            self.assertEqual(
                needed, placement_answer.needs_diagnosis(
                    self.decision(**fields)
                ), fields,
            )

    def test_applies(self):
        """Only after the decision's end, by the same clock, and soon."""
        for applies, at, fields in (
            (True, '12:00:03', {}), (True, '12:00:01.500', {}),
            (False, '12:00:01.499', {}), (False, '11:59:59', {}),
            (True, '12:05:01', {}), (False, '12:05:02', {}),
            (False, '12:00:03', {'query': 'limit=2&resources=VCPU%3A2'}),
            (False, '12:00:03', {'scheduler': 'ctl-2'}),
            (False, '12:00:03', {'offered': ''}),
            (False, 'once', {}),
        ):
            self.assertEqual(
                applies, p.applies_to(
                    self.diagnosis(at, **fields), self.decision()
                ), (at, fields),
            )
        for at in ('once', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'):
            self.assertFalse(
                p.applies_to(self.diagnosis(), self.decision(at=at)), at
            )

    def test_added(self):
        """With its time since the decision."""
        decision = self.decision()
        p.add_diagnosis(decision, self.diagnosis())
        self.assertEqual(
            self.diagnosis(after_s=1.5), decision.asked_again
        )

    def test_changed(self):
        """Nothing else is told where placement offers others."""
        decision = self.decision()
        p.add_diagnosis(decision, self.diagnosis(offered='y'))
        self.assertEqual(
            self.diagnosis(
                offered='y', after_s=1.5, changed=True, left_out=[]
            ), decision.asked_again,
        )

    def test_late(self):
        """Hosts whose generation was noted before, and is the same, alone."""
        late = self.diagnosis('12:02:00', left_out=[
            d.LeftOut(['lacks VCPU'], 3, ['a', 'b', 'c'], [4, 5, 6]),
            d.LeftOut(['is disabled'], 1, ['e'], [9]),
        ])
        before = self.diagnosis('11:59:00', left_out=[
            d.LeftOut(['lacks VCPU'], 4, ['a', 'b', 'd', 'e'], [4, 4, 6, 8]),
        ])
        decision = self.decision()
        p.add_diagnosis(decision, late, before)
        self.assertEqual([
            d.LeftOut(['lacks VCPU'], 1, ['a']),
            d.LeftOut([p.MAY_HAVE_CHANGED], 3),
        ], decision.asked_again.left_out)
        for other in None, self.diagnosis('11:59:00'):
            p.add_diagnosis(decision, late, other)
            self.assertEqual(
                (True, []),
                (decision.asked_again.changed, decision.asked_again.left_out),
            )
        self.assertTrue(p.precedes(before, decision))
        self.assertFalse(p.precedes(late, decision))

    def test_past(self):
        """Ask of a success and of a failure, at any time after it."""
        for outcome in (d.PLACED, d.NO_VALID_HOST):
            decision, asked = self.decision(outcome=outcome), []

            def ask(placement, ended, asked=asked):
                asked.append((placement, ended.isoformat()))
                return self.diagnosis('15:00:01.5')

            self.assertEqual('', p.diagnose_past(decision, ask))
            self.assertEqual(10800, decision.asked_again.after_s)
            self.assertEqual('', p.diagnose_past(decision, ask))
            self.assertEqual([(
                decision.placement, '2026-11-21T12:00:01.500000+00:00'
            )], asked)

    def test_past_unasked(self):
        """Say that nothing was found out, where it was to be."""
        def fail(placement, ended):
            raise NovaExtError('no cell')

        for note, fields, ask in (
            (f'{p.NOT_ASKED}: no cell', {}, fail),
            (p.NOT_ASKED, {}, lambda *asked: None),
            (p.NOT_ASKED, {}, lambda *asked: self.diagnosis('12:00:01')),
            ('', {'placement': None}, fail),
            ('', {'absent': None}, fail),
            ('', {'by': {'mode': Mode.PLUGIN.value}}, fail),
            ('', {'outcome': d.FAILED}, lambda *asked: None),
        ):
            decision = self.decision(**{'outcome': d.PLACED, **fields})
            self.assertEqual(note, p.diagnose_past(decision, ask), fields)
            self.assertIsNone(decision.asked_again)

    def test_redacted(self):
        """Members read what they may lack, and no number of hosts."""
        diagnosis = self.diagnosis(
            after_s=1.5, examples=['a1: 7'], untold=['secret'], left_out=[
                d.LeftOut(
                    ['lacks VCPU', 'lacks trait A', 'is disabled'], 3, ['a1']
                ),
                d.LeftOut(['lacks trait A', 'is disabled'], 2, ['a2']),
            ],
        )
        self.assertEqual(
            d.PlacementDiagnosis(
                diagnosis.at, '', after_s=1.5,
                left_out=[d.LeftOut(['lacks trait A'])],
            ), p.redact(diagnosis),
        )
        for other in (
            ['is not in aggregate secret'], [left_out_hosts.NOTHING_ALONE],
            [left_out_hosts.NOTHING_OF_ONE], [left_out_hosts.OTHER_LACKS],
        ):
            diagnosis.left_out[1:] = [d.LeftOut(other, 1, ['a3'])]
            self.assertEqual([], p.redact(diagnosis).left_out)
            diagnosis.left_out[:1] = []
            self.assertEqual([], p.redact(diagnosis).left_out)
            diagnosis.left_out[:0] = [d.LeftOut(['lacks VCPU'], 3)]

    def test_digest(self):
        """Of the set, in any order."""
        digest = placement_answer.digest_roots
        self.assertEqual(digest('ab'), digest('ba'))
        self.assertNotEqual(digest(''), digest('a'))
