"""Rest between placement's answers, so that readers leave it to others."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from nova import objects, servicegroup

from nova_ext.scheduler.facts import cells


def count_schedulers() -> int:
    """Return how many machines run a nova-scheduler that is up, at least 1.

    Each has a row, in the database of nova-scheduler's own configuration.
    Whether it is up, Nova's servicegroup says.
    """
    group = servicegroup.API()
    with cells.use_admin_context() as admin:
        services = objects.ServiceList.get_by_binary(
            admin, 'nova-scheduler', include_disabled=True
        )
    return max(1, sum(map(group.service_is_up, services)))


#: Seconds. An answer that takes longer waits for something else than the
#: processor: a lock, or a database that is away.
_MOST_S = 2.0


class Pace:
    """Rest before requests, for as long as the last answers deserve.

    :param share: of one of placement's cores, so much may all readers of a
        cloud take: of 0.1 and two readers, each rests 19 times as long as
        placement took to answer.
    :param count_readers: returns how many there are.
    :ivar free_at: when the next request may be sent, by the monotonic clock.
    """

    def __init__(
        self, share: float, count_readers: Callable[[], int],
    ) -> None:
        self.free_at = 0.0
        self._share = share
        self._count_readers = count_readers
        self._readers = 1
        self._ended = threading.Event()

    def count(self) -> None:
        """Count the readers anew."""
        self._readers = self._count_readers()

    def rest(self) -> None:
        """Wait until the next request may be sent, or until the end."""
        left_s = self.free_at - time.monotonic()
        if left_s > 0:
            self._ended.wait(left_s)

    @contextlib.contextmanager
    def take_turn(self) -> Iterator[None]:
        """Rest, and then note how long placement takes to answer."""
        self.rest()
        began = time.monotonic()
        try:
            yield
        finally:
            now = time.monotonic()
            self.free_at = now + min(now - began, _MOST_S) * (
                self._readers / self._share - 1
            )

    def end(self) -> None:
        """Rest no more."""
        self._ended.set()

    @property
    def ended(self) -> bool:
        """Say whether it ended."""
        return self._ended.is_set()
