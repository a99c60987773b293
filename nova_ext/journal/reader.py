"""Read a journal: one file of one worker, or several."""

import heapq
from collections.abc import Iterable, Iterator
from operator import attrgetter
from pathlib import Path

from nova_ext.journal.model import (
    Damage,
    JournalDecision,
    JournalProcess,
    Loss,
)


class JournalReader:
    """Read one file, from its beginning.

    :param path: the file. It may grow while it is read.
    :ivar process: who wrote it.
    :ivar damage: what could not be read so far.
    :ivar losses: what the scheduler did not write, so far.
    :raises JournalError: for a file that is no journal, or one of a newer
        version.
    """

    process: JournalProcess

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damage: list[Damage] = []
        self.losses: list[Loss] = []

    def __iter__(self) -> Iterator[JournalDecision]:
        """Yield the decisions in the order in which they ended."""
        raise NotImplementedError


def merge(readers: Iterable[JournalReader]) -> Iterator[JournalDecision]:
    """Yield the decisions of several files by time."""
    return heapq.merge(*readers, key=attrgetter('time'))
