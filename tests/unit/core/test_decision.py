"""Decisions as data."""

import json

import testtools

from nova_ext.core import decision as d


class DecisionTest(testtools.TestCase):
    """What is written can be read."""

    def test_json_and_back(self):
        """Every part survives."""
        made = d.Decision(
            at='2026-01-01T00:00:00.000Z', request_id='req-1',
            servers=['s'], placement=d.Placement('resources=VCPU:1', 2),
            absent=d.Rejection('no candidate', 1, ['cmp-3']),
            attempts=[d.Attempt(
                's', 0, 2,
                [d.Step('F', 'filter', 2, 1, [d.Rejection('', 1, ['a'])])],
                [d.Weighing('W', {'b': 1.0}, {'b': 2.0}, None, 4.0)],
                ['b'], 1,
            )],
            claims=[d.Claim('s', 'b', True)],
            chosen={'s': ['b']}, outcome=d.PLACED,
        )
        data = json.loads(json.dumps(made.to_dict()))
        self.assertEqual(made, d.Decision.from_dict(data))

    def test_fields_of_a_later_version_are_ignored(self):
        """A newer scheduler's record can still be read."""
        made = d.Decision(at='t', request_id='r', attempts=[
            d.Attempt('s', 0, 1, [d.Step('F', 'filter', 1, 1)])
        ])
        data = made.to_dict() | {'later': 1}
        data['attempts'][0]['later'] = 1
        data['attempts'][0]['steps'][0]['later'] = 1
        self.assertEqual(made, d.Decision.from_dict(data))

    def test_rejections_are_grouped(self):
        """By reason, the most frequent first."""
        self.assertEqual(
            [d.Rejection('y', 2, ['b', 'c']), d.Rejection('x', 1, ['a'])],
            d.rejections([('a', 'x'), ('b', 'y'), ('c', 'y')]),
        )
