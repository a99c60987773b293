"""Name what became of a decision under another configuration."""

from enum import StrEnum

#: Exit statuses, beside 0, all that was placed would be: something would not;
#: the journal's own configuration decided otherwise.
LOST, UNVERIFIED = 3, 4


class Transition(StrEnum):
    """Name what became of a decision."""

    SAME = 'same'
    PLACED_NONE = 'placed → none'
    NONE_PLACED = 'none → placed'
    OTHER_HOST = 'host → other host'
