"""Share what one process answers at a time among projects."""

import contextlib
import time
from concurrent import futures

import fixtures
import testtools
from testtools import matchers

from nova_ext.api.http import fair_share
from nova_ext.api.http.errors import HttpError
from nova_ext.api.http.fair_share import FairShare

#: Processor seconds.
COMPUTED_S = 0.05


class FairShareTest(testtools.TestCase):
    """Three at one time, two of one project."""

    def setUp(self):
        """Have nothing that is answered."""
        super().setUp()
        self.share = FairShare(at_once=3, of_one=2)
        self.running = contextlib.ExitStack()
        self.addCleanup(self.running.close)

    def begin(self, project):
        """Answer one more request until the end of the test."""
        self.running.enter_context(self.share.hold(project))

    def test_one(self):
        """A project takes no more than its share; another goes on."""
        self.begin('a')
        self.begin('a')
        error = self.assertRaises(HttpError, self.begin, 'a')
        self.assertEqual((503, 'busy'), (error.status, error.code))
        self.begin('b')

    def test_all(self):
        """Nobody takes more than there is."""
        for project in ('a', 'a', None):
            self.begin(project)
        error = self.assertRaises(HttpError, self.begin, 'b')
        self.assertIn('3 in all', error.detail)

    def test_end(self):
        """What is answered, or has failed, counts no more."""
        for _ in range(4):
            with self.share.hold('a'):
                pass
            with contextlib.suppress(ValueError), self.share.hold('a'):
                raise ValueError
        self.begin('a')
        self.begin('a')


class TurnTest(testtools.TestCase):
    """One at a time; few wait."""

    def test_waiting(self):
        """Those that are too many to wait are refused at once."""
        turn = fair_share.Turn()

        def compute():
            with turn.take(is_long=True):
                return True

        with futures.ThreadPoolExecutor(fair_share.MAX_WAITING) as pool:
            with turn.take(is_long=True):
                asked = [
                    pool.submit(compute)
                    for _ in range(fair_share.MAX_WAITING)
                ]
                while turn._places.acquire(blocking=False):
                    turn._places.release()
                error = self.assertRaises(HttpError, compute)
                self.assertEqual((503, 'busy'), (error.status, error.code))
                with turn.take(is_long=False):
                    pass
            self.assertTrue(all(each.result(60) for each in asked))
        self.assertTrue(compute())


class ThrottleTest(testtools.TestCase):
    """Compute, and rest."""

    def test_rest(self):
        """Rest as long as was computed, where others are answered."""
        slept = []
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.api.http.fair_share.time.sleep', slept.append
        ))
        with fair_share.Throttle.count():
            self.compute(rests=True)
            self.assertEqual([], slept)
            # Another request.
            fair_share.Throttle.answering.add(0)
            self.addCleanup(fair_share.Throttle.answering.discard, 0)
            self.compute(rests=False)
            self.assertEqual([], slept)
            self.compute(rests=True)
        first, second = slept
        self.assertThat(first, matchers.GreaterThan(COMPUTED_S))
        self.assertThat(second, matchers.LessThan(first))

    @staticmethod
    def compute(**options):
        """Compute, and rest twice."""
        throttle = fair_share.Throttle(**options)
        ends = time.thread_time() + COMPUTED_S
        while time.thread_time() < ends:
            pass
        throttle.rest()
        throttle.rest()
