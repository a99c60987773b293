"""Reads failed scheduling requests out of a stock nova-scheduler's log.

At INFO Nova logs why a request found no host, and nothing of one that did.
Two lines of DEBUG are read as well: they name the request's servers, and say
that one got its host. All other DEBUG lines are left to the record.

The log is read twice: once for the requests that concern the server, once
for what was decided in them. Memory is bounded by these requests, not by the
log. The messages are those of Nova 31 to 34.
"""

import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import BinaryIO

from nova_ext.core.base.errors import RecordError
from nova_ext.core.decision import decision as d
from nova_ext.record.log_line import LogLine, parse
from nova_ext.record.reader import KEPT, LINE_BYTES, Found

STDIN = '-'

#: Loggers whose lines may be events, by the beginnings of their names.
_LOGGERS = (
    'nova.filters', 'nova.scheduler.', 'oslo_messaging.rpc.server',
    'nova_ext.',
)
_UUID = re.compile(r'[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')
_COUNTS = re.compile(r'(\w+): \(start: (\d+), end: (\d+)\)')


def find(log: str, wanted: str) -> Found:
    """Find the failures of a server or a request.

    :param log: path of the log; STDIN for standard input.
    :param wanted: a server's UUID or a request id.
    :returns: at least one decision, the newest first.
    :raises RecordError: when the log can't be read or holds no such
        failure.
    """
    try:
        with _opened(log) as file:
            decisions = _decisions(file, wanted)
            if not decisions:
                raise RecordError(_nothing(log, file, wanted))
    except OSError as error:
        raise RecordError(
            f'the log {log} can\'t be read: {error.strerror or error}'
        ) from error
    return Found(decisions[::-1][:KEPT], matches=len(decisions))


@contextlib.contextmanager
def _opened(log: str) -> Iterator[BinaryIO]:
    """Open the log as a file that can be read again."""
    if log != STDIN:
        with Path(log).open('rb') as file:
            yield file
        return
    with tempfile.TemporaryFile() as spooled:
        shutil.copyfileobj(sys.stdin.buffer, spooled)
        yield spooled


class _Scheduling:
    """One call of select_destinations, as far as the log tells it.

    :param line: the first one.
    """

    def __init__(self, line: LogLine) -> None:
        self.decision = d.Decision(
            at=line.at, request_id=line.request_id,
            by={'source': 'log'},
        )
        self._unanswered = False
        self._down: list[str] = []
        self._unplaced: int | None = None

    @property
    def ended(self) -> bool:
        """Whether placement or the filters left no host."""
        return bool(self.decision.placement or self.decision.attempts)

    @property
    def failed(self) -> bool:
        """Whether anything was logged that a request fails with."""
        return bool(self.ended or self.decision.outcome)

    @property
    def placed(self) -> bool:
        """Whether all servers are known to have a host.

        Of several servers Nova asks the filters once more then, for
        alternates. That they leave none is no failure.
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

    def get_no_candidates(self, _match: re.Match[str]) -> None:
        """End, as placement offers no host.

        Nova logs the same where placement did not answer.
        """
        self.decision.placement = d.Placement(
            '', 0, answered=not self._unanswered
        )
        self._end(d.NO_VALID_HOST)

    def warn_of_host(self, match: re.Match[str]) -> None:
        """Note a host that ComputeFilter finds down."""
        host = d.label(match[1], match[2])
        if host not in self._down:
            self._down.append(host)

    def remove_all(self, match: re.Match[str]) -> None:
        """Note what each filter left; the last one left no host.

        That ends the request where its servers are known. Where they are
        not, all of them may have a host: see :attr:`placed`.
        """
        server, results = match.groups()
        steps = [
            d.Step(
                name, 'filter', int(before), int(after),
                self._rejections(name, int(before) - int(after)),
            )
            for name, before, after in _COUNTS.findall(results)
        ]
        servers = self.decision.servers = self.decision.servers or [server]
        if not steps or not steps[0].hosts_in:
            self._end(d.NO_VALID_HOST, 'none reached the filters')
            return
        index = servers.index(server) if server in servers else 0
        self.decision.attempts = [
            d.Attempt(server, index, steps[0].hosts_in, steps)
        ]
        if self._unplaced:
            self._end(d.NO_VALID_HOST)

    def refuse(self, match: re.Match[str]) -> None:
        """End with no valid host, for the reason that the line gives."""
        self._end(d.NO_VALID_HOST, match[1].rstrip('.:'))

    def fail(self, match: re.Match[str]) -> None:
        """End with an error, unless the filters had left no host."""
        if not self.ended:
            self._end(d.FAILED, match[1])

    def _rejections(self, name: str, gone: int) -> list[d.Rejection]:
        """Name the hosts that ComputeFilter let go as they are down.

        :param gone: how many hosts the filter let go.
        """
        if name != 'ComputeFilter' or len(self._down) > gone:
            return []
        return d.rejections((host, 'down') for host in self._down)

    def _end(self, outcome: str, message: str = '') -> None:
        """Set the outcome; what is logged later does not count."""
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
#: What may follow the end of a scheduling; other events begin the next one.
_LATE = (_Scheduling.refuse, _Scheduling.fail)


def _decisions(file: BinaryIO, wanted: str) -> list[d.Decision]:
    """Return the failures of a server or a request, oldest first."""
    ids = {line.request_id for line, _, _ in _events(file, [wanted])}
    current: dict[str, _Scheduling] = {}
    schedulings: list[_Scheduling] = []
    for line, event, match in _events(file, ids):
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


def _events(
    file: BinaryIO, words: Collection[str]
) -> Iterator[tuple[LogLine, _Event, re.Match[str]]]:
    """Read the events of the lines that hold one of some words."""
    needles = [word.encode() for word in words]
    file.seek(0)
    for text in _lines(file):
        if not any(needle in text for needle in needles):
            continue
        line = parse(text.decode(errors='replace'))
        if line is None or not line.logger.startswith(_LOGGERS):
            continue
        for pattern, event in _EVENTS:
            if match := pattern.match(line.message):
                yield line, event, match
                break


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LINE_BYTES):
        yield line


def _nothing(log: str, file: BinaryIO, wanted: str) -> str:
    """Say what was looked through in vain."""
    count, first = 0, None
    file.seek(0)
    for text in _lines(file):
        count += 1
        first = first or parse(text.decode(errors='replace'))
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
