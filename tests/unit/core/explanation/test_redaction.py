"""Test what a project's member may read of a decision."""

import json

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.core.explanation import serialized
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.redaction import redact
from nova_ext.filters.specified_host import SpecifiedHostFilter
from nova_ext.testing import check, make_host, make_request

SERVER = 'server-a'


def failed(*steps, hosts=4, **fields):
    """Return a decision without a host."""
    left = hosts - sum(
        gone.count for step in steps for gone in step.rejections
    )
    return d.Decision(**{
        'at': '2026-11-21T12:00:00.000Z', 'request_id': 'req-1',
        'servers': [SERVER], 'outcome': d.NO_VALID_HOST,
        'operation': 'first boot', 'hosts_total': hosts,
        'placement': d.Placement('resources=VCPU:1', hosts),
        'absent': d.Rejection('no candidate from placement', 0),
        'attempts': [d.Attempt(
            SERVER, 0, hosts, list(steps), ranked_count=left
        )], **fields,
    })


def rejected(
    name, reason, *hosts, kind='filter', reasons_for='operators', **details
):
    """Return a step that rejects hosts."""
    return d.Step(name, kind, len(hosts), 0, [
        d.Rejection(reason, len(hosts), list(hosts), details)
    ], reasons_for)


def explain_to_member(decision):
    """Return the sentence."""
    return explain(decision, hosts=False).sentence


class FailureTest(testtools.TestCase):
    """Explain why there was no host."""

    def test_counts_and_reasons(self):
        """What was found on hosts, and by whom, stays with operators."""
        decision = failed(
            rejected('ComputeFilter', 'disabled', 'a1', 'a2',
                     reasons_for='members', a1='by an operator: disk',
                     a2='by an operator: disk'),
            rejected('ComputeFilter', 'down', 'a3', 'a4', a3='since 9',
                     a4='since 8', reasons_for='members'),
            by={'host': 'ctl', 'driver': 'IPScheduler', 'configuration': 'f'},
            stages={'placement': 0.5}, seconds=0.5,
        )
        explanation = explain(decision, hosts=False)
        self.assertEqual(
            '0/4 hosts: 2 disabled (ComputeFilter), 2 down (ComputeFilter)',
            explanation.sentence,
        )
        self.assertEqual(
            [(2, [], 'disabled', {}), (2, [], 'down', {})],
            [
                (r.count, r.hosts, r.reason, r.reasons)
                for r in explanation.rows
            ],
        )
        self.assertEqual([
            '2026-11-21T12:00:00.000Z, req-1, first boot, decided by '
            'IPScheduler', 'placement was asked resources=VCPU:1',
        ], explanation.notes)

    def test_own_reason(self):
        """Nobody but its author reads the hint, and what quotes it."""
        request = make_request({'requested_host': ['a1', 'a9']})
        hosts = ['b1', 'b2']
        verdicts = [
            check(SpecifiedHostFilter(), make_host(host), request)
            for host in hosts
        ]
        decision = failed(d.Step('SpecifiedHostFilter', 'filter', 2, 0, (
            d.group_rejections(
                (host, verdict.reason)
                for host, verdict in zip(hosts, verdicts, strict=True)
            )
        ), SpecifiedHostFilter.reasons_for), hosts=2)
        decision.user_id = 'author'
        decision.request = {'hints': {
            'requested_host': ['a1', 'a9'], 'query': '["=", "$host", "a1"]',
            'build_near_host_ip': 'a1', 'group': 'g',
        }}
        for reader, why, hidden in (
            ('author', '2 requested_host is a1 or a9 (SpecifiedHostFilter)',
             False),
            ('another', '2 rejected by SpecifiedHostFilter', True),
            ('', '2 rejected by SpecifiedHostFilter', True),
        ):
            self.assertEqual(f'0/2 hosts: {why}', explain(
                decision, hosts=False, reader=reader
            ).sentence)
            shown = redact(decision, reader)
            self.assertEqual(shown, redact(shown, reader))
            self.assertEqual(hidden, 'a1' not in str(shown), reader)
            self.assertEqual('g', shown.request['hints']['group'])
        decision.user_id = ''
        self.assertNotIn('a1', str(redact(decision)))

    def test_reasons_of_others(self):
        """However they spell a host, nobody has to find it."""
        reasons = [
            'cmp-1 is full', 'CMP-1 IS FULL', 'of cmp-1.example.org',
            'rack_cmp-1', 'cmp%2D1', '1-pmc',
        ]
        decision = failed(
            d.Step(
                'RackFilter',
                'filter',
                6,
                0,
                d.group_rejections(
                    (f'h{number}', reason)
                    for number, reason in enumerate(reasons)
                ),
            ),
            hosts=6,
        )
        self.assertEqual(
            '0/6 hosts: 6 rejected by RackFilter', explain_to_member(decision)
        )
        text = json.dumps(serialized.serialize(redact(decision))).lower()
        for part in 'cmp', 'pmc', 'h0':
            self.assertNotIn(part, text)
        self.assertIn('cmp', json.dumps(serialized.serialize(decision)))

    def test_other_words_under_a_known_name(self):
        """A topic has filters of its own, and Nova's log Nova's words."""
        for others in {'topic': 'backup'}, {'by': {'source': 'log'}}:
            decision = failed(
                rejected('ComputeFilter', 'on a1', 'a1'), hosts=1, **others
            )
            self.assertEqual(
                '0/1 host: 1 rejected by ComputeFilter',
                explain_to_member(decision),
            )

    def test_taken_out_by_request(self):
        """An operator named the host, who moves the server."""
        for field, text, reason in (
            ('force_hosts', 'forced to a2', 'another host is forced'),
            ('requested_destination', 'destination is a2',
             'another host is the destination'),
            ('ignore_hosts', 'host is to be left', 'host is to be left'),
            ('ignore_hosts', d.IGNORED_NEXT, d.IGNORED_NEXT),
        ):
            decision = failed(
                rejected(field, text, 'a1', kind='request'), hosts=1,
                request={'force_hosts': ['a2'], 'requested_host': 'a2'},
            )
            self.assertEqual(
                f'0/1 host: 1 {reason} (request); filters skipped, as the '
                'request forced its host', explain_to_member(decision),
            )

    def test_absent_hosts(self):
        """What ails them is no more told than that of rejected ones."""
        for asked in ({}, {'placement': None}):  # as of a stock scheduler
            decision = failed(
                rejected('F', '', 'a1'), hosts=1, hosts_total=2,
                absent=d.Rejection(
                    'absent', 1, ['a2'], {'a2': 'and is disabled: swap'}
                ), **asked,
            )
            self.assertEqual(
                '0/2 hosts: 1 absent, 1 rejected by F',
                explain_to_member(decision),
            )
            self.assertIn(
                '1 absent and is disabled: swap', explain(decision).sentence
            )

    def test_kept_out(self):
        """The zone is the caller's word; aggregates have the operator's."""
        decision = failed(
            hosts=0, hosts_total=3, placement=d.Placement('', 0),
            request={'availability_zone': 'west'}, attempts=[], kept_out=[
                d.Rejection('not in availability zone west', 2, ['a1', 'a2']),
                d.Rejection(
                    'kept for others', 1, ['a3'],
                    {'a3': 'by aggregate secret'},
                ),
            ],
        )
        self.assertEqual(
            '0/3 hosts, placement offered none: 2 not in availability zone '
            'west, 1 kept for others', explain_to_member(decision),
        )
        self.assertIn('secret', explain(decision).sentence)
        text = json.dumps(redact(decision).to_dict())
        self.assertNotIn('a3', text)
        self.assertNotIn('secret', text)

    def test_rules_of_drivers(self):
        """They tell of networks, and how hosts are named."""
        decision = failed(rejected(
            'IPScheduler', 'not doc-* (rule 10.0.0.0/8)', 'a1', kind='driver'
        ), hosts=1)
        self.assertEqual(
            '0/1 host: 1 left out by IPScheduler', explain_to_member(decision)
        )

    def test_lacks(self):
        """Resources and traits are what was asked for; hosts are not told."""
        query = 'resources=VCPU%3A9&member_of=in%3Au1&in_tree=u2&limit=5'
        decision = failed(
            hosts=0, placement=d.Placement(query, 0), attempts=[],
            hosts_total=3, absent=d.Rejection('no candidate', 3, ['a1']),
            asked_again=PlacementDiagnosis(
                '2026-11-21T12:00:05.000Z', query, after_s=4.2, left_out=[
                    d.LeftOut(['lacks VCPU', 'is disabled'], 2, ['a1', 'a2']),
                    d.LeftOut(
                        ['lacks VCPU', 'is not in aggregate secret'], 1, ['a3']
                    ),
                ], examples=['a1: VCPU 9, at most 8 a server there'],
            ),
        )
        self.assertEqual(
            '0/3 hosts, placement offered none: 3 no candidate; as placement '
            'stood 4.2 s after the decision, every host that it left out '
            'lacks VCPU',
            explain_to_member(decision),
        )
        self.assertEqual(
            'resources=VCPU%3A9&limit=5', redact(decision).placement.query
        )
        decision.placement.query = f'{query} {query}'
        self.assertEqual(
            'resources=VCPU%3A9&limit=5 resources=VCPU%3A9&limit=5',
            redact(decision).placement.query,
        )

    def test_refusal(self):
        """Members read of placement's words those that name no host."""
        aggregate = '9d1c5a7e-3f60-4284-8333-444455556666'
        for refusal, shown in (
            ('400: No such trait(s): CUSTOM_X.', None),
            (f"400: On instance: {{'member_of': '{aggregate}'}}",
             '400: operators can read why'),
            ("400: Invalid query string parameters: Expected 'in_tree' "
             'parameter to be a format of uuid. Got: a1',
             '400: operators can read why'),
            ('403', None),
        ):
            decision = failed(
                hosts=0, attempts=[], hosts_total=3, placement=d.Placement(
                    'q', 0, answered=False, refusal=refusal
                ), absent=d.Rejection('not offered', 3, ['a1']),
            )
            self.assertEqual(
                f'0/3 hosts, placement refused the query '
                f'({shown or refusal}): 3 not offered',
                explain_to_member(decision),
            )
            redacted = redact(decision)
            self.assertEqual(redacted, redact(redacted))
            self.assertNotIn(aggregate, str(redacted))
            self.assertNotIn('a1', str(redacted))

    def test_errors(self):
        """What was raised is the operator's."""
        self.assertIn(
            '0/4 hosts, an error ended it: ',
            explain_to_member(
                failed(outcome=d.FAILED, message='KeyError: a1')
            ),
        )
        for absent in d.Rejection('x', 4, ['a1']), None:
            self.assertIn(
                'before placement was asked (operators can read why)',
                explain_to_member(
                    failed(
                        placement=None,
                        attempts=[],
                        message='not for a1',
                        absent=absent,
                        hosts_total=None,
                    )
                ),
            )


class SuccessTest(testtools.TestCase):
    """Explain why a host was chosen."""

    def test_numbers(self):
        """Hosts are told apart, as far as a decision does."""
        decision = failed(
            rejected('ComputeFilter', 'disabled', 'a4',
                     reasons_for='members'), outcome=d.PLACED,
            chosen={SERVER: ['a1', 'a2']},
            claims=[
                d.ClaimResult(SERVER, 'a3', False),
                d.ClaimResult(SERVER, 'a1', True),
            ],
        )
        attempt = decision.attempts[0]
        attempt.ranked = ['a3', 'a1', 'a2']
        attempt.weighers = [
            d.Weighing('W', {'a1': 2.0}, {'a1': 1.0}, without=['a2'])
        ]
        explanation = explain(decision, hosts=False)
        self.assertEqual(
            'host 1 chosen from 3 of 4 hosts: 1 disabled (ComputeFilter); '
            'claim refused by placement on host 3 (taken meanwhile); '
            'alternates host 2',
            explanation.sentence,
        )
        self.assertEqual(
            ['chosen', 'alternate', 'refused', 'rejected'],
            [row.verdict for row in explanation.rows],
        )
        self.assertIn(
            'without W host 2 would have weighed most', explanation.notes
        )
        self.assertNotIn('weight', explanation.rows[0].reason)

    def test_nodes(self):
        """A node is its host's."""
        decision = failed(
            outcome=d.PLACED, chosen={SERVER: ['a1']},
            claims=[d.ClaimResult(SERVER, 'a1/n2', True)],
        )
        decision.attempts[0].ranked = ['a1/n1', 'a1/n2', 'a2']
        public = redact(decision)
        self.assertEqual(public, redact(public))
        self.assertEqual(
            ['host 1/node 2', 'host 1/node 1', 'host 2'],
            [
                name for row in explain(decision, hosts=False).rows
                for name in row.hosts
            ],
        )

    def test_nothing_else(self):
        """The decision itself may be given away."""
        decision = failed(
            rejected('F', 'x', 'a1', a1='secret'),
            chosen={SERVER: ['a1']},
            by={'host': 'a1'},
            prefilters={'aggregates': ['secret']},
            request={
                'ignore_hosts': ['a1'],
                'secret': 1,
                'availability_zone': 'z',
            },
            absent=d.Rejection('x', 1, ['a1']),
            outcome=d.PLACED,
            message='secret',
            stages={'secret': 1.0},
            asked_again=PlacementDiagnosis(
                't', 'member_of=secret', examples=['a1: secret'],
                left_out=[d.LeftOut(['is in aggregate secret'], 1, ['a1'])],
            ),
        )
        (attempt,) = decision.attempts
        attempt.weighers = [d.Weighing('W', {'a1': 1.0}, {})]
        attempt.absent_stats = [d.Rejection('no stat secret', 1, ['a1'])]
        public = redact(decision)
        text = json.dumps(public.to_dict())
        self.assertNotIn('a1', text)
        self.assertNotIn('secret', text)
        self.assertEqual(['a1'], decision.chosen[SERVER])
        self.assertEqual(
            {'ignore_hosts': ['host 1'], 'availability_zone': 'z'},
            public.request,
        )
        self.assertEqual(public, redact(public))
        decision.topic = 'backup'
        self.assertEqual({}, redact(decision).request)

    def test_refused_claims(self):
        """Placement's words about a claim are the operator's."""
        claims = redact(failed(claims=[
            d.ClaimResult(SERVER, 'a1', False, refusal='409: a1 is secret'),
            d.ClaimResult(SERVER, 'a2', False),
        ])).claims
        self.assertEqual(
            ['operators can read why', ''],
            [claim.refusal for claim in claims],
        )

    def test_draw(self):
        """That there was one, and not in which order the hosts stood."""
        seen = set()
        for hosts in (['a1', 'a2', 'a3'], ['a3', 'a1', 'a2']):
            decision = failed(chosen={SERVER: ['a1', 'a2', 'a3']})
            decision.attempts[0].draw = d.Draw(hosts, 3, 7, 2, 3)
            (attempt,) = redact(decision).attempts
            self.assertEqual(d.Draw(sorted(attempt.draw.hosts), 3, shuffled=2),
                             attempt.draw)
            seen.add(tuple(attempt.draw.hosts))
        self.assertEqual({('host 1', 'host 2', 'host 3')}, seen)
