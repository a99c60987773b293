"""What an explainer answers."""

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any, NamedTuple


class Reason(NamedTuple):
    """Why a host was rejected; its two parts make one clause.

    :param text: what holds for all hosts alike, so that they are counted
        together ("down"). A project's members read it: it quotes the request
        and numbers, and neither hosts nor what operators wrote.
    :param detail: what was found on this one ("since 12:00"), for operators
        alone.
    """

    text: str
    detail: str = ''


#: Nobody knows.
NONE = Reason('')

#: Tells of a rejected host's state, as the filter left it.
Explain = Callable[[Any], Reason]

#: Makes an Explain of a filter and the request spec that it was given.
Explainer = Callable[[Any, Any], Explain]

#: Tells of one rejected host after the other; of the first ones, where it
#: fails. Called when nobody waits any more and hosts may have changed.
Tell = Callable[[], Iterable[Reason]]

#: Looks at rejected hosts, as the filter left them.
Look = Callable[[Sequence[Any]], Tell]


def unknown(rejected: Sequence[Any]) -> Tell:
    """No reason for any of them."""
    return tuple


def alike(text: str) -> Look:
    """One reason for all of them."""
    reason = Reason(text)
    return lambda rejected: lambda: repeat(reason)
