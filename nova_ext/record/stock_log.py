"""Read failed scheduling requests from a stock nova-scheduler's log.

At INFO Nova logs why a request found no host, and nothing of one that did.
Two lines of DEBUG are read as well: they name the request's servers, and say
that one got its host. All other DEBUG lines are left to the record.

Read the log twice: first for the requests that concern the server, then for
their events. Memory is bounded by these requests, not by the log. The
messages are those of Nova 31 to 34.
"""

import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from nova_ext.core.base.errors import NoDecisionError, RecordError
from nova_ext.core.decision import placement_refusal
from nova_ext.core.decision.decision import (
    FAILED,
    NO_VALID_HOST,
    Attempt,
    Decision,
    Placement,
    Rejection,
    Step,
    group_rejections,
    name_host,
)
from nova_ext.record.reader import LINE_BYTES, MAX_DECISIONS, SearchResult

STDIN = '-'

#: Loggers whose lines may be events, by the beginnings of their names.
_LOGGERS = (
    'nova.filters', 'nova.scheduler.', 'oslo_messaging.rpc.server',
    'nova_ext.',
)
_COLOUR = re.compile(r'(?:\x1b|#033)\[[0-9;]*m')
_LINE = re.compile(
    r'(?P<head>.{0,200}?)\b(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) +'
    r'(?P<logger>[\w.]+) \[(?P<context>[^\]]*)\] (?P<message>.*)'
)
_TIME = re.compile(
    r'\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?|'
    r'[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d'
)
_REQUEST = re.compile(r'req-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')
_SERVER = re.compile(r'^\[instance: [0-9a-f-]{36}\] ')
_UUID = re.compile(r'[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')
_COUNTS = re.compile(r'(\w+): \(start: (\d+), end: (\d+)\)')


def find(log: str, wanted: str) -> SearchResult:
    """Find the failures of a server or a request.

    :param log: path of the log; STDIN for standard input.
    :param wanted: a server's UUID or a request id.
    :returns: at least one decision, the newest first.
    :raises NoDecisionError: when it holds no such failure.
    :raises RecordError: when the log can't be read.
    """
    try:
        with _open(log) as file:
            decisions = _read_failures(file, wanted)
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


@dataclass(frozen=True)
class LogLine:
    """Represent a line that a service wrote for a request.

    :param at: the time as it is written there; may be empty.
    :param logger: name of the logger.
    :param request_id: the request that this service was serving. Its caller
        may know it by another id, which stands before this one.
    :param message: without the server's UUID that oslo.log puts before it.
    """

    at: str
    logger: str
    request_id: str
    message: str


def parse_line(text: str) -> LogLine | None:
    """Read one line as oslo.log writes it.

    Plain files, journald's output and devstack's coloured lines are read
    alike: look for ``LEVEL logger [… req-… …] message``.

    :returns: None for a line without level, logger or request id.
    """
    match = _LINE.match(_COLOUR.sub('', text.rstrip('\r\n')))
    if match is None:
        return None
    ids = _REQUEST.findall(match['context'])
    if not ids:
        return None
    at = _TIME.search(match['head'])
    return LogLine(
        at[0] if at else '', match['logger'], ids[-1],
        _SERVER.sub('', match['message']),
    )


class _Scheduling:
    """Represent one call of select_destinations, as far as it is logged.

    :param line: the first one.
    """

    def __init__(self, line: LogLine) -> None:
        self.decision = Decision(
            at=line.at, request_id=line.request_id,
            by={'source': 'log'},
        )
        self._unanswered = False
        self._refusal = ''
        self._down: list[str] = []
        self._unplaced: int | None = None

    @property
    def ended(self) -> bool:
        """Say whether placement or the filters left no host."""
        return bool(self.decision.placement or self.decision.attempts)

    @property
    def failed(self) -> bool:
        """Say whether an event was logged that fails a request."""
        return bool(self.ended or self.decision.outcome)

    @property
    def placed(self) -> bool:
        """Say whether all servers are known to have a host.

        After several servers Nova runs the filters once more, for alternates.
        That they leave no host is no failure.
        """
        return self._unplaced == 0

    def start(self, match: re.Match[str]) -> None:
        """Note the request's servers; logged at DEBUG."""
        self.decision.servers = _UUID.findall(match[1])
        self._unplaced = len(self.decision.servers) or None

    def select(self, _match: re.Match[str]) -> None:
        """Note that a server got a host; logged at DEBUG."""
        if self._unplaced:
            self._unplaced -= 1

    def miss_answer(self, _match: re.Match[str]) -> None:
        """Note that placement did not answer."""
        self._unanswered = True

    def get_refusal(self, match: re.Match[str]) -> None:
        """Note placement's answer to a query that it refused."""
        self._refusal = placement_refusal.parse_refusal(
            int(match[1]), match[2].rstrip().removesuffix('.')
        )

    def get_no_candidates(self, _match: re.Match[str]) -> None:
        """End, as placement offers no host.

        Nova logs the same where placement did not answer.
        """
        self.decision.placement = Placement(
            '', 0, answered=not self._unanswered, refusal=self._refusal
        )
        self._end(NO_VALID_HOST)

    def warn_of_host(self, match: re.Match[str]) -> None:
        """Note a host that ComputeFilter finds down."""
        host = name_host(match[1], match[2])
        if host not in self._down:
            self._down.append(host)

    def remove_all(self, match: re.Match[str]) -> None:
        """Note how many hosts each filter left; the last one left none.

        That ends the request where its servers are known. Where they are
        not, all of them may have a host: see :attr:`placed`.
        """
        server, results = match.groups()
        steps = [
            Step(
                name, 'filter', int(before), int(after),
                self._rejections(name, int(before) - int(after)),
            )
            for name, before, after in _COUNTS.findall(results)
        ]
        servers = self.decision.servers = self.decision.servers or [server]
        if not steps or not steps[0].hosts_in:
            self._end(NO_VALID_HOST, 'none reached the filters')
            return
        index = servers.index(server) if server in servers else 0
        self.decision.attempts = [
            Attempt(server, index, steps[0].hosts_in, steps)
        ]
        if self._unplaced:
            self._end(NO_VALID_HOST)

    def refuse(self, match: re.Match[str]) -> None:
        """End with no valid host, for the reason that the line gives."""
        self._end(NO_VALID_HOST, match[1].rstrip('.:'))

    def fail(self, match: re.Match[str]) -> None:
        """End with an error, unless the filters had left no host."""
        if not self.ended:
            self._end(FAILED, match[1])

    def _rejections(self, name: str, gone: int) -> list[Rejection]:
        """Name the hosts that ComputeFilter rejected as they are down.

        :param gone: how many hosts the filter rejected.
        """
        if name != 'ComputeFilter' or len(self._down) > gone:
            return []
        return group_rejections((host, 'down') for host in self._down)

    def _end(self, outcome: str, message: str = '') -> None:
        """Set the outcome, once; later events do not count."""
        if not self.decision.outcome:
            self.decision.outcome = outcome
            self.decision.message = message


_Event = Callable[[_Scheduling, re.Match[str]], None]

_EVENTS: tuple[tuple[re.Pattern[str], _Event], ...] = tuple(
    (re.compile(pattern), event) for pattern, event in (
        (r'Starting to schedule for instances: (.*)', _Scheduling.start),
        (r'Selected host: ', _Scheduling.select),
        (r'Failed to retrieve allocation candidates from placement API|'
         r'Placement API service is not responding|'
         r'The placement API endpoint was not found|'
         r'No authentication information found for placement API|'
         r'Placement service credentials do not work|'
         r'Discovering suitable URL for placement API failed',
         _Scheduling.miss_answer),
        (r'Got no allocation candidates from the Placement API',
         _Scheduling.get_no_candidates),
        (r'\(([^,()]+), ([^()]+)\) ram: .* has not been heard from in a while',
         _Scheduling.warn_of_host),
        (r"Filtering removed all hosts for the request with instance ID "
         r"'([^']*)'\. Filter results: (\['.*\])", _Scheduling.remove_all),
        (r'(No (?:host|node)s matched due to not matching .*|'
         r'Tenant .* has no available aggregates|'
         r'No host-to-cell mapping found for selected host \S+)',
         _Scheduling.refuse),
        # What a conductor says, where its log is the same.
        (r'Failed to \w+: (No valid host was found\. .*?): nova\.exception',
         _Scheduling.refuse),
        (r'((?:filter|weigher|driver) \w+ raised \w+)', _Scheduling.fail),
        (r'Exception during message handling: (.*)', _Scheduling.fail),
    )
)
#: The second line of Nova's message that placement gave no candidates; it
#: stands alone where the log's format repeats no heading.
_ANSWER = re.compile(r'.*?\bGot (\d{3}): (.*)')
#: What may follow the end of a scheduling; other events begin the next one.
_LATE = (_Scheduling.refuse, _Scheduling.fail)


def _read_failures(file: BinaryIO, wanted: str) -> list[Decision]:
    """Return the failures of a server or a request, oldest first."""
    ids = {line.request_id for line, _, _ in _read_events(file, [wanted])}
    current: dict[str, _Scheduling] = {}
    schedulings: list[_Scheduling] = []
    for line, event, match in _read_events(file, ids):
        scheduling = current.get(line.request_id)
        if scheduling is None or event is _Scheduling.start or (
            scheduling.ended and event not in _LATE
        ):
            scheduling = current[line.request_id] = _Scheduling(line)
            schedulings.append(scheduling)
        if not scheduling.placed:
            event(scheduling, match)
    whole_request = wanted.startswith('req-')
    return [
        scheduling.decision for scheduling in schedulings
        if scheduling.failed
        and (whole_request or wanted in scheduling.decision.servers)
    ]


def _read_events(
    file: BinaryIO, words: Collection[str]
) -> Iterator[tuple[LogLine, _Event, re.Match[str]]]:
    """Yield the events of the lines that hold one of some words."""
    needles = [word.encode() for word in words]
    file.seek(0)
    unanswered: LogLine | None = None
    for text in iter(partial(file.readline, LINE_BYTES), b''):
        # A handler writes both lines of a message at once.
        begun, unanswered = unanswered, None
        if begun and (match := _ANSWER.match(text.decode(errors='replace'))):
            yield begun, _Scheduling.get_refusal, match
        if not any(needle in text for needle in needles):
            continue
        line = parse_line(text.decode(errors='replace'))
        if line is None or not line.logger.startswith(_LOGGERS):
            continue
        for pattern, event in _EVENTS:
            if match := pattern.match(line.message):
                if event is _Scheduling.miss_answer:
                    unanswered = line
                yield line, event, match
                break


def _explain_absence(log: str, file: BinaryIO, wanted: str) -> str:
    """Say what was searched in vain."""
    count, first = 0, None
    file.seek(0)
    for text in iter(partial(file.readline, LINE_BYTES), b''):
        count += 1
        first = first or parse_line(text.decode(errors='replace'))
    if not count:
        return f'the log {log} is empty'
    if first is None:
        return (
            f'none of the {count} lines of {log} is one that a service of '
            f'Nova writes for a request'
        )
    return (
        f'no failed scheduling of {wanted} in the {count} lines of {log}, '
        f'which begin at {first.at}; a log tells where placement or filters '
        f'left no host, and errors; at INFO only the filters\' line names the '
        f'server: try the request id. How a server was placed is in the record'
    )
