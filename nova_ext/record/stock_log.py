"""Read failed scheduling requests from a stock nova-scheduler's log.

At INFO Nova logs why a request found no host, and nothing of one that did.
Five lines of DEBUG are read as well. They name the request's servers, count
the hosts that reach the filters and that each filter passed, list these, and
say that a server got its host.

Read the log twice: first for the requests that concern the server, then for
their events. Memory is bounded by these requests, not by the log. The
messages are those of Nova 31 to 34; those about filters have been the same
since Juno.
"""

import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from nova_ext.core.base.errors import NoDecisionError, RecordError
from nova_ext.core.decision.decision import Decision
from nova_ext.record import log_lines
from nova_ext.record.log_lines import LogLine
from nova_ext.record.logged_scheduling import (
    EVENTS,
    FAILURES,
    Event,
    LoggedScheduling,
)
from nova_ext.record.reader import LINE_BYTES, MAX_DECISIONS, SearchResult

STDIN = '-'

#: Loggers whose lines may be events, by the beginnings of their names.
_LOGGERS = (
    'nova.filters', 'nova.scheduler.', 'nova.conductor.',
    'oslo_messaging.rpc.', 'oslo.messaging.rpc.', 'nova_ext.',
)


def find(log: str, wanted: str = '') -> SearchResult:
    """Find the failures of a server or a request.

    :param log: path of the log; STDIN for standard input.
    :param wanted: a server's UUID or a request id; empty: that of the newest
        failure.
    :returns: at least one decision, the newest first.
    :raises NoDecisionError: when it holds no such failure.
    :raises RecordError: when the log can't be read.
    """
    try:
        with _open(log) as file:
            decisions = (
                _read_failures(file, wanted) if wanted
                else _read_newest_failures(file)
            )
            if not decisions:
                raise NoDecisionError(_explain_absence(log, file, wanted))
    except OSError as error:
        raise RecordError(
            f'the log {log} can\'t be read: {error.strerror or error}'
        ) from error
    return SearchResult(
        decisions[::-1][:MAX_DECISIONS], matches=len(decisions)
    )


@contextlib.contextmanager
def _open(log: str) -> Iterator[BinaryIO]:
    """Open the log as a file that can be read again."""
    if log != STDIN:
        with Path(log).open('rb') as file:
            yield file
        return
    with tempfile.TemporaryFile() as spooled:
        shutil.copyfileobj(sys.stdin.buffer, spooled)
        yield spooled


#: The second line of Nova's message that placement gave no candidates; it
#: stands alone where the log's format repeats no heading.
_ANSWER = re.compile(r'.*?\bGot (\d{3}): (.*)')


def _read_failures(file: BinaryIO, wanted: str) -> list[Decision]:
    """Return the failures of a server or a request, oldest first."""
    ids = {line.request_id for line, _, _ in _read_events(file, [wanted])}
    decisions = _list_failures(file, ids)
    if wanted.startswith('req-'):
        return decisions
    return [
        decision for decision in decisions if wanted in decision.servers
    ]


def _read_newest_failures(file: BinaryIO) -> list[Decision]:
    """Return the failures of the request that failed last, oldest first."""
    ids: dict[str, None] = {}
    for line, event, _ in _read_events(file, ['']):
        if event in FAILURES:
            ids.pop(line.request_id, None)
            ids[line.request_id] = None
            if len(ids) > MAX_DECISIONS:
                del ids[next(iter(ids))]
    if len(ids) > 1:  # a message alone may be one of a traceback
        ids.pop('', None)
    decisions = _list_failures(file, ids)
    return [
        decision for decision in decisions
        if decision.request_id == decisions[-1].request_id
    ]


def _list_failures(
    file: BinaryIO, ids: Collection[str]
) -> list[Decision]:
    """Return the failures of some requests, oldest first.

    :param ids: their IDs; '' for lines that have only their message left.
    """
    current: dict[str, LoggedScheduling] = {}
    schedulings: list[LoggedScheduling] = []
    for line, event, match in _read_events(file, ids):
        if '' in ids and line.request_id not in ids:
            continue
        scheduling = current.get(line.request_id)
        if scheduling is None or not scheduling.is_followed_by(event):
            scheduling = current[line.request_id] = LoggedScheduling(line)
            schedulings.append(scheduling)
        scheduling.line = line
        if not scheduling.placed:
            event(scheduling, match)
    return [
        scheduling.close() for scheduling in schedulings if scheduling.failed
    ]


def _read_events(
    file: BinaryIO, words: Collection[str]
) -> Iterator[tuple[LogLine, Event, re.Match[str]]]:
    """Yield the events of the lines that hold one of some words."""
    # Kolla's fluentd leaves "req-" out.
    needles = [word.removeprefix('req-').encode() for word in words]
    unanswered: LogLine | None = None
    for text in log_lines.read(file):
        # A handler writes both lines of a message at once.
        begun, unanswered = unanswered, None
        if begun and (match := _ANSWER.match(text.decode(errors='replace'))):
            yield begun, LoggedScheduling.get_refusal, match
        if not any(needle in text for needle in needles):
            continue
        line = log_lines.parse(text.decode(errors='replace'))
        if line is None or not (
            line.logger.startswith(_LOGGERS) or not line.logger
        ):
            continue
        for pattern, event in EVENTS:
            if match := pattern.match(line.message):
                if event is LoggedScheduling.miss_answer:
                    unanswered = line
                yield line, event, match
                break


def _explain_absence(log: str, file: BinaryIO, wanted: str) -> str:
    """Say what was searched in vain."""
    count, first = 0, None
    file.seek(0)
    for text in iter(partial(file.readline, LINE_BYTES), b''):
        count += 1
        first = first or log_lines.parse(text.decode(errors='replace'))
    if not count:
        return f'the log {log} is empty'
    if first is None:
        return (
            f'none of the {count} lines of {log} is one that a service of '
            f'Nova writes for a request'
        )
    subject = f' of {wanted}' if wanted else ''
    return (
        f'no failed scheduling{subject} in the {count} lines of {log}, '
        f'which begin at {first.at or "an unknown time"}; a log tells where '
        f'placement or filters left no host, and errors; at INFO only the '
        f'filters\' line names the server: try the request id. How a server '
        f'was placed is in the record. Lines of Nova since Juno are read'
    )
