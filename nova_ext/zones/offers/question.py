"""Represent a question for offers as this zone asks it."""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.zones.build_request import BuildRequest


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
