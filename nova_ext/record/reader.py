"""Find decisions in the record, newest first.

Read the current file and the rotated ones, line by line. Count lines that
hold no decision, and go on.
"""

import contextlib
import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from nova_ext.core.base.errors import NoDecisionError, RecordError
from nova_ext.core.decision import written_order
from nova_ext.core.decision.decision import VERSION, Decision
from nova_ext.core.explanation.text_format import pluralize, sanitize
from nova_ext.record import diagnoses, line_data, open_files

#: Decisions kept of those that match; older ones are only counted.
MAX_DECISIONS = 100
#: Longest line that is read; a longer one is no decision.
LINE_BYTES = 16 * 1024 * 1024

#: A line that counts decisions which could not be recorded.
DROPPED = re.compile(
    rb'\{"version":\d+,"at":"[^"]{0,40}","dropped":(\d{1,15})\}\n?'
)


@dataclass
class SearchResult:
    """Hold what a search found.

    :param decisions: those that match, newest first, at most
        MAX_DECISIONS.
    :param matches: how many match.
    :param lines: number of decisions that were read.
    :param dropped: decisions that the scheduler could not record.
    :param garbage: lines that are no decision.
    :param later: lines of a later version, read as far as they are known.
    :param first_at: time of the first decision that was read.
    :param last_at: time of the last one.
    :param remarks: sentences on where else was searched, and on the clock.
    """

    decisions: list[Decision] = field(default_factory=list)
    matches: int = 0
    lines: int = 0
    dropped: int = 0
    garbage: int = 0
    later: int = 0
    first_at: str = ''
    last_at: str = ''
    remarks: list[str] = field(default_factory=list)

    def notes(self) -> list[str]:
        """Return sentences on what the search could not read."""
        notes = list(self.remarks)
        if self.dropped:
            notes.append(f'{self.dropped} decisions dropped')
        if self.garbage:
            notes.append(f'{self.garbage} lines that are no decision')
        if self.later:
            notes.append(
                f'{self.later} written by a later nova-ext (version above '
                f'{VERSION}) and read as far as known'
            )
        return notes


def find(path: Path, wanted: str) -> SearchResult:
    """Find the decisions about a server or a request.

    :param path: the current file of the record.
    :param wanted: a server's UUID or a request id.
    :returns: at least one decision.
    :raises NoDecisionError: when it holds no such decision, or there is no
        record.
    :raises RecordError: when it can't be read.
    """
    with open_record(path) as files:
        result = search(files, wanted)
        where, older = str(path), len(files) - 1
    if older:
        where += f' and {pluralize(older, "rotated file")}'
    if not result.decisions:
        raise NoDecisionError(_explain_absence(wanted, where, result))
    return result


@contextlib.contextmanager
def open_record(path: Path) -> Iterator[list[BinaryIO]]:
    """Open all files of a record, oldest first.

    :param path: the current file.
    :raises NoDecisionError: when there is no record.
    :raises RecordError: when it can't be read.
    """
    try:
        with open_files.open_all(path) as files:
            if not files:
                raise NoDecisionError(
                    f'there is no record {path}: nova-scheduler writes it '
                    f'with its first decision, on its own host; --record '
                    f'names another file'
                )
            yield files
    except OSError as error:
        raise RecordError(
            f'the record {error.filename or path} can\'t be read: '
            f'{error.strerror}; read it as the user of nova-scheduler'
        ) from error


def search(files: Sequence[BinaryIO], wanted: str) -> SearchResult:
    """Search open files, oldest first; see :func:`find`."""
    result = SearchResult()
    newest: deque[Decision] = deque(maxlen=MAX_DECISIONS)
    needle = json.dumps(wanted).encode()
    last = b''
    for line in read_lines(files):
        if line is None:
            result.garbage += 1
        elif dropped := DROPPED.fullmatch(line):
            result.dropped += int(dropped[1])
        elif diagnoses.is_diagnosis(line):
            result.garbage += diagnoses.parse(line) is None
        elif not line.endswith(b'\n') and parse(line) is None:
            continue  # being written just now
        else:
            last = line
            _count(line, needle in line, wanted, result, newest)
    decision = parse(last) if last else None
    result.last_at = decision.at if decision else result.first_at
    ordered = written_order.sort_written(newest)
    if ordered:
        result.remarks += written_order.note_clocks([ordered], ordered[-1])
    result.decisions = ordered[::-1]
    diagnoses.attach(result.decisions, _read_diagnoses(files))
    return result


def _read_diagnoses(files: Sequence[BinaryIO]) -> Iterator[bytes]:
    """Read the files again; yield the lines that are diagnoses."""
    for stream in files:
        stream.seek(0)
    for line in read_lines(files):
        if line is not None and diagnoses.is_diagnosis(line):
            yield line


def _count(
    line: bytes, likely: bool, wanted: str, result: SearchResult,
    newest: deque[Decision],
) -> None:
    """Count one line, and keep its decision if it is wanted.

    Of the lines that look like a decision, parse only the first, and those
    that hold the wanted id.

    :param likely: the line holds the wanted id.
    """
    whole = line.startswith(b'{"version":') and line.endswith(b'}\n')
    if whole and result.first_at and not likely:
        result.lines += 1
        return
    decision = parse(line)
    if decision is None:
        result.garbage += 1
        return
    result.lines += 1
    result.first_at = result.first_at or decision.at
    if likely and decision.concerns(wanted):
        result.matches += 1
        result.later += decision.version > VERSION
        newest.append(decision)


def read_lines(files: Iterable[BinaryIO]) -> Iterator[bytes | None]:
    """Yield the lines with their ends; None for one that is too long.

    Stop at a file's first line that lacks its end: what a writer adds
    meanwhile is the rest of that line.
    """
    for stream in files:
        while line := stream.readline(LINE_BYTES):
            if line.endswith(b'\n'):
                yield line
                continue
            if len(line) < LINE_BYTES:
                yield line
                break
            yield None
            while line and not line.endswith(b'\n'):
                line = stream.readline(LINE_BYTES)


def parse(line: bytes) -> Decision | None:
    """Return the decision of a line; None for a line that holds none."""
    try:
        return Decision.from_dict(line_data.load(line))
    except (ValueError, TypeError, RecursionError):
        return None


def _explain_absence(wanted: str, where: str, result: SearchResult) -> str:
    notes = ''.join(f'; {note}' for note in result.notes())
    if not result.lines:
        return f'no decision is recorded yet in {where}{notes}'
    return (
        f'no decision about {wanted} in {where}: {result.lines} decisions '
        f'from {sanitize(result.first_at)} to {sanitize(result.last_at)}'
        f'{notes}; every host that '
        f'runs nova-scheduler has a record of its own; that of a stock '
        f'nova-scheduler holds only requests that reached its filters; its '
        f'log has the others (nova-ext explain --log FILE)'
    )
