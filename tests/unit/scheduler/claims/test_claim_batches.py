"""Claims of several requests, sent together."""

import threading
import time
from concurrent import futures
from unittest import mock

import testtools

from nova_ext.scheduler.claims import first_claims
from nova_ext.scheduler.claims.first_claims import Answer

#: Seconds in which any thread has gone on, on a busy machine.
DEADLINE_S = 60


class ClaimBatchesTest(testtools.TestCase):
    """Send claims while placement answers when the test says so."""

    def setUp(self):
        """Answer nothing yet."""
        super().setUp()
        self.batches = first_claims.ClaimBatches()
        self.sent, self.answers = [], {}
        self.changed = threading.Condition()
        for where, name, value in (
            (first_claims, 'post', self.post),
            (first_claims, 'PATIENCE_S', DEADLINE_S),
        ):
            patch = mock.patch.object(where, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.pool = futures.ThreadPoolExecutor(40)
        self.addCleanup(self.pool.shutdown)

    def post(self, client, context, claims):
        """Wait for the answer to these claims."""
        names = ' '.join(sorted(claims))
        with self.changed:
            self.sent.append(names)
            self.changed.notify_all()
            self.wait(lambda: self.answers.get(names))
            answer = self.answers[names].pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def wait(self, condition):
        """Wait until a condition holds."""
        if not self.changed.wait_for(condition, DEADLINE_S):
            raise AssertionError(f'sent: {self.sent}')

    def begin(self, consumer):
        """Begin to claim; return what will be answered."""
        return self.pool.submit(
            self.batches.post, None, None, consumer, {'for': consumer}
        )

    def answer(self, names, answer):
        """Have placement answer."""
        with self.changed:
            self.answers.setdefault(names, []).append(answer)
            self.changed.notify_all()

    def wait_for_sent(self, *names):
        """Wait until exactly so much was sent."""
        with self.changed:
            self.wait(lambda: len(self.sent) >= len(names))
        self.assertEqual(sorted(names), sorted(self.sent))

    def wait_for_waiting(self, number):
        """Wait until so many claims wait."""
        deadline = time.monotonic() + DEADLINE_S
        while len(self.batches._waiting) < number:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def begin_three(self):
        """Have two on their way, and three that wait for one of them."""
        self.first = [self.begin('a'), self.begin('b')]
        self.wait_for_sent('a', 'b')
        self.three = []
        for number, consumer in enumerate('cde'):
            self.three.append(self.begin(consumer))
            self.wait_for_waiting(number + 1)
        self.answer('a', Answer.CLAIMED)
        self.wait_for_sent('a', 'b', 'c d e')

    def get(self, futures_):
        """Return the answers."""
        return [each.result(DEADLINE_S) for each in futures_]

    def finish(self):
        """Answer the other one; then nothing is on its way."""
        self.answer('b', Answer.REFUSED)
        self.assertEqual(
            [Answer.CLAIMED, Answer.REFUSED], self.get(self.first)
        )
        self.assertEqual(0, self.batches._sent)
        self.assertEqual([], self.batches._waiting)

    def test_one_by_one(self):
        """While few are on their way, each is sent at once."""
        for consumer in 'abc':
            self.answer(consumer, Answer.CLAIMED)
            self.assertIs(
                Answer.CLAIMED, self.begin(consumer).result(DEADLINE_S)
            )
        self.assertEqual(['a', 'b', 'c'], self.sent)
        self.assertEqual(0, self.batches._sent)

    def test_together(self):
        """What comes meanwhile is sent by one request."""
        self.begin_three()
        self.answer('c d e', Answer.CLAIMED)
        self.assertEqual([Answer.CLAIMED] * 3, self.get(self.three))
        self.finish()
        self.assertEqual(3, len(self.sent))

    def test_refused(self):
        """Where all were refused, or one exists, each asks for itself."""
        for refused in Answer.REFUSED, Answer.EXISTS:
            self.sent.clear()
            self.begin_three()
            self.answer('c d e', refused)
            for consumer, answer in zip('cde', (
                Answer.CLAIMED, Answer.REFUSED, Answer.EXISTS,
            ), strict=True):
                self.answer(consumer, answer)
            self.assertEqual(
                [Answer.CLAIMED, Answer.REFUSED, Answer.EXISTS],
                self.get(self.three),
            )
            self.finish()

    def test_unknown(self):
        """Where no answer came, each may have been claimed for."""
        self.begin_three()
        self.answer('c d e', Answer.UNKNOWN)
        self.assertEqual([Answer.UNKNOWN] * 3, self.get(self.three))
        self.finish()

    def test_error(self):
        """Where sending fails, the others are sent."""
        self.begin_three()
        self.answer('c d e', ValueError('broken'))
        for consumer in 'de':
            self.answer(consumer, Answer.CLAIMED)
        self.assertRaises(ValueError, self.three[0].result, DEADLINE_S)
        self.assertEqual([Answer.CLAIMED] * 2, self.get(self.three[1:]))
        self.finish()

    def test_patience(self):
        """Where none is answered, a claim is sent alone after a while."""
        with mock.patch.object(first_claims, 'PATIENCE_S', 0.1):
            self.first = [self.begin('a'), self.begin('b')]
            self.wait_for_sent('a', 'b')
            other = self.begin('c')
            self.wait_for_sent('a', 'b', 'c')
        self.answer('c', Answer.CLAIMED)
        self.assertIs(Answer.CLAIMED, other.result(DEADLINE_S))
        self.answer('a', Answer.CLAIMED)
        self.finish()

    def test_same_consumer(self):
        """Two claims of one consumer are not sent together."""
        self.first = [self.begin('a'), self.begin('b')]
        self.wait_for_sent('a', 'b')
        others = []
        for number in range(2):
            others.append(self.begin('c'))
            self.wait_for_waiting(number + 1)
        self.answer('a', Answer.CLAIMED)
        self.wait_for_sent('a', 'b', 'c')
        self.answer('c', Answer.CLAIMED)
        self.wait_for_sent('a', 'b', 'c', 'c')
        self.answer('c', Answer.EXISTS)
        self.assertEqual(
            {Answer.CLAIMED, Answer.EXISTS}, set(self.get(others))
        )
        self.finish()

    def test_many(self):
        """Of many, each is answered once."""
        answered = Answer.CLAIMED
        with mock.patch.object(
            first_claims, 'post', lambda *_: self.sent.append(1) or answered
        ):
            answers = self.get([self.begin(str(n)) for n in range(500)])
        self.assertEqual([answered] * 500, answers)
        self.assertLessEqual(len(self.sent), 500)
        self.assertEqual(0, self.batches._sent)
