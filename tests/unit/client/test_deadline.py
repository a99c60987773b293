"""Calls that end in time."""

import threading
import time

import oslo_messaging as messaging
import testtools

from nova_ext.client.deadline import AwayError, Deadline


class DeadlineTest(testtools.TestCase):
    """Over calls that the test holds up."""

    def setUp(self):
        """A bus that is away until the test says otherwise."""
        super().setUp()
        self.back = threading.Event()
        self.addCleanup(self.back.set)
        self.waits = threading.Event()
        self.deadline = Deadline()
        self.begun = []

    def wait(self):
        """What a call without a broker does."""
        self.begun.append(threading.current_thread())
        self.waits.set()
        self.back.wait()

    def test_result(self):
        """Or what the call raises."""
        self.assertEqual(7, self.deadline.within(60, lambda: 7))
        self.assertRaises(
            ZeroDivisionError, self.deadline.within, 60, lambda: 1 / 0
        )

    def test_given_up(self):
        """One call waits for the bus, however many were asked for."""
        self.assertRaises(
            messaging.MessagingTimeout, self.deadline.within, 0.05, self.wait
        )
        for _ in range(20):
            self.assertRaises(
                AwayError, self.deadline.within, 0.01, self.wait
            )
        self.assertTrue(self.waits.wait(60))
        self.assertEqual(1, len(self.begun))

    def test_back(self):
        """What comes then is called again, and in its own time."""
        self.assertRaises(
            messaging.MessagingTimeout, self.deadline.within, 0.05, self.wait
        )
        threading.Timer(0.1, self.back.set).start()
        began = time.monotonic()
        self.assertEqual(7, self.deadline.within(60, lambda: 7))
        self.assertLess(time.monotonic() - began, 30)
