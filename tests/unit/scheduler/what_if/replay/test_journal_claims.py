"""Hosts that others took are no alternates, as they were none then."""

from types import SimpleNamespace
from unittest import mock

import testtools

from nova_ext.journal.model import JournalClaim
from nova_ext.scheduler.what_if.replay import mirrored_candidates
from nova_ext.scheduler.what_if.replay.journal_claims import JournalClaims


class TakenTest(testtools.TestCase):
    """Placement granted a claim on one of three hosts."""

    def claim(self, *taken, servers=('s',)):
        """Claim again; return the hosts that are left.

        :param taken: what others had taken meanwhile.
        """
        names = ('one', 'two', 'three')
        states = [
            SimpleNamespace(uuid=name, allocation_candidates=['some'])
            for name in names
        ]
        self.patch(mirrored_candidates, 'list_candidates', lambda _: None)
        claims = JournalClaims(mock.Mock())
        claims.open(SimpleNamespace(
            mirrored=True, servers=servers,
            hosts=[SimpleNamespace(host=name, uuid=name) for name in names],
            claims=[
                *(JournalClaim('', host, False) for host in taken),
                JournalClaim('s', 'one', True),
            ],
        ), states)
        self.claims, self.states = claims, states
        self.assertTrue(self.claim_again('s', 'one'))
        return self.list_left()

    def claim_again(self, server, host):
        """Claim for a server."""
        return self.claims.claim_resources(None, server, {
            'allocations': {host: {'resources': {'VCPU': 1}}},
        })

    def list_left(self):
        """Return the hosts that may still be tried."""
        return [
            state.uuid for state in self.states if state.allocation_candidates
        ]

    def test_taken(self):
        """One that was taken is not tried any more."""
        self.assertEqual(['one', 'two', 'three'], self.claim())
        self.assertEqual(['one', 'three'], self.claim('two'))

    def test_several_servers(self):
        """It may have been taken after the first one had a host."""
        self.assertEqual(
            ['one', 'two', 'three'], self.claim('two', servers=('s', 't'))
        )
        self.assertTrue(self.claim_again('t', 'three'))
        self.assertEqual(['one', 'three'], self.list_left())
