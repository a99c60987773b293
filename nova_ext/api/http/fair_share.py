"""Limit how many requests are answered at one time, in all and by project."""

import contextlib
import threading
from collections import Counter
from collections.abc import Iterator

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


class Turn:
    """Let one request at a time compute for long, while short ones go on.

    Python runs one thread at a time. Several that compute end no sooner
    together, and each of them holds up every other request.
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
