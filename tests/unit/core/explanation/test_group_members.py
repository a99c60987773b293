"""Members of a server group that were scheduled at the same time."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import group_members


def place(server, host, at='12:00:00', group='g', **fields):
    """Return the decision on a member."""
    return d.Decision(**{
        'at': f'2026-11-21T{at}.000Z', 'request_id': f'req-{server}',
        'servers': [server], 'chosen': {server: [host]} if host else {},
        'outcome': d.PLACED if host else d.NO_VALID_HOST,
        'request': {'hints': {'group': [group]}}, **fields,
    })


class InFlightTest(testtools.TestCase):
    """Several requests at once."""

    def test_note(self):
        """Those near in time, with a host they share; no names to members."""
        own = place('a', 'c1')
        others = [
            own, place('b', 'c1', '12:00:30'), place('c', 'c2', '11:59:30'),
            place('d', 'c3', '12:02:00'), place('e', 'c4', group='h'),
            place('f', ''), place('x', 'c5', request_id='req-a'),
        ]
        (note,) = group_members.describe_in_flight(own, others, remark='more')
        self.assertEqual(
            '2 other servers of its group got hosts within 60 s, when the '
            'scheduler may not have seen them there: b on c1, c on c2; c1 got '
            'several; more', note,
        )
        (note,) = group_members.describe_in_flight(own, others, hosts=False)
        self.assertTrue(note.endswith('seen them there'), note)
        self.assertEqual(
            [], group_members.describe_in_flight(place('f', ''), others)
        )
        self.assertEqual([], group_members.describe_in_flight(own, [own]))

    def test_concerns(self):
        """A group's UUID finds the decisions on its members."""
        self.assertTrue(place('a', 'c1').concerns('g'))
        self.assertFalse(place('a', 'c1').concerns('h'))
        self.assertEqual('', group_members.get_group(d.Decision('', '')))
