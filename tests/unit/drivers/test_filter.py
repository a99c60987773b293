"""FilterScheduler."""

import testtools

from nova_ext import testing
from nova_ext.drivers.filter import FilterScheduler


class FilterSchedulerTest(testtools.TestCase):
    """Nova's order stays."""

    def test_order_is_kept(self):
        """Nothing is left out or moved."""
        hosts = [testing.make_host(name) for name in 'cab']
        ranking = FilterScheduler(None).rank(
            hosts, testing.make_request(), testing.make_context()
        )
        self.assertEqual((hosts, ''), (ranking.hosts, ranking.reason))
