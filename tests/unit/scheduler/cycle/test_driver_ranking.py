"""Test how a driver ranks Nova's host states."""

import copy

import testtools
from nova import exception

from nova_ext.plugin import ComputeDriver, Ranking
from nova_ext.scheduler.cycle import driver_ranking
from nova_ext.testing import make_host, make_request


class Copying(ComputeDriver):
    """Rank copies, the last one first."""

    def __init__(self, *others):
        self.others = others

    def rank(self, hosts, request, context):
        """Add other hosts, too."""
        return Ranking([copy.copy(h) for h in hosts[::-1]] + [*self.others])


class RankTest(testtools.TestCase):
    """Test that hosts are identified by host and node."""

    def rank(self, hosts, *others):
        """Rank hosts by a driver."""
        return driver_ranking.rank(
            Copying(*others), hosts, make_request(), None
        )

    def test_own_states(self):
        """Return Nova's own host states for copies."""
        hosts = [make_host('a', nodename=name) for name in ('n1', 'n2')]
        ranked = self.rank(hosts)
        self.assertEqual(
            [id(hosts[1]), id(hosts[0])], [id(host) for host in ranked]
        )

    def test_other_host(self):
        """Refuse another node of the same host."""
        error = self.assertRaises(
            exception.NoValidHost, self.rank,
            [make_host('a', nodename='n1')], make_host('a', nodename='n2'),
        )
        self.assertIn('driver Copying raised ValueError', str(error))
