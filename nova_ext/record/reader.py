"""Finds decisions in the record, newest first.

Reads the current file and the rotated ones, line by line; what is no
decision is counted and said, never fatal.
"""

import collections
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from nova_ext.core.base.errors import RecordError
from nova_ext.core.decision.decision import VERSION, Decision
from nova_ext.record import file, findings

#: Decisions kept of those that match; older ones are only counted.
KEPT = 100
#: Longest line that is read; a longer one is no decision.
LINE_BYTES = 16 * 1024 * 1024

#: A line that counts decisions which could not be recorded.
DROPPED = re.compile(
    rb'\{"version":\d+,"at":"[^"]{0,40}","dropped":(\d{1,15})\}\n?'
)


@dataclass
class Found:
    """What a search came to.

    :param decisions: those that match, newest first, at most KEPT.
    :param matches: how many match.
    :param lines: decisions that were looked through.
    :param dropped: decisions that the scheduler could not record.
    :param garbage: lines that are no decision.
    :param later: lines of a later version, read as far as they are known.
    :param first_at: time of the first decision looked through.
    :param last_at: time of the last one.
    """

    decisions: list[Decision] = field(default_factory=list)
    matches: int = 0
    lines: int = 0
    dropped: int = 0
    garbage: int = 0
    later: int = 0
    first_at: str = ''
    last_at: str = ''

    def notes(self) -> list[str]:
        """What a person should know of how complete the search was."""
        notes = []
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


def find(path: Path, wanted: str) -> Found:
    """Find the decisions about a server or a request.

    :param path: the current file of the record.
    :param wanted: a server's UUID or a request id.
    :returns: at least one decision.
    :raises RecordError: when there is no record, it can't be read or holds
        no such decision.
    """
    try:
        with file.opened(path) as files:
            if not files:
                raise RecordError(
                    f'there is no record {path}: nova-scheduler writes it '
                    f'with its first decision, on its own host; --record '
                    f'names another file'
                )
            found = search(files, wanted)
            where = _where(path, len(files))
    except OSError as error:
        raise RecordError(
            f'the record {error.filename or path} can\'t be read: '
            f'{error.strerror}; read it as the user of nova-scheduler'
        ) from error
    if not found.decisions:
        raise RecordError(_nothing(wanted, where, found))
    return found


def search(files: Sequence[BinaryIO], wanted: str) -> Found:
    """Search open files, oldest first; see :func:`find`."""
    found = Found()
    kept: collections.deque[Decision] = collections.deque(maxlen=KEPT)
    needle = json.dumps(wanted).encode()
    last = b''
    for line in lines(files):
        if line is None:
            found.garbage += 1
        elif dropped := DROPPED.fullmatch(line):
            found.dropped += int(dropped[1])
        elif findings.is_finding(line):
            found.garbage += findings.read(line) is None
        elif not line.endswith(b'\n') and read(line) is None:
            continue  # being written just now
        else:
            last = line
            _count(line, needle in line, wanted, found, kept)
    newest = read(last) if last else None
    found.last_at = newest.at if newest else found.first_at
    found.decisions = sorted(kept, key=lambda d: d.at, reverse=True)
    findings.add(found.decisions, _findings(files))
    return found


def _findings(files: Sequence[BinaryIO]) -> Iterator[bytes]:
    """Lines of findings, in a second reading."""
    for each in files:
        each.seek(0)
    for line in lines(files):
        if line is not None and findings.is_finding(line):
            yield line


def _count(
    line: bytes, likely: bool, wanted: str, found: Found,
    kept: collections.deque[Decision],
) -> None:
    """Count one line, and keep its decision if it is wanted.

    Of the lines that look like a decision only the first, and those that
    hold the wanted id, are read.
    """
    whole = line.startswith(b'{"version":') and line.endswith(b'}\n')
    if whole and found.first_at and not likely:
        found.lines += 1
        return
    decision = read(line)
    if decision is None:
        found.garbage += 1
        return
    found.lines += 1
    found.first_at = found.first_at or decision.at
    if likely and decision.concerns(wanted):
        found.matches += 1
        found.later += decision.version > VERSION
        kept.append(decision)


def lines(files: Iterable[BinaryIO]) -> Iterator[bytes | None]:
    """Yield the lines with their ends; None for one that is too long.

    A file ends at the first line that lacks its end: what a writer adds to
    it meanwhile is the rest of that line, and no line itself.
    """
    for each in files:
        while line := each.readline(LINE_BYTES):
            if line.endswith(b'\n'):
                yield line
                continue
            if len(line) < LINE_BYTES:
                yield line
                break
            yield None
            while line and not line.endswith(b'\n'):
                line = each.readline(LINE_BYTES)


def read(line: bytes) -> Decision | None:
    """The decision of a line; None for one that holds none."""
    try:
        return Decision.from_dict(json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return None


def _where(path: Path, files: int) -> str:
    older = files - 1
    if older < 1:
        return str(path)
    return f'{path} and {older} rotated file{"s" if older > 1 else ""}'


def _nothing(wanted: str, where: str, found: Found) -> str:
    if not found.lines:
        return (
            f'no decision is recorded yet in {where}'
            + ''.join(f'; {note}' for note in found.notes())
        )
    looked = (
        f'{found.lines} decisions from {found.first_at} to {found.last_at}'
    )
    return (
        f'no decision about {wanted} in {where}: '
        f'{"; ".join([looked, *found.notes()])}; every host that runs '
        f'nova-scheduler has a record of its own, and that of a stock '
        f'nova-scheduler holds only requests that reached its filters'
    )
