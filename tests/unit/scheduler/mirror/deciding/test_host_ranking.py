"""Hosts are looked at again when their turn comes."""

import numpy as np
import testtools

from nova_ext.scheduler.mirror.deciding.host_ranking import CheckedHosts


class CheckedHostsTest(testtools.TestCase):
    """Three hosts, of which the second one fails."""

    def test_iterate(self):
        """Each is looked at with those after it, and not before."""
        looked = []

        def passes(rows):
            looked.append(rows.tolist())
            return rows[0] != 1

        hosts = CheckedHosts(np.array([2, 1, 0]), str, passes)
        self.assertEqual(3, len(hosts))
        states = iter(hosts)
        self.assertEqual(('2', [[2, 1, 0]]), (next(states), looked))
        self.assertEqual(['0'], list(states))
        self.assertEqual([[2, 1, 0], [1, 0], [0]], looked)
