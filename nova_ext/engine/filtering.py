"""Filter hosts, asking each filter as seldom as it can be asked.

Hosts that are equal in all that a filter reads get one verdict.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nova_ext.engine.host_columns import HostColumns

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
#: Say of one state whether it passes.
Ask = Callable[[Any], bool]
#: Say of one state whether it differs from most.
Mark = Callable[[Any], bool]


class Filter(Protocol):
    """Judge hosts."""

    def judge(self, hosts: HostColumns, rows: Rows) -> Mask:
        """Say of each row whether it passes; there is at least one."""
        ...


@dataclass(frozen=True)
class AskOnce:
    """Judge by a filter that reads nothing of a host."""

    ask: Ask

    def judge(self, hosts: HostColumns, rows: Rows) -> Mask:
        """Ask about the first row."""
        return np.full(rows.size, bool(self.ask(hosts.states[rows[0]])))


@dataclass(frozen=True)
class AskOfClasses:
    """Judge by a filter that reads no more of a host than its class.

    :param column: name of the column of classes.
    """

    ask: Ask
    column: str

    def judge(self, hosts: HostColumns, rows: Rows) -> Mask:
        """Ask about one row of each class."""
        return ask_classes(self.ask, hosts, rows, self.column).astype(np.bool_)


@dataclass(frozen=True)
class AskOfMarked:
    """Judge by a filter that judges most hosts alike.

    :param mark: says of a state whether it may be judged otherwise than
        others. Each of those is asked about, and one of the others.
    """

    ask: Ask
    mark: Mark

    def judge(self, hosts: HostColumns, rows: Rows) -> Mask:
        """Ask about each marked row, and about one other."""
        return ask_marked(self.ask, self.mark, hosts, rows).astype(np.bool_)


@dataclass(frozen=True)
class AskOfEach:
    """Judge by a filter whose inputs are unknown.

    :param ask_all: returns those of the states that pass. A state is equal
        to itself alone.
    """

    ask_all: Callable[[Sequence[Any]], Iterable[Any]]

    def judge(self, hosts: HostColumns, rows: Rows) -> Mask:
        """Ask about all rows."""
        states = [hosts.states[row] for row in rows]
        passed = set(self.ask_all(states))
        return np.array([state in passed for state in states])


def ask_marked(
    ask: Callable[[Any], Any], mark: Mark, hosts: HostColumns, rows: Rows
) -> NDArray[Any]:
    """Ask about each marked row, and about one of the others.

    :param ask: returns what is the same for all states that are not marked.
    :returns: the answers, one a row.
    """
    states = [hosts.states[row] for row in rows.tolist()]
    marked = np.array([mark(state) for state in states])
    answers = [None] * len(states)
    while not marked.all():
        first = int(marked.argmin())
        answer = ask(states[first])
        if not mark(states[first]):
            answers = [answer] * len(states)
            break
        # A server came to it meanwhile.
        marked[first] = True
    for position in np.flatnonzero(marked).tolist():
        answers[position] = ask(states[position])
    return np.array(answers)


def ask_classes(
    ask: Callable[[Any], Any], hosts: HostColumns, rows: Rows, column: str
) -> NDArray[Any]:
    """Ask about one row of each class.

    :param ask: returns what is the same for all states of a class.
    :param column: name of the column of classes.
    :returns: the answers, one a row.
    """
    classes = hosts.classes[column][rows]
    if (classes == classes[0]).all():
        return np.full(rows.size, ask(hosts.states[rows[0]]))
    # Classes are small numbers, so that no sorting is needed to tell them.
    member = np.full(int(classes.max()) + 1, -1)
    member[classes] = rows
    present = np.flatnonzero(member >= 0)
    answers = np.array([
        ask(hosts.states[row]) for row in member[present].tolist()
    ])
    by_class = np.empty(member.size, answers.dtype)
    by_class[present] = answers
    return by_class[classes]


def filter_rows(
    filters: Iterable[Filter], hosts: HostColumns, rows: Rows
) -> list[Rows]:
    """Return the rows that are left after each filter, in their order.

    :returns: the given rows first. A filter is not asked about none.
    """
    left = [rows]
    for filter_ in filters:
        before = left[-1]
        if not before.size:
            break
        passed = filter_.judge(hosts, before)
        left.append(before if passed.all() else before[passed])
    return left
