"""Dispatch messages, and log few of those that fail."""

import fixtures
import oslo_messaging as messaging
import testtools

from nova_ext.scheduler.rpc.server import RateLimitedDispatcher


class Incoming:
    """Represent a message; a caller waits for its answer or not."""

    def __init__(self, result=None, method='ask', **caller):
        """Have the method end in this."""
        self.message = {'method': method}
        self.result = result
        vars(self).update(caller)


class Dispatcher:
    """Raise an error, or return a result."""

    def dispatch(self, incoming):
        """Dispatch as oslo.messaging's does."""
        if isinstance(incoming.result, Exception):
            raise incoming.result
        return incoming.result


class RateLimitedDispatcherTest(testtools.TestCase):
    """Dispatch, and read the log."""

    def setUp(self):
        """Capture the log."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.dispatcher = RateLimitedDispatcher(
            Dispatcher(), frozenset({'simulate'})
        )

    def failure(self, error):
        """Return the error that the caller gets."""
        wrapped = self.assertRaises(
            messaging.ExpectedException, self.dispatcher.dispatch,
            Incoming(error),
        )
        return wrapped.exc_info[1]

    def test_answer(self):
        """Return the answer, and log nothing."""
        self.assertEqual(7, self.dispatcher.dispatch(Incoming(7)))
        self.assertEqual('', self.log.output)

    def test_expected(self):
        """Pass on what a method raises on purpose."""
        error = messaging.ExpectedException()
        self.assertIs(error, self.assertRaises(
            messaging.ExpectedException, self.dispatcher.dispatch,
            Incoming(error),
        ))
        self.assertEqual('', self.log.output)

    def test_cast(self):
        """Run for nobody what is asked for its answer alone."""
        for caller in {'msg_id': 'a1'}, {'_reply_q': object()}:
            self.assertEqual(7, self.dispatcher.dispatch(
                Incoming(7, 'simulate', **caller)
            ))
        for caller in {}, {'msg_id': None, 'reply_q': None}:
            self.assertRaises(
                messaging.ExpectedException, self.dispatcher.dispatch,
                Incoming(7, 'simulate', **caller),
            )
        line, = self.log.output.splitlines()
        self.assertIn('is refused: simulate was cast', line)

    def test_no_name(self):
        """Refuse a method that is no text."""
        self.assertIsInstance(self.assertRaises(
            messaging.ExpectedException, self.dispatcher.dispatch,
            Incoming(7, ['simulate']),
        ).exc_info[1], TypeError)

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
