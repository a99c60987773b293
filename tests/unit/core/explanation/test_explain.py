"""Decisions in words."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.explain import explain

A, B, C = 'server-a', 'server-b', 'server-c'


def step(name, before, *gone, kind='filter'):
    """Return a step that rejects hosts: (reason, host, ...) each."""
    rejections = [
        d.Rejection(reason, len(hosts), list(hosts)) for reason, *hosts in gone
    ]
    lost = sum(rejection.count for rejection in rejections)
    return d.Step(name, kind, before, before - lost, rejections)


def attempt(hosts_in, *steps, server=A, index=0, ranked=(), weighers=()):
    """Return an attempt that ends with ranked hosts."""
    return d.Attempt(
        server, index, hosts_in, list(steps), list(weighers), list(ranked),
        len(ranked),
    )


def decide(*attempts, **fields):
    """Return a decision on server A in nova-ext-scheduler."""
    return d.Decision(**{
        'at': '2026-11-21T12:00:00.000Z', 'request_id': 'req-1',
        'servers': [A], 'outcome': d.NO_VALID_HOST,
        'attempts': list(attempts),
        'placement': d.Placement('resources=VCPU:1', 2), **fields,
    })


def absent(*hosts):
    """Hosts that placement did not offer."""
    return d.Rejection('no candidate from placement', len(hosts), list(hosts))


def rows(decision, server=''):
    """Return the table, in short."""
    return [
        (row.count, row.hosts, row.stage, row.verdict, row.reason)
        for row in explain(decision, server).rows
    ]


class FailureTest(testtools.TestCase):
    """Explain why there was no host."""

    def says(self, sentence, decision, server=''):
        """Assert on the sentence."""
        self.assertEqual(sentence, explain(decision, server).sentence)

    def test_every_stage(self):
        """Placement, Nova's filters and ours, with counts that add up."""
        decision = decide(
            attempt(
                2, step('ComputeFilter', 2, ('disabled', 'c4')),
                step('SpecifiedHostFilter', 1,
                     ('requested_host is cmp-2', 'c5')),
            ),
            hosts_total=5, absent=absent('c1', 'c2', 'c3'),
        )
        self.says(
            '0/5 hosts: 3 no candidate from placement, 1 disabled '
            '(ComputeFilter), 1 requested_host is cmp-2 '
            '(SpecifiedHostFilter)', decision,
        )
        self.assertEqual(
            [
                (3, ['c1', 'c2', 'c3'], 'placement', 'rejected',
                 'no candidate from placement'),
                (1, ['c4'], 'ComputeFilter', 'rejected', 'disabled'),
                (1, ['c5'], 'SpecifiedHostFilter', 'rejected',
                 'requested_host is cmp-2'),
            ],
            rows(decision),
        )

    def test_stock_scheduler(self):
        """Where the cloud's hosts are unknown it says which are counted."""
        self.says(
            '0/2 hosts that reached the filters: 2 disabled (ComputeFilter)',
            decide(
                attempt(2, step('ComputeFilter', 2, ('disabled', 'a', 'b'))),
                placement=None,
            ),
        )

    def test_not_seen_by_stock_scheduler(self):
        """All hosts are counted, and why some were not offered is open."""
        self.says(
            '0/3 hosts: 1 did not reach the filters, 2 disabled '
            '(ComputeFilter)',
            decide(
                attempt(2, step('ComputeFilter', 2, ('disabled', 'a', 'b'))),
                placement=None,
                hosts_total=3,
                absent=d.Rejection('did not reach the filters', 1, ['c']),
            ),
        )

    def test_steps_without_reasons(self):
        """Who did it is said, whatever it was."""
        self.says(
            '0/6 hosts: 1 taken out by ignore_hosts (request), 1 host is to '
            'be left (request), 2 rejected by ImagePropertiesFilter, 1 left '
            'out by IPScheduler, 1 no host of group doc (IPScheduler)',
            decide(
                attempt(
                    6, step('ignore_hosts', 6, ('', 'a'), kind='request'),
                    step('ignore_hosts', 5, ('host is to be left', 'b'),
                         kind='request'),
                    step('ImagePropertiesFilter', 4, ('', 'c', 'd')),
                    step('IPScheduler', 2, ('', 'e'),
                         ('no host of group doc', 'f'), kind='driver'),
                ),
                hosts_total=6,
            ),
        )

    def test_what_was_found(self):
        """On all hosts alike in the sentence; what differs in the table."""
        def failed(count=2, **details):
            rejection = d.Rejection('down', count, sorted('ab'), details)
            return decide(attempt(count, d.Step(
                'ComputeFilter', 'filter', count, 0, [rejection]
            )), hosts_total=count)

        for decision, sentence, reason in (
            (failed(a='since 9', b='since 9'), '2 down since 9',
             'down since 9'),
            (failed(a='since 9', b='since 8'), '2 down',
             'down since 9 (a); since 8 (b)'),
            (failed(a='since 9'), '2 down', 'down since 9 (a)'),
            (failed(3, a='since 9', b='since 9'), '3 down',
             'down since 9 (a, b)'),
            (failed(), '2 down', 'down'),
        ):
            self.assertIn(f': {sentence} (', explain(decision).sentence)
            self.assertEqual(reason, rows(decision)[0][-1])

    def test_much_was_found(self):
        """List the first few, and count the others."""
        hosts = [f'h{n}' for n in range(9)]
        rejection = d.Rejection(
            'down', 9, hosts, {h: f'since {h[1]}' for h in hosts}
        )
        decision = decide(attempt(9, d.Step('F', 'filter', 9, 0, [rejection])))
        self.assertEqual(
            'down since 0 (h0); since 1 (h1); since 2 (h2); since 3 (h3); '
            'since 4 (h4); 4 more', rows(decision)[0][-1],
        )

    def test_step_that_lists_too_few(self):
        """What a step let go without listing it is still its doing."""
        self.says(
            '0/5 hosts: 1 disabled (ComputeFilter), 4 rejected by '
            'ComputeFilter',
            decide(attempt(5, d.Step('ComputeFilter', 'filter', 5, 0, [
                d.Rejection('disabled', 1, ['a'])
            ])), hosts_total=5),
        )

    def test_filled_by_siblings(self):
        """Hosts that the request's own earlier servers took."""
        decision = decide(
            attempt(2, ranked=('a', 'b')),
            attempt(2, ranked=('a', 'b'), server=B, index=1),
            servers=[A, B],
            claims=[
                d.ClaimResult(A, 'a', True), d.ClaimResult(B, 'a', False),
                d.ClaimResult(B, 'b', False),
            ],
        )
        full = 'no room after earlier servers of the request'
        taken = (1, ['b'], 'claim', 'refused', 'taken meanwhile')
        filled = (1, ['a'], 'request', 'rejected', full)
        self.assertEqual([filled, taken], rows(decision))
        self.assertIn(
            f': 1 {full}, 1 claim refused by placement (taken meanwhile)',
            explain(decision).sentence,
        )
        # In a simulation nobody else claims.
        decision.simulated = True
        self.assertEqual([(2, ['a', 'b'], *filled[2:])], rows(decision))

    def test_named_host(self):
        """It is found by its name, or by its number; no other counts."""
        for hosts, names in ((('a', 'b', 'c'), ['b']), ((), [])):
            decision = decide(
                request={'requested_host': 'b'}, hosts_total=3,
                absent=d.Rejection('no candidate', 1, list(hosts[:1])),
                kept_out=[d.Rejection('not in west', 2, list(hosts[1:]))],
                placement=d.Placement('in_tree=x', 0),
            )
            explanation = explain(decision)
            self.assertIn('2 not asked for, 1 no', explanation.sentence)
            self.assertEqual([2, 1], [row.count for row in explanation.rows])
            self.assertEqual(names, explanation.rows[1].hosts)

    def test_all_but_outcome(self):
        """Of a line that was cut to its end, no stage is told."""
        self.says('0/6 hosts, no room: 6 not recorded', decide(
            hosts_total=6, placement=None, message='no room',
            left_out=[d.ALL_BUT_OUTCOME],
        ))

    def test_claims_refused(self):
        """Hosts that passed and were taken by others meanwhile."""
        decision = decide(
            attempt(4, step('F', 4, ('', 'd')), ranked=('a', 'b', 'c')),
            hosts_total=4,
            claims=[
                d.ClaimResult(A, 'a', False), d.ClaimResult(A, 'b', False),
            ],
        )
        self.says(
            '0/4 hosts: 1 rejected by F, 2 claim refused by placement (taken '
            'meanwhile), 1 passed and left untried', decision,
        )
        self.assertIn(
            (2, ['a', 'b'], 'claim', 'refused', 'taken meanwhile'),
            rows(decision),
        )
        self.assertIn(
            (1, ['c'], '', 'untried', 'passed and left untried'),
            rows(decision),
        )

    def test_claims_refused_otherwise(self):
        """Placement's words, where nobody took the room."""
        words = '409: Inventory for VCPU is gone'
        decision = decide(
            attempt(3, ranked=('a', 'b', 'c')), hosts_total=3,
            claims=[d.ClaimResult(A, 'a', False),
                    d.ClaimResult(A, 'b', False, refusal=words)],
        )
        self.says(
            f'0/3 hosts: 1 claim refused by placement (taken meanwhile), 1 '
            f'claim refused by placement ({words}), 1 passed and left untried',
            decision,
        )
        self.assertIn((1, ['b'], 'claim', 'refused', words), rows(decision))
        decision.outcome, decision.chosen = d.PLACED, {A: ['c']}
        decision.claims.append(d.ClaimResult(A, 'c', True))
        self.assertIn(
            f'claim refused by placement on a (taken meanwhile); claim '
            f'refused by placement on b ({words})',
            explain(decision).sentence,
        )
        self.assertIn((1, ['b'], 'claim', 'refused', words), rows(decision))

    def test_errors_after_claims(self):
        """A host that was tried is not called untried."""
        for claim, said, row in (
            (d.ClaimResult(A, 'a', False, answered=False),
             'no answer from placement to the claim', ('claim', 'unknown')),
            (d.ClaimResult(A, 'a', True),
             'claimed and given up at the error', ('claim', 'given up')),
        ):
            decision = decide(
                attempt(3, ranked=('a', 'b', 'c')), hosts_total=3,
                outcome=d.FAILED, message='it broke', claims=[claim],
            )
            self.says(
                f'0/3 hosts, it broke: 1 {said}, 2 passed and left untried',
                decision,
            )
            self.assertIn((1, ['a'], *row, said), rows(decision))

    def test_error_of_several(self):
        """An error is no lack of hosts."""
        decision = decide(
            attempt(3, ranked=('a', 'b', 'c')),
            servers=[A, B], hosts_total=3, outcome=d.FAILED,
            message='filter F raised KeyError',
        )
        self.says(
            'none of 2 servers, since an error ended the request at its '
            'server 1: 0/3 hosts, filter F raised KeyError: 3 passed and left '
            'untried', decision,
        )
        decision.claims = [d.ClaimResult(A, 'a', True)]
        self.assertIn(
            'none of 2 servers, since an error ended the request: 0/3 hosts',
            explain(decision).sentence,
        )

    def test_placement_offers_none(self):
        """No host reached the filters."""
        self.says(
            '0/3 hosts, placement offered none: 3 no candidate from placement',
            decide(placement=d.Placement('', 0), hosts_total=3,
                 absent=absent('a', 'b', 'c')),
        )
        self.says('no host, placement offered none',
                  decide(placement=d.Placement('', 0)))

    def test_kept_out(self):
        """Hosts of which it is known why placement left them out."""
        kept = [d.Rejection('not in availability zone x', 2, ['a', 'b'])]
        for known in (4, None):
            decision = decide(
                attempt(1, step('F', 1, ('', 'd'))), absent=absent('c'),
                kept_out=kept, hosts_total=known,
                placement=d.Placement('limit=1&resources=VCPU:1', 1),
            )
            self.says(
                '0/4 hosts: 2 not in availability zone x, 1 no candidate from '
                'placement or cut off by max_placement_results 1, 1 rejected '
                'by F', decision,
            )
        decision.attempts[0].hosts_in = 2
        self.assertIn('0/5 hosts: ', explain(decision).sentence)
        self.assertIn(
            (2, ['a', 'b'], 'placement', 'rejected',
             'not in availability zone x'), rows(decision),
        )

    def test_placement_did_not_answer(self):
        """Which is not to say that it has none; every reader is told."""
        decision = decide(
            placement=d.Placement('', 0, answered=False), hosts_total=2,
            absent=d.Rejection('no answer from placement', 2, ['a', 'b']),
        )
        self.says(
            '0/2 hosts, placement did not answer: 2 no answer from placement',
            decision,
        )
        self.assertEqual(
            explain(decision).sentence,
            explain(decision, hosts=False).sentence,
        )
        self.assertEqual(
            [(2, ['a', 'b'], '', 'unknown', 'no answer from placement')],
            rows(decision),
        )
        self.says('no host, placement did not answer',
                  decide(placement=d.Placement('', 0, answered=False)))

    def test_limit_of_placement(self):
        """Hosts beyond the limit may well have had a candidate."""
        self.says(
            '0/3 hosts: 1 no candidate from placement or cut off by '
            'max_placement_results 2, 2 rejected by F',
            decide(
                attempt(2, step('F', 2, ('', 'a', 'b'))), absent=absent('c'),
                placement=d.Placement('limit=2&resources=VCPU:1', 2),
            ),
        )

    def test_limit_counts_candidates(self):
        """A host may have several, so that fewer hosts fill the limit."""
        for requests, cut in ((4, True), (3, False)):
            sentence = explain(decide(
                attempt(2, step('F', 2, ('', 'a', 'b'))), absent=absent('c'),
                placement=d.Placement('limit=4', 2, requests),
            )).sentence
            self.assertEqual(cut, 'max_placement_results 4' in sentence)

    def test_each_answer_has_its_limit(self):
        """Two that are short of it add up to no limit."""
        for requests, second, cut in (
            (6, 3, False), (7, 3, True), (7, 4, True), (3, 0, False),
        ):
            sentence = explain(decide(
                attempt(2, step('F', 2, ('', 'a', 'b'))), absent=absent('c'),
                placement=d.Placement('limit=4', 2, requests, second),
            )).sentence
            self.assertEqual(cut, 'max_placement_results 4' in sentence)

    def test_limit_is_told(self):
        """A note says it of a success, too, of which nothing is absent."""
        note = (
            'placement gave 4 candidates, all that max_placement_results lets '
            'through: hosts that are not among them were not considered'
        )
        which = (
            '; to tell which, ask placement the same without limit, or raise '
            '[scheduler] max_placement_results'
        )
        for requests, noted in ((4, True), (3, False)):
            for outcome in (d.PLACED, d.NO_VALID_HOST, d.FAILED):
                decision = decide(
                    attempt(2, ranked=['a', 'b']), outcome=outcome,
                    placement=d.Placement('limit=4&x=y', 2, requests),
                )
                for hosts, words in ((True, note + which), (False, note)):
                    notes = explain(decision, hosts=hosts).notes
                    self.assertEqual(noted, words in notes, notes)

    def test_offered_and_not_seen(self):
        """Placement may offer what the scheduler's cells don't know."""
        self.says(
            '0/2 hosts: 2 no candidate from placement or unknown to the '
            'scheduler',
            decide(attempt(0), absent=absent('a', 'b')),
        )

    def test_prefilter(self):
        """Refused before placement was asked."""
        self.says(
            '0/2 hosts, refused before placement was asked (No aggregates '
            'for tenant x): 2 not considered',
            decide(
                placement=None, absent=d.Rejection('x', 2, ['a', 'b']),
                hosts_total=2, message='No valid host was found. '
                                       'No aggregates for tenant x',
            ),
        )

    def test_refused_early(self):
        """Without a message, or without hosts that are known to be absent."""
        for end, fields in (
            ('/2 hosts, refused before placement was asked (no reason): 2 not '
             'considered', {'absent': d.Rejection('x', 2, ['a', 'b'])}),
            (' host, refused before placement was asked (odd)',
             {'message': 'odd'}),
            (' host: nothing more is recorded', {}),
        ):
            number = '0' if 'absent' in fields else 'no'
            self.says(number + end, decide(placement=None, **fields))

    def test_plugin_raised(self):
        """A plugin's failure is named; the rest was not decided."""
        self.says(
            '0/5 hosts, filter MyFilter raised KeyError: 1 no candidate from '
            'placement, 1 disabled (ComputeFilter), 3 undecided',
            decide(
                attempt(4, step('ComputeFilter', 4, ('disabled', 'b'))),
                absent=absent('a'), outcome=d.FAILED,
                message='filter MyFilter raised KeyError',
            ),
        )

    def test_end_not_seen(self):
        """Explain a log that breaks off."""
        self.says(
            '0/3 hosts that placement offered, its end was not recorded: 1 '
            'rejected by F, 2 undecided',
            decide(attempt(3, step('F', 3, ('', 'a'))), outcome=''),
        )

    def test_no_hosts_at_all(self):
        """Explain an empty cloud."""
        self.says('no host: the cloud has none',
                  decide(hosts_total=0, absent=absent()))

    def test_choice(self):
        """Those before the one that failed are created, unless F raised."""
        decision = decide(
            attempt(2, ranked=('a', 'b')),
            attempt(2, step('F', 2, ('x', 'a', 'b')), server=B, index=1),
            servers=[A, B], hosts_total=2, operation=d.CHOICE,
        )
        self.says(
            'hosts for 1 of 2 servers, and none for server 2: 0/2 hosts: '
            '2 x (F)', decision,
        )
        decision.outcome = d.FAILED
        self.assertIn('none of 2 servers', explain(decision).sentence)
        decision.outcome = d.NO_VALID_HOST
        del decision.attempts[0]
        decision.attempts[0].index = 0
        self.assertIn('none of 2 servers', explain(decision).sentence)

    def test_several_servers(self):
        """All or none: the one that failed is explained to all."""
        decision = decide(
            attempt(3, ranked=('a', 'b', 'c')),
            attempt(3, step('ServerGroupAntiAffinityFilter', 3, ('', 'a')),
                    step('F', 2, ('x', 'b')), server=B, index=1, ranked='c'),
            attempt(1, step('ServerGroupAntiAffinityFilter', 1, ('', 'c')),
                    server=C, index=2),
            servers=[A, B, C], hosts_total=4, absent=absent('d'),
        )
        for server in (A, B, C, ''):
            self.says(
                'none of 3 servers, since a request is placed as a whole and '
                'its server 3 found no host: 0/4 hosts: 1 no candidate from '
                'placement, 2 rejected by ServerGroupAntiAffinityFilter, 1 x '
                '(F)', decision, server,
            )

    def test_cut_record(self):
        """What was cut is said, so that the counts still add up."""
        self.says(
            '0/9 hosts: 2 rejected by F, 7 not recorded',
            decide(attempt(5, step('F', 5, ('', 'a', 'b'))), hosts_total=9),
        )

    def test_forced(self):
        """Nova asks no filter, in a failure neither."""
        self.says(
            '0/2 hosts: 1 forced to b (request), 1 claim refused by placement '
            '(taken meanwhile); filters skipped, as the request forced its '
            'host',
            decide(
                attempt(2, step('force_hosts', 2, ('forced to b', 'a'),
                                kind='request'), ranked='b'),
                claims=[d.ClaimResult(A, 'b', False)], hosts_total=2,
                request={'force_hosts': ['b']},
            ),
        )

    def test_contradictions(self):
        """A record that contradicts itself counts what it lists."""
        self.says(
            '0/3 hosts: 3 rejected by F',
            decide(
                attempt(1, step('F', 1, ('', 'a', 'b', 'c'))), hosts_total=1
            ),
        )
        self.says(
            '0/2 hosts: 2 rejected by F',
            decide(attempt(2, d.Step('F', 'filter', 2, 0, [
                d.Rejection('x', -5)
            ])), hosts_total=-7),
        )

    def test_many_reasons(self):
        """A sentence stays one; the table has the rest."""
        gone = [(f'reason {chr(97 + n)}', f'host{n}') for n in range(20)]
        explained = explain(
            decide(attempt(20, step('F', 20, *gone)), hosts_total=20)
        )
        self.assertTrue(
            explained.sentence.endswith(
                '1 reason g (F), 13 for 13 other reasons'
            ),
            explained.sentence,
        )
        self.assertEqual(20, len(explained.rows))

    def test_as_many_reasons_as_fit(self):
        """None is summed up."""
        gone = [(f'reason {chr(97 + n)}', f'host{n}') for n in range(8)]
        self.assertIn('1 reason h (F)', explain(
            decide(attempt(8, step('F', 8, *gone)))
        ).sentence)

    def test_users_letters(self):
        """What users wrote can't reach the terminal as commands."""
        explained = explain(decide(
            attempt(1, step('F', 1, ('is \x1b[2J\nx' + 'y' * 500, 'a'))),
            message='\x07',
        ))
        self.assertNotIn('\x1b', explained.sentence)
        self.assertNotIn('\n', explained.sentence)
        self.assertLess(len(explained.sentence), 250)


class SuccessTest(testtools.TestCase):
    """Explain why this host."""

    def says(self, sentence, decision, server=''):
        """Assert on the sentence."""
        self.assertEqual(sentence, explain(decision, server).sentence)

    def placed(self, *attempts, chosen=('b', 'a'), **fields):
        """Return a decision that placed server A."""
        return decide(
            *attempts, outcome=d.PLACED,
            **{'chosen': {A: list(chosen)}, **fields},
        )

    def test_chosen_and_alternates(self):
        """Name the host, the others, and its alternates."""
        decision = self.placed(
            attempt(5, step('ComputeFilter', 5, ('disabled', 'd', 'e')),
                    ranked=('a', 'b', 'c'), weighers=[
                        d.Weighing('RAMWeigher', {'a': 2, 'b': 4, 'c': 0},
                                   {'a': 1, 'b': 1, 'c': 1}, 0),
                        d.Weighing('CPUWeigher', {'a': 1, 'b': 1, 'c': 3},
                                   {'a': -2, 'b': -2, 'c': -2}),
                    ]),
            claims=[d.ClaimResult(A, 'b', True)],
        )
        self.says(
            'b chosen from 3 of 5 hosts that placement offered: 2 disabled '
            '(ComputeFilter); alternates a', decision,
        )
        self.assertEqual(
            [
                (1, ['b'], '', 'chosen', 'weight 1: RAMWeigher 1'),
                (1, ['a'], '', 'alternate', 'weight 0.5: RAMWeigher 0.5'),
                (1, ['c'], '', 'passed', 'weight -2: CPUWeigher -2'),
                (2, ['d', 'e'], 'ComputeFilter', 'rejected', 'disabled'),
            ],
            rows(decision),
        )

    def test_weighers_that_count_most_come_first(self):
        """Whichever way they count; those that add nothing are left out."""
        weighers = [
            d.Weighing(name, {'a': 0, 'b': 1}, dict.fromkeys('ab', multiplier))
            for name, multiplier in (('X', 1), ('Y', -3), ('Z', 0), ('W', 2))
        ]
        decision = self.placed(
            attempt(2, ranked=('b', 'a'), weighers=weighers)
        )
        self.assertEqual('weight 0: Y -3, W 2, X 1', rows(decision)[0][-1])
        self.assertEqual('weight 0', rows(decision)[1][-1])

    def test_only_one_left(self):
        """Nova weighs nothing then."""
        decision = self.placed(attempt(1, ranked='b'), chosen='b')
        self.says('b chosen from 1 of 1 host that placement offered', decision)
        self.assertEqual(
            [(1, ['b'], '', 'chosen', 'the only one left')], rows(decision)
        )

    def test_after_refused_claims(self):
        """The claim was refused on better hosts."""
        decision = self.placed(
            attempt(3, ranked=('c', 'b', 'a')),
            claims=[d.ClaimResult(A, 'c', False), d.ClaimResult(A, 'b', True)],
        )
        self.says(
            'b chosen from 3 of 3 hosts that placement offered; claim refused '
            'by placement on c (taken meanwhile); alternates a', decision,
        )
        self.assertIn((1, ['c'], 'claim', 'refused', 'taken meanwhile'),
                      rows(decision))

    def test_more_hosts_than_names(self):
        """A ranking names the first few; the others are counted."""
        ranked = [f'h{n}' for n in range(10)]
        decision = self.placed(attempt(500, ranked=ranked),
                               chosen=('h0', 'h1'))
        decision.attempts[0].ranked_count = 500
        table = rows(decision)
        self.assertEqual((490, [], '', 'passed', ''), table[-1])
        self.assertEqual(500, sum(row[0] for row in table))

    def test_forced(self):
        """Nova asks no filter where a host is forced."""
        self.says(
            'b chosen from 1 of 3 hosts that placement offered: 2 forced to b '
            '(request); filters skipped, as the request forced its host',
            self.placed(
                attempt(3, step('force_hosts', 3, ('forced to b', 'a', 'c'),
                                kind='request'), ranked='b'),
                chosen='b', request={'force_hosts': ['b']},
            ),
        )

    def test_chance(self):
        """Count the hosts that were as good as the chosen one."""
        for fields, says in (
            ({'equal': 3}, '; the first of 3 of equal weight'),
            ({'equal': 1}, ''),
            ({'equal': 3, 'draw': d.Draw(['a', 'b', 'c'], 3)},
             '; drawn by chance from 3 of equal weight'),
            ({'equal': 3, 'draw': d.Draw(['a', 'b', 'c'], 3, 0)},
             '; drawn by chance from 3 of equal weight, with seed 0'),
            ({'equal': 1, 'draw': d.Draw(['a', 'b'], 2)},
             '; drawn by chance from 2 that came first'),
            ({'draw': d.Draw(['c', 'a', 'b'], 3, 0, by_driver=True)},
             '; drawn by chance from 3 by the driver, with seed 0'),
            # A refused claim made it another one.
            ({'equal': 2, 'draw': d.Draw(['b', 'c'], 2)}, ''),
        ):
            decide = attempt(3, ranked=('a', 'b', 'c'))
            for name, value in fields.items():
                setattr(decide, name, value)
            self.says(
                f'a chosen from 3 of 3 hosts that placement offered{says}',
                self.placed(decide, chosen='a'),
            )

    def test_chance_after_a_refusal(self):
        """The best of the others was not drawn, unless all were shuffled."""
        for draw, is_drawn in (
            (d.Draw(['c', 'a', 'b'], 3, 7, subset_size=3), False),
            (d.Draw(['c', 'a', 'b'], 3, 7, shuffled=3), True),
            (d.Draw(['c', 'a', 'b'], 3, 7, by_driver=True), True),
            (d.Draw(['c', 'b'], 2, 7, shuffled=2), False),
        ):
            decide = attempt(3, ranked=('c', 'b', 'a'))
            if draw.count == 3:
                decide.ranked = ['c', 'a', 'b']
            decide.draw = draw
            decision = self.placed(decide, chosen='a', claims=[
                d.ClaimResult(A, 'c', False), d.ClaimResult(A, 'a', True),
            ])
            self.assertEqual(
                is_drawn, 'drawn by chance' in explain(decision).sentence, draw
            )

    def test_rebuild(self):
        """A rebuild only asks whether the server may stay."""
        self.says(
            'b chosen from 1 of 2 hosts that reached the filters: 1 '
            'destination is b (request); a rebuild stays on its host',
            self.placed(
                attempt(2, step('requested_destination', 2,
                                ('destination is b', 'a'), kind='request'),
                        step('ImagePropertiesFilter', 1), ranked='b'),
                chosen='b', operation='rebuild', placement=None,
                request={'force_hosts': ['b']},
            ),
        )

    def test_several_servers(self):
        """Each server has its own attempt, after those before it."""
        decision = self.placed(
            attempt(3, step('F', 3, ('x', 'c')), ranked=('a', 'b')),
            attempt(2, step('G', 2, ('y', 'a')), server=B, index=1,
                    ranked='b'),
            attempt(1, step('H', 1, ('z', 'b')), server=B, index=1),
            servers=[A, B],
        )
        decision.chosen = {A: ['a'], B: ['b']}
        first = (
            'server 1 of 2: a chosen from 2 of 3 hosts that placement '
            'offered: 1 x (F)'
        )
        self.says(first, decision, A)
        self.says(first, decision)
        self.says(
            'server 2 of 2: b chosen from 1 of 3 hosts that placement '
            'offered: 1 x (F), 1 y (G)', decision, B,
        )

    def test_servers_without_ids(self):
        """The order of the attempts names them."""
        decision = self.placed(
            attempt(3, server='', ranked=('a', 'b')),
            attempt(2, server='', index=1, ranked='b'),
            servers=[A, B],
        )
        decision.chosen = {A: ['a'], B: ['b']}
        for server, says in (
            (A, 'server 1 of 2: a chosen from 2 of 3'),
            (B, 'server 2 of 2: b chosen from 1 of 3'),
        ):
            self.assertIn(says, explain(decision, server).sentence)

    def test_names_are_missing(self):
        """A host was chosen; its name was cut off."""
        self.says(
            'a host chosen from 2 of 3 hosts that placement offered: 1 x (F)',
            self.placed(
                attempt(3, step('F', 3, ('x', 'c')), ranked=('a', 'b')),
                chosen=(),
            ),
        )

    def test_nodes(self):
        """The claim tells which node of a host it was."""
        decision = self.placed(
            attempt(3, ranked=('h/n1', 'h/n2', 'a')),
            claims=[d.ClaimResult(A, 'h/n2', True)], chosen=('h', 'h', 'a'),
        )
        self.assertEqual(
            [['h/n2'], ['h/n1'], ['a']], [row[1] for row in rows(decision)]
        )
        # Neither a refused claim tells it, nor another server's.
        decision.chosen = {A: ['h', 'a']}
        decision.claims[:0] = [
            d.ClaimResult(A, 'h/n1', False), d.ClaimResult(B, 'h/n3', True),
        ]
        self.assertEqual(
            [['h/n2'], ['a'], ['h/n1']], [row[1] for row in rows(decision)]
        )

    def test_stock_scheduler(self):
        """There a filter may return copies, and none is seen taken."""
        self.says(
            '2/3 hosts that reached the filters passed: 1 disabled '
            '(ComputeFilter); which was taken was not seen',
            decide(attempt(3, step('ComputeFilter', 3, ('disabled', 'a')),
                         ranked=('b', 'c')),
                 outcome=d.PASSED, placement=None),
        )

    def test_cut_record(self):
        """The attempt of one of many servers may have been cut."""
        decision = self.placed(
            attempt(9, ranked='b', server=B), servers=[B, A], chosen='b',
        )
        self.says('b chosen; how is not recorded', decision, A)
        self.assertEqual(
            [(1, ['b'], '', 'chosen', ''),
             (8, [], '', 'unknown', 'not recorded')], rows(decision, A),
        )
