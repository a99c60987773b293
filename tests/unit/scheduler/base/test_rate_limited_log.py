"""Test that many messages leave one line a minute."""

import logging

import fixtures
import testtools

from nova_ext.scheduler.base.rate_limited_log import INTERVAL_S, RateLimitedLog


class SeldomTest(testtools.TestCase):
    """Test with a clock of its own."""

    def test_flood(self):
        """Say in the next line how many were left out."""
        log = self.useFixture(fixtures.FakeLogger())
        now = 0.0
        seldom = RateLimitedLog(logging.getLogger(__name__), clock=lambda: now)
        for n in range(5):
            seldom.warning('refused: %s', n)
        self.assertEqual('refused: 0\n', log.output)
        now = INTERVAL_S
        seldom.warning('refused: %s', 'last')
        self.assertEqual(
            'refused: 0\nrefused: last (4 more like it before)\n', log.output
        )
