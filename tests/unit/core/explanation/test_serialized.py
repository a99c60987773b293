"""Test explanations as plain data."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.serialized import serialize


class SerializeTest(testtools.TestCase):
    """Serialize the explanation of a decision."""

    decision = d.Decision(
        'now',
        'req-1',
        ['a', 'b'],
        outcome=d.PLACED,
        attempts=[
            d.Attempt(
                server,
                index,
                2,
                ranked=['h'],
                ranked_count=1,
                weighers=[
                    d.Weighing(
                        'W', {'h': 2.0, 'i': 1.0}, {'h': 1.5, 'i': 1.5}
                    ),
                ],
            )
            for index, server in enumerate('ab')
        ],
    )

    def test_server(self):
        """Name the server, where a server was looked for."""
        for wanted, server in (('b', 'b'), ('req-1', ''), ('', '')):
            self.assertEqual(
                server, serialize(self.decision, wanted)['server']
            )

    def test_weights(self):
        """List a host's weights; none where nothing was tried."""
        (weight,) = serialize(self.decision, 'b')['weights']
        self.assertEqual(
            ('h', 'W', 1.0, 1.5),
            tuple(weight[key] for key in (
                'host', 'weigher', 'normalised', 'contribution'
            )),
        )
        refused = d.Decision('now', 'req-1', ['a'], outcome=d.NO_VALID_HOST)
        self.assertEqual([], serialize(refused)['weights'])
