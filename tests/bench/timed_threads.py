"""Run threads one at a time, by a time that is not real."""

import datetime
import heapq
import itertools
import threading
import time
from unittest import mock

from oslo_utils import timeutils

#: Seconds between two looks at an event.
_LOOK_S = 0.05


class TimedThreads:
    """Give each thread its turn, in the order of the time that it sleeps to.

    :ivar now: seconds since the beginning.
    """

    def __init__(self):
        """Begin with no thread."""
        self.now = 0.0
        self.errors = []
        self._due = []
        self._numbers = itertools.count()
        self._ended = threading.Event()
        self._local = threading.local()

    def is_one(self):
        """Say whether the thread that asks is one of them."""
        return getattr(self._local, 'is_one', False)

    def spawn(self, function, after_s=0.0):
        """Start a thread that has its first turn later."""
        turn = self._enter(after_s)

        def run():
            turn.wait()
            self._local.is_one = True
            try:
                function()
            except BaseException as error:
                self.errors.append(error)
            finally:
                self._pass_on()

        threading.Thread(target=run, daemon=True).start()

    def sleep(self, seconds):
        """Let the others have their turns for so long."""
        turn = self._enter(seconds)
        self._pass_on()
        turn.wait()

    def run(self):
        """Give all their turns; wait until every thread has ended.

        :raises: what one of them raised.
        """
        real_sleep, real_monotonic = time.sleep, time.monotonic
        real_time, began = time.time, time.time()
        real_utcnow = timeutils.utcnow
        with (
            mock.patch.object(
                time, 'sleep', lambda seconds:
                # oslo.db yields by a sleep of none, in a transaction.
                (self.sleep if seconds and self.is_one() else real_sleep)(
                    seconds
                )
            ),
            mock.patch.object(
                time, 'monotonic', lambda:
                self.now if self.is_one() else real_monotonic()
            ),
            mock.patch.object(
                time, 'time', lambda:
                began + self.now if self.is_one() else real_time()
            ),
            # Of rows' updated_at.
            mock.patch.object(
                timeutils, 'utcnow', lambda with_timezone=False:
                _to_utc(began + self.now, with_timezone) if self.is_one()
                else real_utcnow(with_timezone)
            ),
        ):
            self._pass_on()
            self._ended.wait()
        for error in self.errors:
            raise error

    def make_event(self):
        """Return an event for which the threads can wait."""
        return _Event(self)

    def _enter(self, after_s):
        turn = threading.Event()
        heapq.heappush(
            self._due, (self.now + after_s, next(self._numbers), turn)
        )
        return turn

    def _pass_on(self):
        if not self._due:
            self._ended.set()
            return
        self.now, _, turn = heapq.heappop(self._due)
        turn.set()


def _to_utc(seconds, with_timezone):
    """Return a time as oslo.utils does."""
    found = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return found if with_timezone else found.replace(tzinfo=None)


class _Event:
    """Stand in for threading.Event."""

    def __init__(self, threads):
        self._threads = threads
        self._is_set = False

    def set(self):
        """End waiting."""
        self._is_set = True

    def clear(self):
        """Have threads wait."""
        self._is_set = False

    def is_set(self):
        """Say whether it is set."""
        return self._is_set

    def wait(self, timeout):
        """Wait until it is set, or so many seconds; say whether it is set."""
        end = self._threads.now + timeout
        while not self._is_set and self._threads.now < end:
            self._threads.sleep(min(_LOOK_S, end - self._threads.now))
        return self._is_set
