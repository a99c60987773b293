"""Messages that reach no method, or break one."""

import fixtures
import oslo_messaging as messaging
import testtools

from nova_ext.scheduler.rpc.guarded_dispatcher import Guarded


class Dispatcher:
    """Raises what it is given."""

    def dispatch(self, incoming):
        """As oslo.messaging's does."""
        if isinstance(incoming, Exception):
            raise incoming
        return incoming


class GuardedTest(testtools.TestCase):
    """What is answered, and what the log keeps."""

    def setUp(self):
        """Take the log."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())
        self.guarded = Guarded(Dispatcher())

    def failure(self, error):
        """What whoever waits for an answer is told."""
        wrapped = self.assertRaises(
            messaging.ExpectedException, self.guarded.dispatch, error
        )
        return wrapped.exc_info[1]

    def test_answer(self):
        """Nothing stands between."""
        self.assertEqual(7, self.guarded.dispatch(7))
        self.assertEqual('', self.log.output)

    def test_expected(self):
        """What a method raises on purpose goes by."""
        error = messaging.ExpectedException()
        self.assertIs(error, self.assertRaises(
            messaging.ExpectedException, self.guarded.dispatch, error
        ))
        self.assertEqual('', self.log.output)

    def test_refused(self):
        """One short line for many long messages, without a traceback."""
        for _ in range(20):
            error = messaging.NoSuchMethod('x' * 10**6)
            self.assertIs(error, self.failure(error))
        line, = self.log.output.splitlines()
        self.assertIn('A message is refused: Endpoint does not', line)
        self.assertLess(len(line), 400)

    def test_broken(self):
        """Where it broke is told once, and not at any length."""
        for _ in range(20):
            self.assertIsInstance(
                self.failure(KeyError('y' * 10**6)), KeyError
            )
        self.assertEqual(1, self.log.output.count('Traceback'))
        self.assertIn('in dispatch', self.log.output)
        self.assertLess(len(self.log.output), 10_000)
