"""OwnerServersCost on its own."""

import testtools

from nova_ext import testing
from nova_ext.costs.owner_servers import OwnerServersCost
from nova_ext.plugin import MAX_COST


class Facts(testing.FakeFacts):
    """Count the servers of two owners."""

    def count_servers_of_owner(self, host, request, owner_id=''):
        """Return a number for each."""
        return {'': 1, 'b3f1': 3, 'many': 2**31}[owner_id]


class OwnerServersTest(testtools.TestCase):
    """One host, on which several owners have servers."""

    def cost(self, **hints):
        """Return the host's cost."""
        return OwnerServersCost(facts=Facts()).get_cost(
            testing.make_host('cmp-1'), testing.make_request(hints)
        )

    def test_owner(self):
        """By the hint, or else the request's user; each like 1 GiB."""
        self.assertEqual(1024, self.cost())
        self.assertEqual(3072, self.cost(nova_ext_owner='b3f1'))

    def test_bounds(self):
        """It stays a cost with any number of servers."""
        self.assertEqual(MAX_COST, self.cost(nova_ext_owner='many'))
