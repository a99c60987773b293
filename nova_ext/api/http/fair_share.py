"""Limit how many requests are answered at one time, in all and by project."""

import contextlib
import math
import threading
import time
from collections import Counter
from collections.abc import Iterator

import cachetools

from nova_ext.api.http.errors import HttpError

#: Seconds that a request waits for its turn to compute.
TURN_S = 60.0
#: Requests that wait for a turn. Each holds a thread. Of 50 in a process, 16
#: may wait for the database and 12 for Keystone; some have to be left.
MAX_WAITING = 4
#: Requests that are delayed at one time. Each holds a thread, too.
MAX_DELAYED = 12
#: Seconds that one of them is delayed, at most, and for which others count.
DELAY_S = 2.0
#: See :class:`Allowance`: forty projects together may compute all the time.
PART, SAVED_S = 1 / 40, 0.1
#: Processor time, seconds, that a project may owe.
MAX_OWED_S = 0.25
#: In place of a project: those whose requests cost none anything.
_FREE = ''
#: Projects whose processor time is remembered.
MAX_PROJECTS = 10_000


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


class Allowance:
    """Delay a project's requests once it has computed more than its part.

    Python runs one thread of a process at a time, and each that computes
    takes its share from all others. Who sends one request after the other
    without a pause gets the answers later, and the others keep their pace.

    :param part: of the time that the requests of one project may compute.
    :param saved_s: processor time, seconds, that a project may save up.
    """

    def __init__(
        self, part: float = PART, saved_s: float = SAVED_S
    ) -> None:
        self._part, self._saved_s = part, saved_s
        #: By project, what it had left, and when. Later it has all again.
        self._left: cachetools.TTLCache[str | None, tuple[float, float]] = (
            cachetools.TTLCache(
                MAX_PROJECTS, (saved_s + MAX_OWED_S) / part
            )
        )
        self._lock = threading.Lock()
        self._waiting = FairShare(at_once=MAX_DELAYED, of_one=2)
        #: Who computed latest, and who did before: each another, and when.
        self._latest: tuple[str | None, float] = (_FREE, -math.inf)
        self._before: tuple[str | None, float] = self._latest

    @contextlib.contextmanager
    def spend(
        self, project_id: str | None, *, is_free: bool = False
    ) -> Iterator[None]:
        """Count what this thread computes for a project.

        :param is_free: whether it costs the project nothing.
        """
        began = time.thread_time()
        payer: str | None = _FREE if is_free else project_id
        with self._lock:
            self._note(payer)
        try:
            yield
        finally:
            computed = time.thread_time() - began
            with self._lock:
                self._note(payer)
                if not is_free:
                    left = self._get_left(project_id) - computed
                    self._left[project_id] = (
                        max(left, -MAX_OWED_S), time.monotonic()
                    )

    def wait(self, project_id: str | None) -> None:
        """Wait until a project may compute again, DELAY_S at most.

        It waits for nothing where only this project requested something in
        the last DELAY_S: its own requests keep nobody else waiting.

        :raises HttpError: where too many wait.
        """
        with self._lock:
            left = self._get_left(project_id)
            latest = self._latest
            _, at = self._before if latest[0] == project_id else latest
        if left < 0 and time.monotonic() - at <= DELAY_S:
            with self._waiting.hold(project_id):
                time.sleep(min(-left / self._part, DELAY_S))

    def _note(self, payer: str | None) -> None:
        if self._latest[0] != payer:
            self._before = self._latest
        self._latest = payer, time.monotonic()

    def _get_left(self, project_id: str | None) -> float:
        left, at = self._left.get(project_id, (self._saved_s, 0.0))
        saved = (time.monotonic() - at) * self._part
        return min(left + saved, self._saved_s)


class Turn:
    """Let one request at a time compute for long, while short ones go on.

    Several that compute end no sooner together than one after the other, and
    each of them holds up every other request.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(MAX_WAITING + 1)

    @contextlib.contextmanager
    def take(self, *, is_long: bool) -> Iterator[None]:
        """Wait for the turn; what is not long needs none.

        :raises HttpError: where too many wait, or others take too long.
        """
        if not is_long:
            yield
            return
        if not self._places.acquire(blocking=False):
            raise _too_many()
        try:
            if not self._lock.acquire(timeout=TURN_S):
                raise _too_many()
            try:
                yield
            finally:
                self._lock.release()
        finally:
            self._places.release()


def _too_many() -> HttpError:
    return HttpError(
        503, 'busy', 'too many long requests are in progress; try again later'
    )
