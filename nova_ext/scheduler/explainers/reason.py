"""Define what explainers return."""

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any, NamedTuple


class Reason(NamedTuple):
    """Say why a host was rejected; the two parts make one clause.

    :param text: what holds for many hosts alike, which are counted together
        ("down"). A project's members read it: it quotes the request and
        numbers, and neither hosts nor what operators wrote.
    :param detail: what holds for this host ("since 12:00"), for operators
        alone.
    """

    text: str
    detail: str = ''


#: The reason is not known.
NO_REASON = Reason('')

#: Return the reason of a rejected host, as the filter left it.
HostExplainer = Callable[[Any], Reason]

#: Return the HostExplainer of a filter and the request spec that it took.
FilterExplainer = Callable[[Any, Any], HostExplainer]

#: Return the reasons of rejected hosts, in order; only the first ones, where
#: it fails. Call it when nobody waits any more. Hosts may have changed.
LazyReasons = Callable[[], Iterable[Reason]]

#: Take the rejected hosts of one step, as the filter left them.
StepExplainer = Callable[[Sequence[Any]], LazyReasons]


def give_no_reasons(rejected: Sequence[Any]) -> LazyReasons:
    """Give no reason for any host; a StepExplainer."""
    return tuple


def give_same_reason(text: str) -> StepExplainer:
    """Return the StepExplainer that gives one reason for all hosts."""
    reason = Reason(text)
    return lambda rejected: lambda: repeat(reason)
