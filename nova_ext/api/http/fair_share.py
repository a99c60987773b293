"""Limit how many requests are answered at one time, in all and by project."""

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from nova_ext.api.http.errors import HttpError

#: Seconds that a request waits for its turn to compute.
TURN_S = 60.0
#: Requests that wait for a turn. Each holds a thread. Of 40 in a process, 16
#: may wait for the database and 12 for Keystone; some have to be left.
MAX_WAITING = 4


class FairShare:
    """Limit requests that take long, so that threads are left for others.

    :param at_once: maximum number at one time in this process.
    :param of_one: the same for one project.
    """

    def __init__(self, at_once: int, of_one: int) -> None:
        self.at_once, self.of_one = at_once, of_one
        self._running: Counter[str | None] = Counter()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def hold(self, project_id: str | None) -> Iterator[None]:
        """Count one request of a project while it is answered.

        :raises HttpError: where there are too many.
        """
        running = self._running
        with self._lock:
            if (
                running[project_id] >= self.of_one
                or running.total() >= self.at_once
            ):
                raise HttpError(
                    503, 'busy', f'too many requests of this kind: '
                    f'{running[project_id]} of the project and '
                    f'{running.total()} in all are in progress; try again '
                    f'later'
                )
            running[project_id] += 1
        try:
            yield
        finally:
            with self._lock:
                running[project_id] -= 1
                if not running[project_id]:
                    del running[project_id]


class Throttle:
    """Compute half of the time while there are other requests.

    Python runs one thread at a time, and each that computes doubles the time
    of a short request. So long ones rest, and take up to twice as long.

    :param rests: whether it is a long one.
    """

    #: Threads of this process that answer requests.
    answering: ClassVar[set[int]] = set()

    def __init__(self, *, rests: bool) -> None:
        self._rests, self._computed_s = rests, time.thread_time()

    def rest(self) -> None:
        """Sleep as long as this thread has computed since the last rest."""
        if self._rests and len(self.answering) > 1:
            time.sleep(time.thread_time() - self._computed_s)
        self._computed_s = time.thread_time()

    @classmethod
    @contextlib.contextmanager
    def count(cls) -> Iterator[None]:
        """Count this thread's request while it is answered."""
        cls.answering.add(threading.get_ident())
        try:
            yield
        finally:
            cls.answering.discard(threading.get_ident())


class Turn:
    """Let one request at a time compute for long, while short ones go on.

    Several that compute end no sooner together than one after the other, and
    each of them holds up every other request.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(MAX_WAITING + 1)

    @contextlib.contextmanager
    def take(self, *, is_long: bool) -> Iterator[Throttle]:
        """Wait for the turn; what is not long needs none.

        :returns: what lets others go on, from time to time.
        :raises HttpError: where too many wait, or others take too long.
        """
        if not is_long:
            yield Throttle(rests=False)
            return
        if not self._places.acquire(blocking=False):
            raise _too_many()
        try:
            if not self._lock.acquire(timeout=TURN_S):
                raise _too_many()
            try:
                yield Throttle(rests=True)
            finally:
                self._lock.release()
        finally:
            self._places.release()


def _too_many() -> HttpError:
    return HttpError(
        503, 'busy', 'too many long requests are in progress; try again later'
    )
