"""Follow one call of select_destinations through the lines of a log."""

import re
from collections.abc import Callable

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
from nova_ext.record.log_lines import LogLine

_UUID = re.compile(r'[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')
_COUNTS = re.compile(r'(\w+): \(start: (\d+), end: (\d+)\)')
_HOST = re.compile(r"\(u?'[^']*', u?'[^']*'\)")
#: What one filter passed, as DEBUG lists it: pairs of host and node, or None.
_PASSED = re.compile(r"\('(\w+)', (None|\[(?:[^\]]*)\])\)")
#: What Nova says of a filter that leaves no host.
_NONE = 'returned 0 hosts'


class LoggedScheduling:
    """Represent one call of select_destinations, as far as it is logged.

    :param line: the first one.
    :ivar line: the one that is read.
    """

    def __init__(self, line: LogLine) -> None:
        self.line = line
        self.decision = Decision(
            at=line.at, request_id=line.request_id,
            by={'source': 'log'},
        )
        self._unanswered = False
        self._refusal = ''
        self._down: list[str] = []
        self._unplaced: int | None = None
        self._hosts: int | None = None
        self._passed: list[tuple[str, int]] = []
        self._counted: list[tuple[str, int, int]] = []
        self._listed = False

    @property
    def ended(self) -> bool:
        """Say whether placement or the filters left no host."""
        return bool(self.decision.placement or self.decision.attempts)

    @property
    def failed(self) -> bool:
        """Say whether an event was logged that fails a request."""
        decision = self.decision
        return bool(self.ended or decision.outcome or decision.message)

    def is_followed_by(self, event: 'Event') -> bool:
        """Say whether an event is one of this call, not of the next one.

        Nova logs up to three lines where filters leave no host: the last
        filter, and all filters at DEBUG and at INFO.
        """
        if event is LoggedScheduling.start:
            return False
        if event is LoggedScheduling.leave_none:
            return not self.failed
        if event is LoggedScheduling.remove_all and self._listed:
            return True
        return not self.ended or event in _LATE

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

    def count(self, match: re.Match[str]) -> None:
        """Note how many hosts reach the filters; logged at DEBUG."""
        self._hosts, self._passed = int(match[1]), []

    def pass_some(self, match: re.Match[str]) -> None:
        """Note how many hosts a filter left; logged at DEBUG."""
        self._passed.append((match[1], int(match[2])))

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

    def leave_none(self, match: re.Match[str]) -> None:
        """Note the filter that left no host, without any number."""
        self.decision.message = f'{match[1]} {_NONE}'
        self._counted = self._count_steps([*self._passed, (match[1], 0)])

    def list_passed(self, match: re.Match[str]) -> None:
        """Note which hosts each filter passed; logged at DEBUG.

        Nova does not list what reached the first filter.
        """
        server, results = match.groups()
        passed = [
            (name, len(_HOST.findall(hosts)))
            for name, hosts in _PASSED.findall(results)
        ]
        if not passed:
            return
        self._listed = True
        if steps := self._count_steps(passed):
            self._set_steps(server, steps)
            return
        self.decision.servers = self.decision.servers or [server]
        self.decision.message = f'{passed[-1][0]} {_NONE}'
        if len(passed) > 1:
            name, count = passed[-2]
            self.decision.message += f', {count} had passed {name}'

    def remove_all(self, match: re.Match[str]) -> None:
        """Note how many hosts each filter left; the last one left none."""
        server, results = match.groups()
        self._listed = False
        self._set_steps(server, [
            (name, int(before), int(after))
            for name, before, after in _COUNTS.findall(results)
        ])

    def close(self) -> Decision:
        """Return the decision, counted as well as the log allows."""
        if self._counted and not self.ended:
            if self.decision.message.endswith(_NONE):
                self.decision.message = ''
            self._set_steps((*self.decision.servers, '')[0], self._counted)
        return self.decision

    def _count_steps(
        self, passed: list[tuple[str, int]]
    ) -> list[tuple[str, int, int]]:
        """Return how many hosts each filter took and left; empty: unknown.

        :param passed: how many each left.
        """
        if self._hosts is None:
            return []
        names, after = zip(*passed, strict=True)
        return list(zip(names, [self._hosts, *after], after, strict=False))

    def _set_steps(
        self, server: str, counts: list[tuple[str, int, int]]
    ) -> None:
        """Set how many hosts each filter took and left.

        That ends the request where its servers are known. Where they are
        not, all of them may have a host: see :attr:`placed`.
        """
        if not self.decision.outcome:
            self.decision.message = ''
        steps = [
            Step(
                name, 'filter', before, after,
                self._rejections(name, before - after),
            ) for name, before, after in counts
        ]
        known = self.decision.servers or list(filter(None, [server]))
        servers = self.decision.servers = known
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
        """End with no valid host, for the reason that the line gives.

        The filter that left none says more than the conductor.
        """
        reason = match[1].removeprefix('No valid host was found.').strip()
        message = self.decision.message or reason.rstrip('.:')
        self._end(NO_VALID_HOST, message or 'Nova gives no reason')

    def bury(self, _match: re.Match[str]) -> None:
        """Note a server that the conductor sets to ERROR."""
        server = self.line.server
        if server and self.failed and server not in self.decision.servers:
            self.decision.servers.append(server)

    def fail(self, match: re.Match[str]) -> None:
        """End with an error, unless the filters had left no host."""
        if match[1].startswith('No valid host was found'):  # until Kilo
            self.refuse(match)
        elif not self.ended:
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


Event = Callable[[LoggedScheduling, re.Match[str]], None]

#: Until Newton it named the reservation, too.
_REMOVED = (
    r"Filtering removed all hosts for the request with (?:reservation ID "
    r"'[^']*' and )?instance ID '([^']*)'\. Filter results:"
)

EVENTS: tuple[tuple[re.Pattern[str], Event], ...] = tuple(
    (re.compile(pattern), event) for pattern, event in (
        (r'Starting to schedule for instances: (.*)', LoggedScheduling.start),
        (r'Starting with (\d+) host\(s\)', LoggedScheduling.count),
        (r'Selected host: ', LoggedScheduling.select),
        (r'Failed to retrieve allocation candidates from placement API|'
         r'Placement API service is not responding|'
         r'The placement API endpoint was not found|'
         r'No authentication information found for placement API|'
         r'Placement service credentials do not work|'
         r'Discovering suitable URL for placement API failed',
         LoggedScheduling.miss_answer),
        (r'Got no allocation candidates from the Placement API',
         LoggedScheduling.get_no_candidates),
        (r'\(([^,()]+), ([^()]+)\) ram: .* has not been heard from in a while',
         LoggedScheduling.warn_of_host),
        (r'Filter (\w+) returned 0 hosts', LoggedScheduling.leave_none),
        (r'Filter (\w+) returned (\d+) host\(s\)', LoggedScheduling.pass_some),
        (rf"{_REMOVED} (\['.*\])", LoggedScheduling.remove_all),
        (rf'{_REMOVED} (\[\(.*\])', LoggedScheduling.list_passed),
        (r'(No (?:host|node)s matched due to not matching .*|'
         r'Tenant .* has no available aggregates|'
         r'No host-to-cell mapping found for selected host \S+)',
         LoggedScheduling.refuse),
        # What a conductor says, where its log is the same.
        (r"(?:Failed to \w+: |NoValidHost exception with message: ')?"
         r"(No valid host was found\..*?)(?:: nova\.exception.*|')?$",
         LoggedScheduling.refuse),
        (r'Setting instance to ERROR state', LoggedScheduling.bury),
        (r'((?:filter|weigher|driver) \w+ raised \w+)', LoggedScheduling.fail),
        (r'Exception during message handling: (.*)', LoggedScheduling.fail),
    )
)
#: What may follow the end of a scheduling; other events begin the next one.
_LATE = (LoggedScheduling.refuse, LoggedScheduling.fail, LoggedScheduling.bury)
#: What may fail a request.
FAILURES = (
    LoggedScheduling.get_no_candidates, LoggedScheduling.leave_none,
    LoggedScheduling.list_passed, LoggedScheduling.remove_all,
    LoggedScheduling.refuse, LoggedScheduling.fail,
)
