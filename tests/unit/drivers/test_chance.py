"""ChanceScheduler takes any host."""

import testtools

from nova_ext import testing
from nova_ext.drivers.chance import ChanceScheduler


class ChanceSchedulerTest(testtools.TestCase):
    """All hosts, in any order."""

    def test_every_host_comes_first_at_times(self):
        """And none is lost."""
        hosts = [testing.make_host(name) for name in 'abc']
        driver = ChanceScheduler(None)
        rankings = [
            driver.rank(
                hosts, testing.make_request(), testing.make_context()
            ).hosts
            for _ in range(200)
        ]
        self.assertEqual(set('abc'), {ranked[0].host for ranked in rankings})
        for ranked in rankings:
            self.assertEqual('abc', ''.join(sorted(h.host for h in ranked)))
