"""Know when a server ends that a replay has elsewhere."""

import testtools

from nova_ext.scheduler.what_if.replay.rolling.shifted_servers import (
    BUILT_S,
    Shift,
    ShiftedServers,
)

A, B, C = ('a', 'a'), ('b', 'b'), ('c', 'c')


class Hosts:
    """List servers.

    :param listed: hosts of servers.
    """

    def __init__(self, **listed):
        self.listed = listed

    def lists(self, host, server):
        """Say whether a host lists a server."""
        return self.listed.get(server) == host

    def find(self, server):
        """Return its host."""
        return self.listed.get(server)


class ShiftedServersTest(testtools.TestCase):
    """One server on b in the replay, and on a in the journal."""

    def setUp(self):
        """Shift it."""
        super().setUp()
        self.servers = ShiftedServers()
        self.shift = self.add()

    def add(self, was=A, now=B, before=None):
        """Add a shift."""
        shift = Shift('one', None, 'w1', 100.0, was, now, {}, {}, before)
        self.servers.add(shift)
        return shift

    def see(self, time, worker='w1', **listed):
        """Have a worker's hosts list servers; return what has not ended."""
        self.servers.end(worker, time, Hosts(**listed))
        return list(self.servers)

    def test_life(self):
        """It ends when its host does not list it any more."""
        self.assertEqual([self.shift], self.see(101.0))
        self.assertEqual([self.shift], self.see(110.0, one=A))
        self.assertEqual([self.shift], self.see(900.0, one=A))
        self.assertTrue(self.servers)
        self.assertEqual([], self.see(910.0))
        self.assertFalse(self.servers)
        self.assertIsNone(self.servers.get('one'))

    def test_other_worker(self):
        """Another one may be told a little later."""
        self.see(110.0, one=A)
        self.assertEqual([self.shift], self.see(111.0, 'w2'))
        self.assertEqual([], self.see(171.0, 'w2'))

    def test_not_built(self):
        """On no host, after some time; or on another one, at once."""
        self.assertEqual([self.shift], self.see(100.0 + BUILT_S))
        self.assertEqual([], self.see(100.5 + BUILT_S))
        self.add()
        self.assertEqual([], self.see(110.0, one=C))

    def test_moved(self):
        """Its old host lists it until the move is confirmed."""
        self.see(110.0, one=A)
        self.servers.begin('one')
        moved = self.add(B, C, A)
        self.assertIs(moved, self.servers.get('one'))
        self.assertEqual([self.shift, moved], self.see(120.0, one=A))
        self.assertEqual([moved], self.see(130.0, one=B))

    def test_rescheduled(self):
        """What was not built is placed anew."""
        self.servers.begin('one')
        self.assertEqual([], list(self.servers))

    def test_refused_then(self):
        """Nobody knows when it would have ended."""
        self.servers.drop([self.shift])
        shift = self.add(None, B)
        self.assertEqual([shift], self.see(9999.0))
