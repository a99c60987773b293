"""Calls that end in time, whatever the message bus does."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

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
        self._given_up: set[threading.Thread] = set()

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
        for earlier in list(self._given_up):
            earlier.join(max(0.0, ends - time.monotonic()))
            if earlier.is_alive():
                raise AwayError
            self._given_up.discard(earlier)
        results: list[Result] = []
        errors: list[Exception] = []

        def make() -> None:
            try:
                results.append(call())
            except Exception as error:
                errors.append(error)

        thread = threading.Thread(target=make, daemon=True)
        thread.start()
        thread.join(max(0.0, ends - time.monotonic()))
        if errors:
            raise errors[0]
        if not results:
            self._given_up.add(thread)
            raise messaging.MessagingTimeout
        return results[0]
