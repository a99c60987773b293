"""Diagnose why placement offered too few hosts."""

from urllib import parse

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import placement_diagnosis
from nova_ext.core.decision import placement_query as q
from nova_ext.core.explanation.explain import explain

AT = '2026-11-21T12:00:00.000Z'
LATER = '2026-11-21T12:00:05.000Z'


class DiagnoseTest(testtools.TestCase):
    """Ask a placement with one host that has some of everything."""

    def diagnose(self, query, traits=(), cannot_tell=(), **has):
        """Return the diagnosis; ``self.queries`` has the queries."""
        self.queries = []

        def has_candidate(text):
            self.queries.append(text)
            sent = dict(parse.parse_qsl(text))
            self.assertEqual('1', sent['limit'])
            if any(word in text for word in cannot_tell):
                return None
            demands = [
                has.get(name, 0) >= int(amount)
                for item in sent['resources'].split(',')
                for name, amount in [item.split(':')]
            ]
            wanted = sent.get('required')
            demands += [
                trait in traits for trait in (wanted or '').split(',')
                if trait
            ]
            return all(demands)

        return placement_diagnosis.diagnose(
            LATER, query, q.list_demands(query), has_candidate
        )

    def says(self, sentence, *args, **kwargs):
        """Assert on the sentence."""
        diagnosis = self.diagnose(*args, **kwargs)
        self.assertEqual(
            sentence, placement_diagnosis.summarize(diagnosis, LATER)
        )

    def test_another_day(self):
        """It is told where the decision was made on another one."""
        diagnosis = self.diagnose('resources=VCPU:1', VCPU=1)
        for since, when in (
            ('2026-11-21T23:59:59.000Z', '12:00:05'),
            ('2026-11-20T23:59:59.000Z', '2026-11-21 12:00:05'),
        ):
            self.assertEqual(
                f'asked again at {when} UTC, placement offers a host',
                placement_diagnosis.summarize(diagnosis, since),
            )

    def test_one_part(self):
        """Without it there is a host."""
        self.says(
            'asked again at 12:00:05 UTC, placement offers a host without '
            'RAM:9', 'limit=9&resources=RAM:9,CPU:1&required=A', 'A', RAM=8,
            CPU=1,
        )
        self.says(
            'asked again at 12:00:05 UTC, placement offers a host without '
            'trait B required', 'resources=RAM:9&required=A,B', 'A', RAM=9,
        )

    def test_offers(self):
        """A host was freed meanwhile: one question is enough."""
        self.says('asked again at 12:00:05 UTC, placement offers a host',
                  'resources=RAM:9', RAM=9)
        self.assertEqual(1, len(self.queries))

    def test_several_resources(self):
        """Neither alone stands in the way, as both do."""
        self.says(
            'asked again at 12:00:05 UTC, no host has RAM:9 nor DISK:9 free',
            'resources=RAM:9,CPU:1,DISK:9', RAM=8, CPU=1, DISK=8,
        )

    def test_several_traits(self):
        """Only without all of them."""
        self.says(
            'asked again at 12:00:05 UTC, placement offers a host without '
            'its traits and aggregates together',
            'resources=RAM:9&required=A,B', RAM=9,
        )

    def test_nothing_is_told(self):
        """Placement does not answer, or nothing comes of it."""
        self.says('', 'resources=RAM:9', cannot_tell=['RAM'])

    def test_bound(self):
        """However many parts there are."""
        classes = ','.join(f'C{n}:1' for n in range(99))
        for traits in ('A', ','.join(f'T{n}' for n in range(99))):
            self.diagnose(f'resources={classes}&required={traits}')
            self.assertLessEqual(
                len(self.queries), placement_diagnosis.MAX_QUERIES
            )
        self.diagnose('resources=RAM:9,CPU:1&required=A')
        self.assertLessEqual(
            len(self.queries), placement_diagnosis.MAX_QUERIES
        )


class CutOffTest(testtools.TestCase):
    """Two hosts of five were offered, and a filter rejected both."""

    def decision(self, **fields):
        """Return the decision."""
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
        """Return the decision with a diagnosis of more candidates."""
        decision = self.decision(**fields)
        placement_diagnosis.add_diagnosis(decision, d.PlacementDiagnosis(
            AT, 'resources=VCPU%3A1',
            candidates=len(hosts) if candidates is None else candidates,
            hosts=list(hosts), bounded=bounded,
        ))
        return decision

    def test_apart(self):
        """Whoever asks is told how many, and operators which."""
        decision = self.added('cmp-1', 'cmp-2', 'cmp-3', 'cmp-4')
        sentence = (
            '0/5 hosts: 2 cut off by max_placement_results 2, 1 no candidate '
            'from placement, 2 rejected by F; asked again at 12:00:00 UTC '
            'for more, placement offers 4 hosts'
        )
        for hosts in (True, False):
            explained = explain(decision, hosts=hosts)
            self.assertEqual(sentence, explained.sentence)
            self.assertNotIn('to tell which', ' '.join(explained.notes))
        (cut,) = decision.kept_out
        self.assertEqual(['cmp-3', 'cmp-4'], cut.hosts)
        self.assertEqual({'cmp-3': 'and is down'}, cut.details)
        self.assertEqual(['cmp-5'], decision.absent.hosts)

    def test_names_are_used(self):
        """A decision does not repeat them, nor tell them to members."""
        diagnosis = d.PlacementDiagnosis(
            AT, 'q', candidates=1, hosts=['cmp-3']
        )
        decision = self.decision()
        placement_diagnosis.add_diagnosis(decision, diagnosis)
        self.assertEqual([], decision.asked_again.hosts)
        self.assertEqual(['cmp-3'], diagnosis.hosts)
        self.assertNotIn('cmp-3', str(explain(decision, hosts=False)))

    def test_none_cut_off(self):
        """As many as the limit were all that there are."""
        decision = self.added('cmp-1', 'cmp-2')
        self.assertEqual([], decision.kept_out)
        self.assertEqual({'cmp-3': 'and is down'}, decision.absent.details)
        self.assertIn(
            '0/5 hosts: 3 no candidate from placement, 2 rejected by F',
            explain(decision, hosts=False).sentence,
        )

    def test_names_were_cut(self):
        """Of hosts that the record does not name it is not known."""
        absent = d.Rejection(
            'no candidate from placement', 3, ['cmp-3', 'cmp-4']
        )
        decision = self.added('cmp-3', absent=absent)
        self.assertIn(
            '0/5 hosts: 1 cut off by max_placement_results 2, 1 no candidate '
            'from placement or cut off by max_placement_results 2, 1 no '
            'candidate from placement, ', explain(decision).sentence,
        )

    def test_not_all_are_named(self):
        """Nor of others, where placement has more than were named."""
        for fields, more in (
            ({'candidates': 4}, '4 hosts'),
            ({'bounded': True}, '1 host or more'),
        ):
            decision = self.added('cmp-4', **fields)
            self.assertIn('to tell which', ' '.join(explain(decision).notes))
            explained = explain(decision, hosts=False).sentence
            self.assertIn(
                '0/5 hosts: 1 cut off by max_placement_results 2, 2 no '
                'candidate from placement or cut off by '
                'max_placement_results 2, 2 rejected by F; ', explained,
            )
            self.assertIn(f'placement offers {more}', explained)
            self.assertEqual(['cmp-3', 'cmp-5'], decision.kept_out[1].hosts)

    def test_demands(self):
        """A diagnosis of demands leaves the absent hosts as they are."""
        decision = self.decision()
        placement_diagnosis.add_diagnosis(
            decision, d.PlacementDiagnosis(AT, 'q', without=['VCPU:1'])
        )
        self.assertEqual([], decision.kept_out)
        self.assertEqual(3, decision.absent.count)

    def test_filled_meanwhile(self):
        """Placement has no host any more: it is told with its time."""
        decision = self.added()
        self.assertTrue(explain(decision).sentence.endswith(
            '; asked again at 12:00:00 UTC for more, placement offers no hosts'
        ))

    def test_needs_diagnosis(self):
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
                worth,
                placement_diagnosis.needs_diagnosis(self.decision(**fields)),
                fields,
            )

    def test_applies_to(self):
        """Decisions that needed this answer, at about its time."""
        demands = {'without': ['VCPU:1']}
        more = {'candidates': 1, 'hosts': ['cmp-1']}
        none = {'placement': d.Placement('limit=2', 0, 0)}
        for fields_of, fields, at, about in (
            (demands, none, '12:59:59', True),
            (demands, none, '13:00:00', True),
            (demands, none, '13:00:01', False),
            (more, {}, '11:58:01', True), (more, {}, '12:02:01', False),
            (more, none, '12:00:00', False), (demands, {}, '12:00:00', False),
            (more, {'at': 'once'}, '12:00:00', False),
            (more, {'at': '0001-01-01T00:00:00Z'}, '12:00:00', False),
        ):
            diagnosis = d.PlacementDiagnosis(
                f'2026-11-21T{at}Z', 'q', **fields_of
            )
            self.assertIs(
                about,
                placement_diagnosis.applies_to(
                    diagnosis, self.decision(**fields)
                ),
                (fields_of, fields, at),
            )
