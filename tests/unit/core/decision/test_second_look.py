"""Hosts that placement's limit cut off, told apart from the others."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import second_look
from nova_ext.core.decision.placement_diagnosis import AskedAgain
from nova_ext.core.explanation.explain import explain

AT = '2026-11-21T12:00:00.000Z'


class SecondLookTest(testtools.TestCase):
    """Two hosts of five were offered, and a filter rejected both."""

    def made(self, **fields):
        """The decision."""
        step = d.Step('F', 'filter', 2, 0, [
            d.Rejection('', 2, ['cmp-1', 'cmp-2'])
        ])
        return d.Decision(**{
            'at': AT, 'request_id': 'req-1', 'servers': ['s'],
            'placement': d.Placement('limit=2&resources=VCPU%3A1', 2, 2),
            'hosts_total': 5, 'outcome': d.NO_VALID_HOST,
            'operation': 'first boot',
            'absent': d.Rejection(
                'no candidate from placement', 3, ['cmp-3', 'cmp-4', 'cmp-5'],
                {'cmp-3': 'and is down'},
            ),
            'attempts': [d.Attempt('s', 0, 2, [step])], **fields,
        })

    def added(self, *hosts, candidates=None, bounded=False, **fields):
        """The decision with what placement told when it was asked for more."""
        made = self.made(**fields)
        second_look.add(made, AskedAgain(
            AT, 'resources=VCPU%3A1',
            candidates=len(hosts) if candidates is None else candidates,
            hosts=list(hosts), bounded=bounded,
        ))
        return made

    def test_apart(self):
        """Whoever asks is told how many, and operators which."""
        made = self.added('cmp-1', 'cmp-2', 'cmp-3', 'cmp-4')
        sentence = (
            '0/5 hosts: 2 cut off by max_placement_results 2, 1 no candidate '
            'from placement, 2 rejected by F; asked again at 12:00:00 UTC '
            'for more, placement offers 4 hosts'
        )
        for hosts in (True, False):
            explained = explain(made, hosts=hosts)
            self.assertEqual(sentence, explained.sentence)
            self.assertNotIn('to tell which', ' '.join(explained.notes))
        (cut,) = made.kept_out
        self.assertEqual(['cmp-3', 'cmp-4'], cut.hosts)
        self.assertEqual({'cmp-3': 'and is down'}, cut.details)
        self.assertEqual(['cmp-5'], made.absent.hosts)

    def test_names_are_used(self):
        """A decision does not repeat them, nor tell them to members."""
        found = AskedAgain(AT, 'q', candidates=1, hosts=['cmp-3'])
        made = self.made()
        second_look.add(made, found)
        self.assertEqual([], made.asked_again.hosts)
        self.assertEqual(['cmp-3'], found.hosts)
        self.assertNotIn('cmp-3', str(explain(made, hosts=False)))

    def test_none_cut_off(self):
        """As many as the limit were all that there are."""
        made = self.added('cmp-1', 'cmp-2')
        self.assertEqual([], made.kept_out)
        self.assertEqual({'cmp-3': 'and is down'}, made.absent.details)
        self.assertIn(
            '0/5 hosts: 3 no candidate from placement, 2 rejected by F',
            explain(made, hosts=False).sentence,
        )

    def test_names_were_cut(self):
        """Of hosts that the record does not name it is not known."""
        absent = d.Rejection(
            'no candidate from placement', 3, ['cmp-3', 'cmp-4']
        )
        made = self.added('cmp-3', absent=absent)
        self.assertIn(
            '0/5 hosts: 1 cut off by max_placement_results 2, 1 no candidate '
            'from placement or cut off by max_placement_results 2, 1 no '
            'candidate from placement, ', explain(made).sentence,
        )

    def test_not_all_are_named(self):
        """Nor of others, where placement has more than were named."""
        for fields, more in (
            ({'candidates': 4}, '4 hosts'),
            ({'bounded': True}, '1 host or more'),
        ):
            made = self.added('cmp-4', **fields)
            self.assertIn('to tell which', ' '.join(explain(made).notes))
            explained = explain(made, hosts=False).sentence
            self.assertIn(
                '0/5 hosts: 1 cut off by max_placement_results 2, 2 no '
                'candidate from placement or cut off by '
                'max_placement_results 2, 2 rejected by F; ', explained,
            )
            self.assertIn(f'placement offers {more}', explained)
            self.assertEqual(['cmp-3', 'cmp-5'], made.kept_out[1].hosts)

    def test_filled_meanwhile(self):
        """Placement has no host any more: it is told with its time."""
        made = self.added()
        self.assertTrue(explain(made).sentence.endswith(
            '; asked again at 12:00:00 UTC for more, placement offers no hosts'
        ))

    def test_worth_taking(self):
        """Only where it can tell more."""
        none = d.Placement('limit=2', 0, 0)
        for worth, fields in (
            (True, {}),
            (True, {'placement': none}),
            (False, {'outcome': d.PLACED}),
            (False, {'outcome': d.PASSED, 'placement': none}),
            (False, {'placement': None}),
            (False, {'placement': d.Placement('limit=3', 2, 2)}),
            (False, {'placement': d.Placement('', 2, 2)}),
            (False, {'placement': d.Placement('limit=2', 2, 2, fallback=0)}),
            (False, {'placement': d.Placement('', 0, answered=False)}),
            # The scheduler dropped one, of another cell.
            (False, {'placement': d.Placement('limit=2', 3, 3)}),
            (False, {'attempts': []}),
            # It keeps to its cell.
            (False, {'operation': 'move'}),
            (False, {'operation': 'return'}),
            # All were seen.
            (False, {'absent': d.Rejection('no candidate', 0)}),
            (False, {'absent': None}),
            (False, {'placement': d.Placement('limit=10000', 2, 10000)}),
            (True, {'placement': d.Placement('limit=9999', 2, 9999)}),
        ):
            self.assertEqual(
                worth, second_look.worth_taking(self.made(**fields)), fields
            )

    def test_is_about(self):
        """Decisions that needed this answer, at about its time."""
        demands = {'without': ['VCPU:1']}
        more = {'candidates': 1, 'hosts': ['cmp-1']}
        none = {'placement': d.Placement('limit=2', 0, 0)}
        for told, fields, at, about in (
            (demands, none, '12:59:59', True),
            (demands, none, '13:00:01', False),
            (more, {}, '11:58:01', True), (more, {}, '12:02:01', False),
            (more, none, '12:00:00', False), (demands, {}, '12:00:00', False),
            (more, {'at': 'once'}, '12:00:00', False),
            (more, {'at': '0001-01-01T00:00:00Z'}, '12:00:00', False),
        ):
            found = AskedAgain(f'2026-11-21T{at}Z', 'q', **told)
            self.assertIs(
                about, second_look.is_about(found, self.made(**fields)),
                (told, fields, at),
            )
