"""Hosts by what became of them."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import host_counts


def decide(*attempts, **fields):
    """Return a decision that placed its servers."""
    return d.Decision(
        'now', 'req-1', attempts=list(attempts), outcome=d.PLACED, **fields
    )


class ServerTest(testtools.TestCase):
    """Find the server to explain."""

    def test_server(self):
        """The attempt's, else the wanted one, else the first chosen one."""
        for expected, wanted, server, fields in (
            ('a', '', 'a', {'servers': ['a'], 'chosen': {'z': ['h']}}),
            ('b', 'b', '', {'servers': ['b'], 'chosen': {'z': ['h']}}),
            ('b', 'b', '', {}),
            ('c', '', '', {'servers': ['a'], 'chosen': {'c': ['h']}}),
            ('a', '', '', {'servers': ['a']}),
        ):
            decision = decide(d.Attempt(server, 0, 1), **fields)
            counts = host_counts.count_hosts(decision, wanted)
            self.assertEqual(expected, counts.server, (wanted, fields))

    def test_attempt(self):
        """The one of the server, or at its place where none is named."""
        named = [d.Attempt(server, i, 9) for i, server in enumerate('abb')]
        unnamed = [d.Attempt('', i, 9) for i in (0, 1, 1)]
        for attempts in (named, unnamed):
            decision = decide(*attempts, servers=['a', 'b'])
            for server, position in (('', 0), ('a', 0), ('b', 1)):
                counts = host_counts.count_hosts(decision, server)
                self.assertIs(attempts[position], counts.attempt)
        # The attempt of another server at the same place is not taken.
        decision = decide(
            d.Attempt('x', 0, 9), d.Attempt('a', 1, 9), servers=['a']
        )
        counts = host_counts.count_hosts(decision, 'a')
        self.assertEqual('a', counts.attempt.server)


class RefusedTest(testtools.TestCase):
    """Hosts whose claim placement refused."""

    def test_refused(self):
        """Each once, and every one of which the name is not known."""
        claims = [
            d.ClaimResult(server, host, claimed) for server, host, claimed in (
                ('a', 'h1', False), ('', 'h1', False),
                ('a', d.UNKNOWN_HOST, False), ('a', d.UNKNOWN_HOST, False),
                ('b', 'h2', False), ('a', 'h3', True), ('a', 'h4', False),
            )
        ]
        self.assertEqual(
            ['h1', d.UNKNOWN_HOST, d.UNKNOWN_HOST, 'h4'],
            host_counts.get_refused_hosts(decide(claims=claims), 'a'),
        )
