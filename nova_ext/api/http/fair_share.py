"""Limit how many requests are answered at one time, in all and by project."""

import contextlib
import threading
from collections import Counter
from collections.abc import Iterator

from nova_ext.api.http.errors import HttpError


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
