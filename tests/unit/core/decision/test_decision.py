"""Decisions as data."""

import json

import testtools

from nova_ext.core.decision import decision as d


class DecisionTest(testtools.TestCase):
    """Write decisions, and read them back."""

    def test_json_and_back(self):
        """Every part survives."""
        decision = d.Decision(
            at='2026-01-01T00:00:00.000Z', request_id='req-1',
            servers=['s'], placement=d.Placement('resources=VCPU:1', 2),
            absent=d.Rejection('no candidate', 1, ['cmp-3']),
            attempts=[d.Attempt(
                's', 0, 2,
                [d.Step('F', 'filter', 2, 1, [d.Rejection('', 1, ['a'])])],
                [d.Weighing('W', {'b': 1.0}, {'b': 2.0}, None, 4.0)],
                ['b'], 1,
            )],
            claims=[d.ClaimResult('s', 'b', True)],
            chosen={'s': ['b']}, outcome=d.PLACED,
        )
        data = json.loads(json.dumps(decision.to_dict()))
        self.assertEqual(decision, d.Decision.from_dict(data))

    def test_sparse_json_and_back(self):
        """Leave out defaults, and read them back."""
        decision = d.Decision('t', 'r', attempts=[
            d.Attempt('s', 0, 1, [d.Step('F', 'filter', 1, 1)])
        ])
        data = decision.to_sparse_dict()
        self.assertEqual(
            {
                'version': 1, 'at': 't', 'request_id': 'r', 'attempts': [{
                    'server': 's', 'index': 0, 'hosts_in': 1, 'steps': [{
                        'name': 'F', 'kind': 'filter', 'hosts_in': 1,
                        'hosts_out': 1,
                    }],
                }],
            },
            data,
        )
        self.assertEqual(['version', 'at'], list(data)[:2])
        self.assertEqual(decision, d.Decision.from_dict(data))

    def test_what_is_no_decision(self):
        """Data of other types is refused, however deep."""
        good = {'at': 't', 'request_id': 'r'}
        for bad in (
            [], {}, 7, None, good | {'at': 1}, good | {'servers': 's'},
            good | {'servers': [1]}, good | {'attempts': [7]},
            good | {'attempts': [{'server': 's'}]}, good | {'placement': 7},
            good | {'chosen': {'s': 'h'}}, good | {'seconds': '1'},
        ):
            self.assertRaises(TypeError, d.Decision.from_dict, bad)
        self.assertEqual(
            3, d.Decision.from_dict(good | {'seconds': 3}).seconds
        )

    def test_concerns(self):
        """A decision is about its request and its servers."""
        decision = d.Decision('t', 'r', ['a', 'b'], project_id='p')
        self.assertEqual(
            [True, True, True, False],
            [decision.concerns(wanted) for wanted in ('r', 'a', 'b', 'p')],
        )

    def test_fields_of_a_later_version_are_ignored(self):
        """A newer scheduler's record can still be read."""
        decision = d.Decision(at='t', request_id='r', attempts=[
            d.Attempt('s', 0, 1, [d.Step('F', 'filter', 1, 1)])
        ])
        data = decision.to_dict() | {'later': 1}
        data['attempts'][0]['later'] = 1
        data['attempts'][0]['steps'][0]['later'] = 1
        self.assertEqual(decision, d.Decision.from_dict(data))

    def test_name_of_a_host(self):
        """Add the node's name where it differs."""
        for host, node, name in (
            ('cmp-1', 'cmp-1', 'cmp-1'), ('cmp-1', 'cmp-1.example', 'cmp-1'),
            ('cmp-1.example', 'cmp-1', 'cmp-1.example'),
            ('cmp-1', 'node-1', 'cmp-1/node-1'),
        ):
            self.assertEqual(name, d.name_host(host, node))

    def test_rejections_are_grouped(self):
        """By reason, the most frequent first."""
        self.assertEqual(
            [d.Rejection('y', 2, ['b', 'c']), d.Rejection('x', 1, ['a'])],
            d.group_rejections([('a', 'x'), ('b', 'y'), ('c', 'y')]),
        )

    def test_details_stay_with_their_hosts(self):
        """What was found on a host, where something was."""
        self.assertEqual(
            [d.Rejection('x', 2, ['a', 'b'], {'a': 'since 9'}),
             d.Rejection('y', 1, ['c'], {'c': 'at 8'})],
            d.group_rejections(
                [('a', 'x'), ('b', 'x'), ('c', 'y')],
                {'a': 'since 9', 'b': '', 'c': 'at 8'},
            ),
        )
