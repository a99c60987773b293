"""Count the servers of an owner on each host."""

import testtools
from nova import objects
from nova.scheduler import host_manager
from oslo_utils.fixture import uuidsentinel as uuids

from nova_ext.scheduler.facts import owner_counts


class OwnerCountsTest(testtools.TestCase):
    """Add what a request placed to what the databases have."""

    def setUp(self):
        """Have one server of the owner on node n of host h."""
        super().setUp()
        self.counted = {('h', 'n'): 1}
        self.patch(
            owner_counts, '_count_servers', lambda *query: dict(self.counted)
        )
        self.counts = owner_counts.OwnerCounts()

    def host(self, node='n', reported=5, now=5):
        """Return Nova's state of a host, as reported and as depleted since."""
        state = host_manager.HostState('h', node, 'cell')
        state.stats = {'num_instances': str(reported)}
        state.num_instances = now
        return state

    def spec(self):
        """Return a request of some user."""
        objects.register_all()
        return objects.RequestSpec(user_id='u', instance_uuid=uuids.server)

    def test_nodes(self):
        """Tell a host's nodes apart."""
        spec = self.spec()
        self.assertEqual(1, self.counts.count(self.host(), spec))
        self.assertEqual(0, self.counts.count(self.host('other'), spec))

    def test_same_request(self):
        """Count what the request placed on the host since."""
        spec = self.spec()
        self.assertEqual(3, self.counts.count(self.host(now=7), spec))
        self.assertEqual(2, self.counts.count(self.host('o', now=7), spec))

    def test_once_a_request(self):
        """Read once for a request, and anew for another."""
        first = self.spec()
        self.counts.count(self.host(), first)
        self.counted = {('h', 'n'): 9}
        self.assertEqual(1, self.counts.count(self.host(), first))
        self.assertEqual(9, self.counts.count(self.host(), self.spec()))

    def test_nothing_reported(self):
        """Take a host state that no compute node has filled yet."""
        state = host_manager.HostState('h', 'n', 'cell')
        self.assertEqual(1, self.counts.count(state, self.spec()))
