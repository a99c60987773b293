"""Decisions out of a stock nova-scheduler's log.

The log is read twice: once for the requests that concern the server, once
for what was decided in them. Memory is bounded by the requests, not by the
log.
"""

import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from nova_ext.core.decision import Decision
from nova_ext.core.errors import RecordError
from nova_ext.record import log_events
from nova_ext.record.log_decision import LogDecision
from nova_ext.record.log_line import LogLine, parse
from nova_ext.record.reader import KEPT, LINE_BYTES, Found

#: Requests of one server that are looked at; newer ones are left out.
REQUESTS = 1000

STDIN = '-'

_ANY_REQUEST = re.compile(rb'req-[0-9a-f-]{36}')


def find(log: str, wanted: str) -> Found:
    """Find the decisions about a server or a request.

    :param log: path of the log; STDIN for standard input.
    :param wanted: a server's UUID or a request id.
    :returns: at least one decision.
    :raises RecordError: when the log can't be read or holds no such
        decision.
    """
    try:
        with _opened(log) as file:
            return _search(log, file, wanted)
    except OSError as error:
        raise RecordError(
            f'the log {log} can\'t be read: {error.strerror or error}'
        ) from error


@contextlib.contextmanager
def _opened(log: str) -> Iterator[BinaryIO]:
    """The log as a file that can be read again from its beginning."""
    if log != STDIN:
        with Path(log).open('rb') as file:
            yield file
        return
    with tempfile.TemporaryFile() as spooled:
        shutil.copyfileobj(sys.stdin.buffer, spooled)
        spooled.seek(0)
        yield spooled


def _search(log: str, file: BinaryIO, wanted: str) -> Found:
    ids, found = _requests(file, wanted)
    file.seek(0)
    decisions = [
        made for made, known_as in _decisions(file, ids)
        if made.concerns(wanted) or wanted in known_as
    ]
    if not decisions:
        raise RecordError(_nothing(log, wanted, found))
    found.matches = len(decisions)
    found.decisions = decisions[::-1][:KEPT]
    return found


def _requests(file: BinaryIO, wanted: str) -> tuple[set[str], Found]:
    """Ids of the requests whose lines name what is wanted."""
    needle = wanted.encode()
    ids: set[str] = set()
    found = Found()
    for text in _lines(file):
        found.lines += 1
        if found.first_at and needle not in text:
            continue
        line = parse(text.decode(errors='replace'))
        if line is None:
            continue
        found.first_at = found.first_at or line.at
        if needle in text and _matters(line) and len(ids) < REQUESTS:
            ids.add(line.request_id)
    return ids, found


def _decisions(
    file: BinaryIO, ids: set[str]
) -> Iterator[tuple[Decision, set[str]]]:
    """All decisions of some requests, and by which ids they are known.

    A request that asks for several decisions begins each with a line of its
    own at DEBUG.
    """
    needles = {request_id.encode() for request_id in ids}
    making: dict[str, LogDecision] = {}
    known_as: dict[str, set[str]] = {}
    for text in _lines(file):
        if needles.isdisjoint(_ANY_REQUEST.findall(text)):
            continue
        line = parse(text.decode(errors='replace'))
        if line is None or line.request_id not in ids or not _matters(line):
            continue
        names = known_as.setdefault(line.request_id, set())
        names.update(line.other_ids)
        made = making.get(line.request_id)
        if made is None or (log_events.begins(line) and not made.empty):
            if made is not None:
                yield made.finish(), names
            made = making[line.request_id] = LogDecision(
                line.request_id, line.at
            )
        log_events.apply(line, made)
    for request_id, made in making.items():
        if not made.empty:
            yield made.finish(), known_as[request_id]


def _matters(line: LogLine) -> bool:
    return line.logger.startswith(log_events.LOGGERS)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LINE_BYTES):
        yield line


def _nothing(log: str, wanted: str, found: Found) -> str:
    if not found.lines:
        return f'the log {log} is empty'
    if not found.first_at:
        return (
            f'none of the {found.lines} lines of {log} is one that a service '
            f'of Nova writes for a request'
        )
    return (
        f'no scheduling of {wanted} in the {found.lines} lines of {log}, '
        f'which begin at {found.first_at}; at INFO a stock nova-scheduler '
        f'logs failures alone, and names their server only where its filters '
        f'removed all hosts: try the request id, or set [DEFAULT] debug'
    )
