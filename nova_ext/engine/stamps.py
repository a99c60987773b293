"""Stamp the rows of columns, to find those whose values changed.

A stamp is the number of a change, and no time. All rows that are replaced
together get one number, so that two rows of one moment may have the same. What
holds is along time: a row whose value was replaced has a number that it never
had before. A row that has the same number at two moments has the same value.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

#: The number of the change that gave each row its value.
Stamps = NDArray[np.int64]

T = TypeVar('T')

_next = itertools.count(1)


def make(rows: int) -> Stamps:
    """Return the stamps of rows that are all new: one new number."""
    return np.full(rows, next(_next), np.int64)


def replace(stamps: Stamps, rows: Sequence[int]) -> Stamps:
    """Return the stamps after some rows got other values: one new number."""
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
