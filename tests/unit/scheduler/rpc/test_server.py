"""Dispatch messages, and log few of those that fail."""

import fixtures
import oslo_messaging as messaging
import testtools

from nova_ext.scheduler.rpc.server import RateLimitedDispatcher


class Dispatcher:
    """Raise an error, or return the message."""

    def dispatch(self, incoming):
        """Dispatch as oslo.messaging's does."""
        if isinstance(incoming, Exception):
            raise incoming
        return incoming


class RateLimitedDispatcherTest(testtools.TestCase):
    """Dispatch, and read the log."""

    def setUp(self):
        """Capture the log."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.dispatcher = RateLimitedDispatcher(Dispatcher())

    def failure(self, error):
        """Return the error that the caller gets."""
        wrapped = self.assertRaises(
            messaging.ExpectedException, self.dispatcher.dispatch, error
        )
        return wrapped.exc_info[1]

    def test_answer(self):
        """Return the answer, and log nothing."""
        self.assertEqual(7, self.dispatcher.dispatch(7))
        self.assertEqual('', self.log.output)

    def test_expected(self):
        """Pass on what a method raises on purpose."""
        error = messaging.ExpectedException()
        self.assertIs(error, self.assertRaises(
            messaging.ExpectedException, self.dispatcher.dispatch, error
        ))
        self.assertEqual('', self.log.output)

    def test_refused(self):
        """Log one short line for many messages, without a traceback."""
        for _ in range(20):
            error = messaging.NoSuchMethod('x' * 10**6)
            self.assertIs(error, self.failure(error))
        line, = self.log.output.splitlines()
        self.assertIn('A message is refused: Endpoint does not', line)
        self.assertLess(len(line), 400)

    def test_broken(self):
        """Log one traceback of limited length."""
        for _ in range(20):
            self.assertIsInstance(
                self.failure(KeyError('y' * 10**6)), KeyError
            )
        self.assertEqual(1, self.log.output.count('Traceback'))
        self.assertIn('in dispatch', self.log.output)
        self.assertLess(len(self.log.output), 10_000)
