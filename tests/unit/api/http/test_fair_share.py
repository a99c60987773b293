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


class AllowanceTest(testtools.TestCase):
    """Compute, and wait."""

    def setUp(self):
        """Let a project compute a tenth of the time."""
        super().setUp()
        self.slept = []
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.api.http.fair_share.time.sleep', self.slept.append
        ))
        self.allowance = fair_share.Allowance(0.1, COMPUTED_S / 2)

    def wait(self, project='a', *, alone=False):
        """Begin a request; return how long it waits."""
        self.slept.clear()
        with contextlib.ExitStack() as stack:
            if not alone:
                stack.enter_context(self.allowance.spend('another'))
            with self.allowance.spend(project):
                self.allowance.wait(project)
        return sum(self.slept)

    def compute(self, seconds=COMPUTED_S):
        """Compute for a project."""
        with self.allowance.spend('a'):
            self.compute_here(seconds)

    @staticmethod
    def compute_here(seconds):
        """Take processor time."""
        ends = time.thread_time() + seconds
        while time.thread_time() < ends:
            pass

    def test_owing(self):
        """Who has computed more than its part waits; others do not."""
        self.compute(0)
        self.assertEqual(0, self.wait())
        self.compute()
        self.assertThat(self.wait(), matchers.GreaterThan(0))
        self.assertThat(self.wait(), matchers.LessThan(COMPUTED_S / 0.1))
        self.assertEqual(0, self.wait('b'))

    def test_free(self):
        """What is free costs a project nothing, and keeps it waiting."""
        with self.allowance.spend('a', is_free=True):
            self.compute_here(COMPUTED_S)
        self.assertEqual(0, self.wait())
        self.compute()
        with self.allowance.spend('another', is_free=True):
            self.assertThat(
                self.wait(alone=True), matchers.GreaterThan(0)
            )

    def test_alone(self):
        """Who keeps nobody else waiting goes on, with several requests."""
        clock = self.useFixture(fixtures.MockPatchObject(
            fair_share.time, 'monotonic', return_value=1000.0
        )).mock
        self.allowance = fair_share.Allowance(1e-3, COMPUTED_S / 2)
        self.compute()
        with contextlib.ExitStack() as running:
            for _ in range(4):
                running.enter_context(self.allowance.spend('a'))
            self.assertEqual(0, self.wait(alone=True))
            # Others are looked after for a moment after their requests.
            with self.allowance.spend('another'):
                pass
            clock.return_value += fair_share.DELAY_S
            self.assertThat(
                self.wait(alone=True), matchers.GreaterThan(0)
            )
            clock.return_value += 0.1
            self.assertEqual(0, self.wait(alone=True))

    def test_error(self):
        """What fails has computed, too."""
        self.assertRaises(ValueError, self.fail_late)
        self.assertThat(self.wait(), matchers.GreaterThan(0))

    def fail_late(self):
        """Compute for a project, and fail."""
        with self.allowance.spend('a'):
            self.compute()
            raise ValueError

    def test_paid(self):
        """Time pays what is owed, up to what may be saved up."""
        clock = self.useFixture(fixtures.MockPatchObject(
            fair_share.time, 'monotonic', return_value=1000.0
        )).mock
        self.compute()
        self.assertThat(self.wait(), matchers.GreaterThan(0))
        clock.return_value += 1000.0
        self.assertEqual(0, self.wait())
        self.compute()
        self.assertThat(self.wait(), matchers.GreaterThan(0))

    def test_bounds(self):
        """Nobody waits longer than a moment, and few wait at one time."""
        self.allowance = fair_share.Allowance(1e-6, 1e-6)
        self.compute()
        self.assertEqual(fair_share.DELAY_S, self.wait())
        with (
            self.allowance.spend('another'), self.allowance.spend('a'),
            self.allowance._waiting.hold('a'),
            self.allowance._waiting.hold('a'),
        ):
            error = self.assertRaises(HttpError, self.allowance.wait, 'a')
        self.assertEqual((503, 'busy'), (error.status, error.code))
