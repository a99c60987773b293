"""Calls that end in time, whatever the message bus does."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

import oslo_messaging as messaging

Result = TypeVar('Result')


class AwayError(Exception):
    """Calls that were given up on still wait for the bus; none was begun."""


class Deadline:
    """Makes calls, and gives up on those that take too long.

    oslo.messaging bounds the wait for a reply, but waits without end for a
    broker that is away when it needs a new connection. What was given up on
    is sent when the broker returns; so that this is not every call of hours,
    no other begins before it.
    """

    def __init__(self) -> None:
        self._given_up: set[Future[Any]] = set()

    def within(self, seconds: float, call: Callable[[], Result]) -> Result:
        """Make a call, and give up on it after a time.

        :param seconds: how long to wait.
        :returns: what the call returns.
        :raises AwayError: when others had to be waited for; the call was
            not made.
        :raises oslo_messaging.MessagingTimeout: when the time is over; the
            call may go on, and its result is dropped.
        """
        ends = time.monotonic() + seconds
        earlier = wait(self._given_up.copy(), seconds)
        self._given_up -= earlier.done
        if earlier.not_done:
            raise AwayError
        future: Future[Result] = Future()
        # No executor: a program's end would wait for its threads.
        threading.Thread(
            target=_run, args=(future, call), daemon=True
        ).start()
        if wait([future], ends - time.monotonic()).not_done:
            self._given_up.add(future)
            raise messaging.MessagingTimeout
        return future.result()


def _run(future: Future[Result], call: Callable[[], Result]) -> None:
    try:
        future.set_result(call())
    except BaseException as error:
        future.set_exception(error)
