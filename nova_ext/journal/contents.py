"""Count what the files of a journal hold."""

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from nova_ext.journal import writer
from nova_ext.journal.frames import JournalError
from nova_ext.journal.model import JournalDecision
from nova_ext.journal.reader import JournalReader

COLUMNS = (
    'File', 'Worker', 'Mode', 'Nova', 'From', 'To', 'Decisions', 'Exact',
    'Lost', 'MiB',
)
DECISION_COLUMNS = (
    'At', 'Worker', 'Request', 'Operation', 'Outcome', 'Hosts', 'Chosen',
    'Missing',
)


class FileContents:
    """Read a file to its end, and count.

    :param reader: at the beginning of the file.
    :ivar decisions: how many could be read.
    :ivar exact: of them, those with all facts.
    :ivar missing: what others lack, and how many.
    :ivar first: time of the first decision; None: there is none.
    :ivar last: of the last one, as well.
    """

    def __init__(self, reader: JournalReader) -> None:
        self.reader = reader
        self.decisions = self.exact = 0
        self.missing: Counter[str] = Counter()
        self.first: float | None = None
        self.last: float | None = None

    def __iter__(self) -> Iterator[JournalDecision]:
        """Yield the decisions, and count them."""
        for decision in self.reader:
            self.decisions += 1
            self.exact += decision.is_exact
            self.missing.update(decision.missing)
            self.first = min(self.first or decision.time, decision.time)
            self.last = max(self.last or decision.time, decision.time)
            yield decision

    @property
    def lost(self) -> int:
        """Return how many decisions the scheduler could not write."""
        return sum(loss.count for loss in self.reader.losses)

    def make_row(self) -> tuple[Any, ...]:
        """Return the row of a table."""
        reader = self.reader
        process = reader.processes[-1] if reader.processes else None
        return (
            reader.path.name, process.worker if process else '',
            process.mode if process else '',
            process.versions.get('nova', '') if process else '',
            format_time(self.first), format_time(self.last),
            self.decisions, self.exact, self.lost,
            round(reader.size / 1048576, 3),
        )


def list_notes(reader: JournalReader) -> list[str]:
    """Return what is wrong with a file, one line each.

    :param reader: at its end.
    """
    path, notes = reader.path, [
        f'{reader.path}: {damage.text}' for damage in reader.damage
    ]
    if reader.unread:
        notes.append(
            f'{path}: {reader.unread} decisions can\'t be read, as they '
            f'depend on what is damaged or missing before them'
        )
    return [*notes, *(
        f'{path}: {loss.count} decisions were not written until '
        f'{format_time(loss.time)}: {loss.why}' for loss in reader.losses
    )]


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files that paths name: themselves, or those of a folder.

    :raises JournalError: for a folder without any.
    """
    files: list[Path] = []
    for path in paths:
        inside = writer.list_files(path) if path.is_dir() else [path]
        if not inside:
            raise JournalError(f'{path}: no file *{writer.SUFFIX} is in it')
        files += inside
    return files


def open_files(
    paths: Iterable[Path]
) -> tuple[list[JournalReader], list[str]]:
    """Open journals.

    :returns: those that can be read, and a line about each other one.
    :raises JournalError: none can be read.
    """
    readers, errors = [], []
    for path in find_files(paths):
        try:
            readers.append(JournalReader(path))
        except JournalError as error:
            errors.append(str(error))
    if not readers:
        raise JournalError('; '.join(errors))
    return readers, errors


def make_decision_row(decision: JournalDecision) -> tuple[Any, ...]:
    """Return the row of a decision in a table."""
    chosen: Sequence[str] = [
        hosts[0][0] for hosts in decision.destinations if hosts
    ]
    return (
        format_time(decision.time), decision.worker, decision.request_id,
        decision.operation, decision.outcome, len(decision.hosts),
        ', '.join(chosen), '; '.join(decision.missing),
    )


def format_time(time: float | None) -> str:
    """Return a time as text, UTC; empty for None."""
    if time is None:
        return ''
    return datetime.datetime.fromtimestamp(time, datetime.UTC).strftime(
        '%Y-%m-%dT%H:%M:%SZ'
    )
