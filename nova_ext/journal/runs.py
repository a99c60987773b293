"""Write lists of rows and of numbers in short, and find rows that changed."""

from collections.abc import Iterable, Sequence
from typing import Any


def to_runs(rows: Iterable[int]) -> list[int]:
    """Return a list of rows as runs."""
    runs: list[int] = []
    following = -1
    for row in rows:
        if row == following:
            runs[-1] += 1
        else:
            runs += (row, 1)
        following = row + 1
    return runs


def from_runs(runs: Sequence[int], most: int) -> list[int]:
    """Return the rows of runs.

    :raises ValueError: for more than ``most``.
    """
    _check(runs[1::2], most)
    rows: list[int] = []
    for first, count in zip(runs[::2], runs[1::2], strict=True):
        rows += range(first, first + count)
    return rows


def to_counts(values: Iterable[int]) -> list[int]:
    """Return numbers as pairs: a number, and how often it follows itself."""
    counts: list[int] = []
    for value in values:
        if counts and counts[-2] == value:
            counts[-1] += 1
        else:
            counts += (value, 1)
    return counts


def from_counts(counts: Sequence[int], most: int) -> list[int]:
    """Return the numbers of such pairs.

    :raises ValueError: for more than ``most``.
    """
    _check(counts[1::2], most)
    values: list[int] = []
    for value, count in zip(counts[::2], counts[1::2], strict=True):
        values += [value] * count
    return values


def _check(counts: Sequence[int], most: int) -> None:
    # A file that was made up must not take all memory.
    if sum(map(abs, counts)) > most:
        raise ValueError(f'{sum(counts)} rows, of {most}')


def list_changed(before: Any, stamps: Any, count: int) -> Iterable[int]:
    """Return the places of values that may have changed.

    :param before: the stamps of the last time.
    :param stamps: those of now: see
        :class:`nova_ext.journal.columns.MirroredHosts`.
    :param count: of the values.
    """
    if before is None or stamps is None or len(before) != len(stamps):
        return range(count)
    changed: list[int] = (before != stamps).nonzero()[0].tolist()
    return changed
