"""A flood of messages leaves a line a minute."""

import logging

import fixtures
import testtools

from nova_ext.scheduler.base.rate_limited_log import INTERVAL_S, Seldom


class SeldomTest(testtools.TestCase):
    """Over a clock that the test turns."""

    def test_flood(self):
        """The next line tells how many were left out."""
        log = self.useFixture(fixtures.FakeLogger())
        now = 0.0
        seldom = Seldom(logging.getLogger(__name__), clock=lambda: now)
        for n in range(5):
            seldom.warning('refused: %s', n)
        self.assertEqual('refused: 0\n', log.output)
        now = INTERVAL_S
        seldom.warning('refused: %s', 'last')
        self.assertEqual(
            'refused: 0\nrefused: last (4 more like it before)\n', log.output
        )
