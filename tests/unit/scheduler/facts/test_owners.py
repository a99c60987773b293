"""How many servers of an owner a host has."""

import testtools
from nova import objects
from nova.scheduler import host_manager
from oslo_utils.fixture import uuidsentinel as uuids

from nova_ext.scheduler.facts import owners


class OwnersTest(testtools.TestCase):
    """What the databases know, and what the request adds."""

    def setUp(self):
        """One server of the owner on node n of host h."""
        super().setUp()
        self.counted = {('h', 'n'): 1}
        self.patch(owners, '_count', lambda user, but: dict(self.counted))
        self.owners = owners.Owners()

    def host(self, node='n', reported=5, now=5):
        """Nova's state of a host, as reported and as depleted since."""
        state = host_manager.HostState('h', node, 'cell')
        state.stats = {'num_instances': str(reported)}
        state.num_instances = now
        return state

    def spec(self):
        """A request of some user."""
        objects.register_all()
        return objects.RequestSpec(user_id='u', instance_uuid=uuids.server)

    def test_nodes(self):
        """A host's nodes are told apart."""
        spec = self.spec()
        self.assertEqual(1, self.owners.servers(self.host(), spec))
        self.assertEqual(0, self.owners.servers(self.host('other'), spec))

    def test_same_request(self):
        """What the request placed on the host since counts."""
        spec = self.spec()
        self.assertEqual(3, self.owners.servers(self.host(now=7), spec))
        self.assertEqual(2, self.owners.servers(self.host('o', now=7), spec))

    def test_once_a_request(self):
        """A request keeps what it saw first, another looks anew."""
        first = self.spec()
        self.owners.servers(self.host(), first)
        self.counted = {('h', 'n'): 9}
        self.assertEqual(1, self.owners.servers(self.host(), first))
        self.assertEqual(9, self.owners.servers(self.host(), self.spec()))

    def test_nothing_reported(self):
        """A host state that no compute node has filled yet."""
        state = host_manager.HostState('h', 'n', 'cell')
        self.assertEqual(1, self.owners.servers(state, self.spec()))
