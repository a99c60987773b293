"""What a project's member may read of a decision."""

import json
from dataclasses import fields

import testtools

from nova_ext.core import decision as d
from nova_ext.core.asked_again import AskedAgain
from nova_ext.core.explain import explain
from nova_ext.core.unnamed import unnamed

SERVER = 'server-a'


def failed(*steps, hosts=4, **fields):
    """A decision that found no host."""
    left = hosts - sum(
        gone.count for step in steps for gone in step.rejections
    )
    return d.Decision(**{
        'at': '2026-11-21T12:00:00.000Z', 'request_id': 'req-1',
        'servers': [SERVER], 'outcome': d.NO_VALID_HOST,
        'occasion': 'first boot', 'hosts_total': hosts,
        'placement': d.Placement('resources=VCPU:1', hosts),
        'absent': d.Rejection('no candidate from placement', 0),
        'attempts': [d.Attempt(
            SERVER, 0, hosts, list(steps), ranked_count=left
        )], **fields,
    })


def rejected(name, reason, *hosts, kind='filter', **details):
    """A step that rejects hosts."""
    return d.Step(name, kind, len(hosts), 0, [
        d.Rejection(reason, len(hosts), list(hosts), details)
    ])


def told(decision):
    """The sentence."""
    return explain(decision, hosts=False).sentence


class FailureTest(testtools.TestCase):
    """Why there was no host."""

    def test_counts_and_reasons(self):
        """What was found on hosts, and by whom, stays with operators."""
        decision = failed(
            rejected('ComputeFilter', 'disabled', 'a1', 'a2',
                     a1='by an operator: disk', a2='by an operator: disk'),
            rejected('F', 'down', 'a3', 'a4', a3='since 9', a4='since 8'),
            by={'host': 'ctl', 'driver': 'IPScheduler', 'configuration': 'f'},
            stages={'placement': 0.5}, seconds=0.5,
        )
        explained = explain(decision, hosts=False)
        self.assertEqual(
            '0/4 hosts: 2 disabled (ComputeFilter), 2 down (F)',
            explained.sentence,
        )
        self.assertEqual(
            [(2, [], 'disabled', {}), (2, [], 'down', {})],
            [(r.count, r.hosts, r.reason, r.reasons) for r in explained.rows],
        )
        self.assertEqual([
            '2026-11-21T12:00:00.000Z, req-1, first boot, decided by '
            'IPScheduler', 'placement was asked resources=VCPU:1',
        ], explained.notes)

    def test_names_in_reasons(self):
        """However they are spelt; what only looks like one stays."""
        reason = 'a1 is near A2.example.org, a3 or a33; see a4.'
        decision = failed(rejected(
            'F', reason, 'a1', 'a2.example.org', 'a3.example.org', 'b/a4'
        ))
        self.assertIn(
            '4 a host is near a host, a host or a33; see a host. (F)',
            told(decision),
        )

    def test_own_words(self):
        """What the one who asked wrote does not show what there is."""
        hints = {'requested_host': ['a1', 'a9']}
        decision = failed(
            rejected('F', 'requested_host is a1 or a9', 'a1', 'a2'), hosts=2,
            request={'hints': hints},
        )
        self.assertEqual(
            '0/2 hosts: 2 requested_host is a1 or a9 (F)', told(decision)
        )

    def test_taken_out_by_request(self):
        """An operator named the host, who moves the server."""
        for field, text, reason in (
            ('force_hosts', 'forced to a2', 'another host is forced'),
            ('requested_destination', 'destination is a2',
             'another host is the destination'),
            ('ignore_hosts', 'host is to be left', 'host is to be left'),
        ):
            decision = failed(
                rejected(field, text, 'a1', kind='request'), hosts=1,
                request={'force_hosts': ['a2'], 'requested_host': 'a2'},
            )
            self.assertEqual(
                f'0/1 host: 1 {reason} (request); filters skipped, as the '
                'request forced its host', told(decision),
            )

    def test_absent_hosts(self):
        """What ails them is no more told than that of rejected ones."""
        for asked in ({}, {'placement': None}):  # as of a stock scheduler
            decision = failed(
                rejected('F', 'down', 'a1'), hosts=1, hosts_total=2,
                absent=d.Rejection(
                    'absent', 1, ['a2'], {'a2': 'and is disabled: swap'}
                ), **asked,
            )
            self.assertEqual('0/2 hosts: 1 absent, 1 down (F)', told(decision))
            self.assertIn(
                '1 absent and is disabled: swap', explain(decision).sentence
            )

    def test_kept_out(self):
        """The zone is the caller's word; aggregates have the operator's."""
        decision = failed(
            rejected('F', 'near west', 'west'), hosts=1, hosts_total=4,
            request={'availability_zone': 'west'}, kept_out=[
                d.Rejection('not in availability zone west', 2, ['a1', 'a2']),
                d.Rejection(
                    'kept for others than a3', 1, ['a3'],
                    {'a3': 'by aggregate secret'},
                ),
            ],
        )
        self.assertEqual(
            '0/4 hosts: 2 not in availability zone west, 1 kept for others '
            'than a host, 1 near west (F)', told(decision),
        )
        self.assertIn('secret', explain(decision).sentence)
        text = json.dumps(unnamed(decision).to_dict())
        self.assertNotIn('a3', text)
        self.assertNotIn('secret', text)

    def test_rules_of_drivers(self):
        """They tell of networks, and how hosts are named."""
        decision = failed(rejected(
            'IPScheduler', 'not doc-* (rule 10.0.0.0/8)', 'a1', kind='driver'
        ), hosts=1)
        self.assertEqual(
            '0/1 host: 1 left out by IPScheduler', told(decision)
        )

    def test_aggregates_of_placement(self):
        """Traits and resources are what was asked for."""
        query = 'resources=VCPU%3A9&member_of=in%3Au1&in_tree=u2&limit=5'
        decision = failed(
            hosts=0, placement=d.Placement(query, 0), attempts=[],
            hosts_total=3, absent=d.Rejection('no candidate', 3, ['a1']),
            asked_again=AskedAgain(
                '2026-11-21T12:00:05.000Z', query, without=[
                    'VCPU:9', 'a host of aggregate secret or other',
                    'no host of aggregate x', 'provider u2',
                ],
            ),
        )
        self.assertEqual(
            '0/3 hosts, placement offered none: 3 no candidate; asked again '
            'at 12:00:05 UTC, placement offers a host without VCPU:9 or '
            'without a host of certain aggregates or without no host of '
            'certain aggregates or without one certain host',
            told(decision),
        )
        self.assertEqual(
            'resources=VCPU%3A9&limit=5', unnamed(decision).placement.query
        )

    def test_errors(self):
        """What was raised is the operator's."""
        self.assertIn('0/4 hosts, an error ended it: ', told(failed(
            outcome=d.FAILED, message='KeyError: a1'
        )))
        self.assertIn('before placement was asked (not for a host)', told(
            failed(placement=None, attempts=[], message='not for a1',
                   absent=d.Rejection('x', 4, ['a1']))
        ))

    def test_absent_stats(self):
        """Counted, too."""
        decision = failed()
        decision.attempts[0].absent_stats = [
            d.Rejection('no stat x', 2, ['a1', 'a2'], {'a1': '9 s'})
        ]
        self.assertIn(
            '2 hosts: no stat x', explain(decision, hosts=False).notes
        )


class SuccessTest(testtools.TestCase):
    """Why a host was chosen."""

    def test_numbers(self):
        """Hosts are told apart, as far as a decision does."""
        decision = failed(
            rejected('F', 'disabled', 'a4'), outcome=d.PLACED,
            chosen={SERVER: ['a1', 'a2']},
            claims=[
                d.Claim(SERVER, 'a3', False), d.Claim(SERVER, 'a1', True),
            ],
        )
        attempt = decision.attempts[0]
        attempt.ranked = ['a3', 'a1', 'a2']
        attempt.weighers = [
            d.Weighing('W', {'a1': 2.0}, {'a1': 1.0}, without=['a2'])
        ]
        explained = explain(decision, hosts=False)
        self.assertEqual(
            'host 1 chosen from 3 of 4 hosts: 1 disabled (F); claim refused '
            'by placement on host 3 (taken meanwhile); alternates host 2',
            explained.sentence,
        )
        self.assertEqual(
            ['chosen', 'alternate', 'refused', 'rejected'],
            [row.verdict for row in explained.rows],
        )
        self.assertIn(
            'without W host 2 would have weighed most', explained.notes
        )
        self.assertNotIn('weight', explained.rows[0].reason)

    def test_nodes(self):
        """A node is its host's."""
        decision = failed(
            outcome=d.PLACED, chosen={SERVER: ['a1']},
            claims=[d.Claim(SERVER, 'a1/n2', True)],
        )
        decision.attempts[0].ranked = ['a1/n1', 'a1/n2', 'a2']
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
            rejected('F', 'x', 'a1', a1='secret'), chosen={SERVER: ['a1']},
            by={'host': 'a1'}, prefilters={'aggregates': ['u1']},
            request={'ignore_hosts': ['a1']},
            absent=d.Rejection('x', 1, ['a1']),
        )
        decision.attempts[0].weighers = [d.Weighing('W', {'a1': 1.0}, {})]
        text = json.dumps(unnamed(decision).to_dict())
        self.assertNotIn('a1', text)
        self.assertNotIn('secret', text)
        self.assertEqual(['a1'], decision.chosen[SERVER])

    def test_draw(self):
        """That there was one, and not in which order the hosts stood."""
        seen = set()
        for hosts in (['a1', 'a2', 'a3'], ['a3', 'a1', 'a2']):
            decision = failed(chosen={SERVER: ['a1', 'a2', 'a3']})
            decision.attempts[0].draw = d.Draw(hosts, 3, 7, 2, 3)
            (attempt,) = unnamed(decision).attempts
            self.assertEqual(d.Draw(sorted(attempt.draw.hosts), 3),
                             attempt.draw)
            seen.add(tuple(attempt.draw.hosts))
        self.assertEqual({('host 1', 'host 2', 'host 3')}, seen)

    def test_every_field(self):
        """Whoever adds one has to think of it here, and then below."""
        self.assertEqual({
            'at', 'request_id', 'servers', 'project_id', 'user_id',
            'occasion', 'by', 'request', 'prefilters', 'placement',
            'hosts_total', 'absent', 'attempts', 'claims', 'chosen',
            'outcome', 'message', 'seconds', 'stages', 'asked_again',
            'simulated', 'unread_hints', 'version', 'topic', 'wanted',
            'kept_out', 'left_out',
        }, {field.name for field in fields(d.Decision)})
        self.assertEqual({
            'server', 'index', 'hosts_in', 'steps', 'weighers', 'ranked',
            'ranked_count', 'equal', 'draw', 'unasked', 'absent_stats',
        }, {field.name for field in fields(d.Attempt)})
        self.assertEqual({
            'hosts', 'count', 'seed', 'shuffled', 'subset_size', 'by_driver',
        }, {field.name for field in fields(d.Draw)})
