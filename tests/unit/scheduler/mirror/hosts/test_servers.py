"""Tell hosts with several nodes, and where the servers of a group are."""

import types

import numpy as np
import testtools
from nova import objects

from nova_ext.scheduler.mirror.hosts import servers

objects.register_all()


class SeveralNodesTest(testtools.TestCase):
    """One host has two nodes, another one."""

    def test_several(self):
        """Those that are left decide."""
        hosts = np.array(['ironic', 'cmp', 'ironic'], object)
        columns = types.SimpleNamespace(get_values={'host': hosts}.get)
        for rows, several in (([0, 1], False), ([0, 1, 2], True), ([], False)):
            self.assertEqual(several, servers.have_several_nodes(
                columns, np.array(rows, np.int64)
            ))


class ServerGroupTest(testtools.TestCase):
    """A group with a server on z; a host that tells of its servers."""

    def setUp(self):
        """Make the group, and what Nova knows."""
        super().setUp()
        self.group = objects.InstanceGroup(hosts=['z'], policy='affinity')
        self.manager = types.SimpleNamespace(_instance_info={
            'a': {'updated': True, 'instances': {'s0': 'as it is'}},
        })

    def make(self, group):
        """Return what notes it for a request."""
        return servers.ServerGroup(types.SimpleNamespace(instance_group=group))

    def test_restore(self):
        """What Nova noted of claims that are released is forgotten."""
        noted = self.make(self.group)
        self.group.hosts.append('a')
        noted.restore()
        self.assertEqual(['z'], self.group.hosts)
        self.assertNotIn('hosts', self.group.obj_what_changed())
        self.make(None).restore()

    def test_add(self):
        """Placed servers of a group are on their hosts for the next request.

        What a host told itself stays, and so does a host that tells nothing.
        """
        states = [
            types.SimpleNamespace(host=host, instances={
                's0': 'placed', 's1': 'placed', 'other': 'placed',
            }) for host in ('a', 'b')
        ]
        self.make(None).add(self.manager, states, ['s0', 's1'])
        known = self.manager._instance_info
        self.assertEqual({'s0': 'as it is'}, known['a']['instances'])
        self.make(self.group).add(self.manager, states, ['s0', 's1'])
        self.assertEqual(
            {'s0': 'as it is', 's1': 'placed'}, known['a']['instances']
        )
        self.assertNotIn('b', known)
