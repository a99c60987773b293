"""Tell hosts with several nodes."""

import types

import numpy as np
import testtools

from nova_ext.scheduler.mirror.hosts import servers


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
