"""End calls in time, whatever the message bus does."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

import oslo_messaging as messaging

Result = TypeVar('Result')


class BusAwayError(Exception):
    """Report a call that was not made: earlier ones still wait for the bus."""


class Deadline:
    """Make calls, and abandon those that take too long.

    oslo.messaging bounds the wait for a reply. Where it needs a new
    connection, it waits without end for a broker that is away. It sends an
    abandoned call when the broker returns. Until then no other call is made,
    or all calls of hours would be sent.
    """

    def __init__(self) -> None:
        self._abandoned: set[Future[Any]] = set()

    def run(self, seconds: float, call: Callable[[], Result]) -> Result:
        """Make a call, and return its result.

        :param seconds: how long to wait.
        :raises BusAwayError: when abandoned calls still wait; the call was
            not made.
        :raises oslo_messaging.MessagingTimeout: when the time is over; the
            call may go on, and its result is dropped.
        """
        ends = time.monotonic() + seconds
        earlier = wait(self._abandoned.copy(), seconds)
        self._abandoned -= earlier.done
        if earlier.not_done:
            raise BusAwayError
        future: Future[Result] = Future()
        # No executor: a program's end would wait for its threads.
        threading.Thread(
            target=_run, args=(future, call), daemon=True
        ).start()
        if wait([future], ends - time.monotonic()).not_done:
            self._abandoned.add(future)
            raise messaging.MessagingTimeout
        return future.result()


def _run(future: Future[Result], call: Callable[[], Result]) -> None:
    try:
        future.set_result(call())
    except BaseException as error:
        future.set_exception(error)
