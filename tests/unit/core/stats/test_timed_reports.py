"""Reports: the newest of each, while it is young enough."""

import time

import testtools

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats.timed_reports import TimedReports


class ReportsTest(testtools.TestCase):
    """At most two reporters, each for 10 seconds."""

    def setUp(self):
        """Use a clock that the test turns."""
        super().setUp()
        self.now = 0.0
        self.reports = TimedReports(10, 2, 'services', clock=lambda: self.now)

    def test_age(self):
        """At the limit it counts, past it not; the age is still known."""
        self.reports.update({'a': 1}, 1)
        self.now = 10.0
        self.assertEqual(1, self.reports.get('a'))
        self.assertEqual({'a': 1}, self.reports.get_all())
        self.now = 10.1
        self.assertIsNone(self.reports.get('a'))
        self.assertEqual({}, self.reports.get_all())
        self.assertEqual(10.1, self.reports.get_age_s('a'))
        self.assertIsNone(self.reports.get_age_s('b'))

    def test_overtaken(self):
        """An older report that comes late changes nothing."""
        self.reports.update({'a': 'new'}, 2)
        self.reports.update({'a': 'old'}, 1)
        self.assertEqual('new', self.reports.get('a'))

    def test_clock_of_a_reporter_set_back(self):
        """It is believed again when its last report is too old."""
        self.reports.update({'a': 1}, 100)
        self.now = 11.0
        self.reports.update({'a': 2}, 50)
        self.assertEqual(2, self.reports.get('a'))

    def test_serial_of_the_future(self):
        """One forged report does not keep out those that follow."""
        now = time.time_ns()
        for forged in (2**63, 10**30, now + 3600 * 10**9):
            self.reports.update({'a': 'forged'}, forged)
            self.reports.update({'a': 'true'}, now)
            self.assertEqual('true', self.reports.get('a'))
        self.reports.update({'a': 'late'}, now - 1)
        self.assertEqual('true', self.reports.get('a'))

    def test_age_of_old_ones(self):
        """They are kept as long as nobody needs their place."""
        self.reports.update({'a': 1}, 1)
        self.now = 11.0
        self.reports.update({'b': 2}, 1)
        self.assertEqual(11.0, self.reports.get_age_s('a'))

    def test_room(self):
        """Who is too old makes room; a newcomer beyond that is refused."""
        self.reports.update({'a': 1}, 1)
        self.now = 5.0
        self.reports.update({'b': 2}, 1)
        error = self.assertRaises(
            WrongArgumentsError, self.reports.update, {'b': 3, 'c': 3}, 2
        )
        self.assertIn('2 services are kept', str(error))
        self.assertEqual(2, self.reports.get('b'))
        self.reports.update({'b': 4}, 2)
        self.now = 11.0
        self.reports.update({'c': 3}, 1)
        self.assertEqual({'b': 4, 'c': 3}, self.reports.get_all())
