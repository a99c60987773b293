"""Order decisions as they were made, also where a clock was wrong.

A decision bears the time of its scheduler's host. A clock that was ahead, and
was set back, has an older decision look newer.
"""

import itertools
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

from nova_ext.core.decision.placement_diagnosis import parse_time

#: How much later than a newer one a decision may be written, by another
#: worker of the host. Times that differ more come from a clock that was set.
LATE = timedelta(minutes=1)


class _Timed(Protocol):
    """Have a time, ISO 8601."""

    at: str


Timed = TypeVar('Timed', bound=_Timed)


def sort_written(written: Iterable[Timed]) -> list[Timed]:
    """Return one host's decisions, the oldest first.

    :param written: in the order in which they were written.
    """
    ordered: list[Timed] = []
    for decision in written:
        place = len(ordered)
        while place and timedelta(0) < (
            _read_time(ordered[place - 1]) - _read_time(decision)
        ) <= LATE:
            place -= 1
        ordered.insert(place, decision)
    return ordered


def note_clocks(
    orders: Iterable[Sequence[_Timed]], newest: _Timed
) -> list[str]:
    """Note what the times of decisions tell of clocks that were wrong.

    :param orders: each scheduler's decisions, as :func:`sort_written` returns
        them.
    :param newest: the decision that is taken for the newest.
    """
    notes = []
    if any(
        _read_time(older) > _read_time(newer)
        for order in orders for older, newer in itertools.pairwise(order)
    ):
        notes.append(
            'the clock of a scheduler\'s host was set back: a newer decision '
            'bears an earlier time than an older one'
        )
    if _read_time(newest) > datetime.now(UTC) + LATE:
        notes.append(
            f'{newest.at} is still to come by the clock here: that of the '
            f'scheduler\'s host was ahead, and another scheduler may have '
            f'made a newer decision'
        )
    return notes


def _read_time(decision: _Timed) -> datetime:
    """Return a decision's time; the earliest of all where it has none."""
    try:
        return parse_time(decision.at)
    except (ValueError, OverflowError):
        return datetime.min.replace(tzinfo=UTC)
