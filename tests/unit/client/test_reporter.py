"""Report at once when something changes, else periodically."""

import queue

import fixtures
import testtools

from nova_ext.client import Reporter, UnreachableError

#: Seconds in which a report must have come.
DEADLINE_S = 20


class Receiver:
    """Take reports; lose the first one."""

    def __init__(self):
        self.reports = queue.Queue()
        self.lost = 0

    def update_service_capabilities(self, context, service_name, host,
                                    capabilities):
        """Take one."""
        if not self.lost:
            self.lost = 1
            raise UnreachableError('no bus')
        self.reports.put((service_name, host, dict(capabilities)))


class ReporterTest(testtools.TestCase):
    """Report one service."""

    def setUp(self):
        """Set up a receiver."""
        super().setUp()
        self.receiver = Receiver()
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))

    def reporter(self, interval_s):
        """Return a reporter of backup on h1."""
        return Reporter(self.receiver, None, 'backup', 'h1', interval_s)

    def next(self):
        """Return the capabilities that come next."""
        return self.receiver.reports.get(timeout=DEADLINE_S)[2]

    def test_change_at_once(self):
        """Report a change long before the interval is over."""
        self.receiver.lost = 1
        with self.reporter(interval_s=3600) as reporter:
            reporter.report({'free_gb': 10})
            self.assertEqual({'free_gb': 10}, self.next())
            reporter.report({'free_gb': 10})
            reporter.report({'free_gb': 9})
            self.assertEqual({'free_gb': 9}, self.next())

    def test_change_in_a_list(self):
        """A caller may go on with a list that it reported."""
        self.receiver.lost = 1
        images = ['a']
        with self.reporter(interval_s=3600) as reporter:
            reporter.report({'images': images})
            self.assertEqual({'images': ['a']}, self.next())
            images.append('b')
            reporter.report({'images': images})
            self.assertEqual({'images': ['a', 'b']}, self.next())

    def test_nothing_before_the_first(self):
        """Send nothing before the first report."""
        self.receiver.lost = 1
        with self.reporter(interval_s=0.01) as reporter:
            self.assertRaises(
                queue.Empty, self.receiver.reports.get, timeout=0.2
            )
            reporter.report({'free_gb': 10})
            self.assertEqual({'free_gb': 10}, self.next())

    def test_end_without_a_report(self):
        """End without a report."""
        with self.reporter(interval_s=3600) as reporter:
            pass
        self.assertFalse(reporter._thread.is_alive())

    def test_no_capabilities(self):
        """Report a service without capabilities."""
        self.receiver.lost = 1
        with self.reporter(interval_s=3600) as reporter:
            reporter.report({})
            self.assertEqual({}, self.next())

    def test_in_full_from_time_to_time(self):
        """Repeat reports, after a lost one too; log the loss."""
        with self.reporter(interval_s=0.1) as reporter:
            reporter.report({'free_gb': 10})
            for _ in range(4):
                last = self.next()
            self.assertEqual({'free_gb': 10}, last)
        self.assertIn('A report was lost: no bus', self.log.output)
        self.assertFalse(reporter._thread.is_alive())
