"""A call that ends in time, whatever the message bus does."""

import threading
from collections.abc import Callable
from typing import TypeVar

import oslo_messaging as messaging

Result = TypeVar('Result')


def within(seconds: float, call: Callable[[], Result]) -> Result:
    """Make a call, and give up on it after a time.

    oslo.messaging bounds the wait for a reply, but waits without end for a
    broker that is away when it needs a new connection.

    :param seconds: how long to wait.
    :returns: what the call returns.
    :raises oslo_messaging.MessagingTimeout: when the time is over; the call
        may go on, and its result is dropped.
    """
    results: list[Result] = []
    errors: list[Exception] = []

    def make() -> None:
        try:
            results.append(call())
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=make, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise messaging.MessagingTimeout
    return results[0]
