"""Call functions side by side, as each waits for another zone."""

from collections.abc import Callable, Iterable
from concurrent import futures
from typing import Any

import futurist

#: Calls at one time.
AT_ONCE = 64


def run_side_by_side(
    calls: Iterable[Callable[[], Any]], seconds: float
) -> list[futures.Future[Any]]:
    """Call functions, each in a thread, AT_ONCE at one time.

    :param seconds: after which none is waited for. Those that have begun go
        on; looking up a host's name has no limit of ours.
    :returns: a future of each, in order, perhaps not done.
    """
    executor = futurist.ThreadPoolExecutor(AT_ONCE)
    begun = [executor.submit(call) for call in calls]
    futures.wait(begun, max(0.0, seconds))
    for future in begun:
        future.cancel()
    executor.shutdown(wait=False)
    return begun
