"""Share a worker's simulations fairly by project, and bound their time."""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator

from nova_ext.core.base.scheduling_errors import BusyError

#: Part of a worker's time that simulations take at most while boots come.
SHARE = 0.5


class ProjectTurns:
    """Give one turn at a time, to the projects in rotation.

    After a turn in which boots came there is a pause, so that turns take
    ``SHARE`` of the time.

    :param count_boots: returns how many boots ever came.
    :param waiting: how many may wait.
    :param waiting_of_one: how many of one project may wait.
    """

    def __init__(
        self, count_boots: Callable[[], int], waiting: int,
        waiting_of_one: int,
    ) -> None:
        self._count_boots = count_boots
        self._most = waiting
        self._most_of_one = waiting_of_one
        self._changed = threading.Condition()
        #: Who waits, by project; the project whose turn is next comes first.
        self._queues: dict[Hashable, deque[object]] = {}
        self._taken = False
        self._paused_until = 0.0

    @contextlib.contextmanager
    def take(self, project: Hashable, at_most_s: float) -> Iterator[None]:
        """Wait for a turn, and hold it inside.

        :param project: who asks; None is one of its own.
        :param at_most_s: seconds to wait.
        :raises BusyError: too many wait, or it takes too long.
        """
        with self._changed:
            self._wait(project, time.monotonic() + at_most_s)
            self._taken = True
        boots, began = self._count_boots(), time.monotonic()
        try:
            yield
        finally:
            ended = time.monotonic()
            with self._changed:
                self._taken = False
                if self._count_boots() != boots:
                    pause_s = (ended - began) * (1 / SHARE - 1)
                    self._paused_until = ended + pause_s
                if project in self._queues:  # the others come first
                    self._queues[project] = self._queues.pop(project)
                self._changed.notify_all()

    def _wait(self, project: Hashable, ends: float) -> None:
        # A free turn is waited for, too, but for no longer than a pause.
        free = not self._taken and not self._queues
        queue = self._queues.get(project, deque())
        if not free and len(queue) >= self._most_of_one:
            raise BusyError(
                'the scheduler has other simulations of the project to make '
                'first; ask again later'
            )
        if not free and sum(map(len, self._queues.values())) >= self._most:
            raise BusyError(_BUSY)
        ticket = object()
        queue.append(ticket)
        self._queues[project] = queue
        try:
            while (wait_s := self._find_wait_s(project, ticket)) != 0:
                left_s = ends - time.monotonic()
                if left_s <= 0:
                    raise BusyError(_BUSY)
                self._changed.wait(min(left_s, wait_s))
        finally:
            queue.remove(ticket)
            if not queue:
                del self._queues[project]
            self._changed.notify_all()

    def _find_wait_s(self, project: Hashable, ticket: object) -> float:
        """Return the seconds until to look again; 0: it is its turn."""
        first = next(iter(self._queues))
        if self._taken or first != project or (
            self._queues[project][0] is not ticket
        ):
            return threading.TIMEOUT_MAX
        return max(0.0, self._paused_until - time.monotonic())


_BUSY = 'the scheduler has other simulations to make first; ask again later'
