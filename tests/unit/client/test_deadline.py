"""End calls in time."""

import threading
import time

import oslo_messaging as messaging
import testtools

from nova_ext.client.deadline import BusAwayError, Deadline


class DeadlineTest(testtools.TestCase):
    """Make calls that the test holds up."""

    def setUp(self):
        """Have a bus that is away until the test sets ``back``."""
        super().setUp()
        self.back = threading.Event()
        self.addCleanup(self.back.set)
        self.waits = threading.Event()
        self.deadline = Deadline()
        self.begun = []

    def wait(self):
        """Wait, as a call without a broker does."""
        self.begun.append(threading.current_thread())
        self.waits.set()
        self.back.wait()

    def test_result(self):
        """Return the call's result, or raise its error."""
        self.assertEqual(7, self.deadline.run(60, lambda: 7))
        self.assertRaises(
            ZeroDivisionError, self.deadline.run, 60, lambda: 1 / 0
        )

    def test_abandoned(self):
        """Have one call wait for the bus, however many are tried."""
        self.assertRaises(
            messaging.MessagingTimeout, self.deadline.run, 0.05, self.wait
        )
        for _ in range(20):
            self.assertRaises(
                BusAwayError, self.deadline.run, 0.01, self.wait
            )
        self.assertTrue(self.waits.wait(60))
        self.assertEqual(1, len(self.begun))

    def test_back(self):
        """Make calls again after the bus is back, each in its own time."""
        self.assertRaises(
            messaging.MessagingTimeout, self.deadline.run, 0.05, self.wait
        )
        threading.Timer(0.1, self.back.set).start()
        began = time.monotonic()
        self.assertEqual(7, self.deadline.run(60, lambda: 7))
        self.assertLess(time.monotonic() - began, 30)
