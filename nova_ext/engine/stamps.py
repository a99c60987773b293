"""Number the values of rows, to find those that changed.

Two moments' numbers are compared a thousand times faster than their objects.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

#: A number a row. Where a row has another value, it has another number.
Stamps = NDArray[np.int64]

T = TypeVar('T')

_next = itertools.count(1)


def make(rows: int) -> Stamps:
    """Return the stamps of rows that are all new."""
    return np.full(rows, next(_next), np.int64)


def replace(stamps: Stamps, rows: Sequence[int]) -> Stamps:
    """Return the stamps after some rows got other values."""
    if not rows:
        return stamps
    replaced = stamps.copy()
    replaced[rows] = next(_next)
    return replaced


def put(values: Sequence[T], others: Mapping[int, T]) -> list[T]:
    """Return the values of rows, some of them others."""
    changed = list(values)
    for row, value in others.items():
        changed[row] = value
    return changed


def list_changed(before: Stamps | None, now: Stamps) -> list[int]:
    """Return the rows that may have other values than before."""
    if before is now:
        return []
    if before is None or len(before) != len(now):
        return list(range(len(now)))
    changed: list[int] = np.flatnonzero(before != now).tolist()
    return changed
