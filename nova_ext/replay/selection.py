"""Select the decisions of journals that are made again."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from nova_ext.journal.model import JournalDecision, JournalProcess
from nova_ext.journal.reader import JournalReader

#: Number of checksums; a sample takes a share of them.
_WHOLE = 1 << 32


@dataclass(frozen=True)
class Selection:
    """Represent which decisions are made again.

    :param since: seconds since 1970; None: from the first on.
    :param until: seconds since 1970; None: to the last.
    :param share: part of the decisions that a sample takes, 0 to 1.
    """

    since: float | None = None
    until: float | None = None
    share: float = 1.0

    def describe(self) -> str:
        """Return what limits it, to follow a noun; empty: nothing does."""
        if self.since is not None or self.until is not None:
            return ' in this time'
        return ' in this sample' if self.share < 1 else ''

    def takes(self, decision: JournalDecision) -> bool:
        """Say whether a decision is taken.

        A sample takes the same ones each time.
        """
        if self.since is not None and decision.time < self.since:
            return False
        if self.until is not None and decision.time >= self.until:
            return False
        drawn = zlib.crc32(f'{decision.worker} {decision.id}'.encode())
        return drawn < self.share * _WHOLE


def iterate(
    reader: JournalReader, selection: Selection
) -> Iterator[tuple[str, JournalDecision]]:
    """Yield the selected decisions of a file.

    :returns: each with what identifies the configuration that made it.
    """
    process, identity = None, ''
    for decision in reader:
        if reader.process is not process:
            process = reader.process
            identity = _identify(process)
        if selection.takes(decision):
            yield identity, decision


def _identify(process: JournalProcess) -> str:
    """Return what is the same for decisions of one configuration."""
    return json.dumps(
        [process.mode, process.configuration, list(process.masked)],
        sort_keys=True, default=str,
    )
