"""Represent a question for offers, and run parts of it side by side."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent import futures
from dataclasses import dataclass
from typing import Any

import futurist

from nova_ext.zones.build_request import BuildRequest

#: Zones that are asked at one time.
AT_ONCE = 64


@dataclass(frozen=True)
class Question:
    """Represent a question for offers as this zone asks it.

    :param context: oslo.context of who asks.
    :param path: UUIDs of the zones that it passed, this one with them.
    :param ends: when nobody waits any more, of the monotonic clock.
    :param hold: whether room is held.
    :param left_out: UUIDs of child zones that are not asked.
    """

    context: Any
    build: BuildRequest
    request_ids: Sequence[str]
    path: Sequence[str]
    ends: float
    hold: bool = True
    left_out: Collection[str] = ()

    @property
    def left_s(self) -> float:
        """Return the seconds that are left."""
        return self.ends - time.monotonic()


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
