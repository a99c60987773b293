"""What a stock nova-scheduler says in its log, and what that means.

The messages are those of nova.filters, nova.weights, nova.scheduler.manager,
nova.scheduler.host_manager, nova.scheduler.utils and the filters, 31 to 34.
"""

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any

from nova_ext.core import decision as d
from nova_ext.record.log_decision import LogDecision
from nova_ext.record.log_line import LogLine

Handler = Callable[[LogDecision, re.Match[str]], None]

#: Loggers whose lines may mean something, by the beginnings of their names.
LOGGERS = (
    'nova.filters', 'nova.weights', 'nova.scheduler.',
    'oslo_messaging.rpc.server', 'nova_ext.',
)
#: How a host state shows itself.
_STATE = r'\(([^,()]+), ([^()]+)\) ram: '
_UUID = re.compile(r'[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')
_PAIR = re.compile(_STATE)
_COUNTS = re.compile(r'(\w+): \(start: (\d+), end: (\d+)\)')
_WEIGHTS = r'(\{[^}]*\})'

_EVENTS: list[tuple[re.Pattern[str], Handler]] = []


def apply(line: LogLine, to: LogDecision) -> None:
    """Tell a decision what a line means, if it means anything."""
    for pattern, handler in _EVENTS:
        found = pattern.match(line.message)
        if found:
            handler(to, found)
            return


def begins(line: LogLine) -> bool:
    """Whether the line begins a decision."""
    return line.message.startswith('Starting to schedule for instances: ')


def _event(pattern: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        _EVENTS.append((re.compile(pattern), handler))
        return handler
    return register


@_event(r'Starting to schedule for instances: (.*)')
def _servers(to: LogDecision, found: re.Match[str]) -> None:
    to.made.servers = _UUID.findall(found[1])


@_event(r'(\w+) request filter added (.*)')
def _prefilter(to: LogDecision, found: re.Match[str]) -> None:
    prefilters = to.made.prefilters or {}
    prefilters.setdefault(found[1], []).append(found[2])
    to.made.prefilters = prefilters


@_event(r'Failed to retrieve allocation candidates from placement API|'
        r'Placement API service is not responding\.')
def _no_answer(to: LogDecision, found: re.Match[str]) -> None:
    to.unanswered = True


@_event(r'Got no allocation candidates from the Placement API')
def _no_candidates(to: LogDecision, found: re.Match[str]) -> None:
    # Nova says so, too, where placement did not answer.
    to.made.placement = d.Placement('', 0, answered=not to.unanswered)
    to.end(d.NO_VALID_HOST)


@_event(r'Host filter ignoring hosts: (.*)')
def _ignoring(to: LogDecision, found: re.Match[str]) -> None:
    to.ignored = [host for host in found[1].split(', ') if host]


@_event(r'Host filter forcing available (host|node)s to (.*)')
def _forcing(to: LogDecision, found: re.Match[str]) -> None:
    to.made.request[f'force_{found[1]}s'] = found[2].split(', ')


@_event(r"No (?:host|node)s matched due to not matching .*")
def _no_such_host(to: LogDecision, found: re.Match[str]) -> None:
    to.end(d.NO_VALID_HOST, found[0])


@_event(r'Host filter only checking host (\S+) and node .*')
def _requested(to: LogDecision, found: re.Match[str]) -> None:
    to.made.request['requested_host'] = found[1]


@_event(r'Starting with (\d+) host\(s\)')
def _starting(to: LogDecision, found: re.Match[str]) -> None:
    to.begin(int(found[1]))


@_event(r'Filter (\w+) returned (\d+) host')
def _returned(to: LogDecision, found: re.Match[str]) -> None:
    to.filtered(found[1], int(found[2]))


@_event(
    _STATE + r'.*?instances: \d+(?:, allocation_candidates: \d+)?,? (.+)'
)
def _rejected(to: LogDecision, found: re.Match[str]) -> None:
    to.rejected(d.label(found[1], found[2]), found[3])


@_event(r'(\S+), (\S+) (fails NUMA topology requirements.*)')
def _rejected_numa(to: LogDecision, found: re.Match[str]) -> None:
    to.rejected(d.label(found[1], found[2]), found[3])


@_event(
    r"Filtering removed all hosts for the request with instance ID "
    r"'([^']*)'\. Filter results: (\[.*\])"
)
def _removed_all(to: LogDecision, found: re.Match[str]) -> None:
    counts = [
        (name, int(before), int(after))
        for name, before, after in _COUNTS.findall(found[2])
    ]
    if counts or found[2] == '[]':
        to.removed_all(found[1], counts)
    else:
        to.name_hosts(list(_hosts_by_filter(found[2])))


@_event(r'Filtered \[(.*)\]')
def _left(to: LogDecision, found: re.Match[str]) -> None:
    to.ranked(_labels(found[1]))


@_event(r'Weighed \[(.*)\]')
def _ranked(to: LogDecision, found: re.Match[str]) -> None:
    to.ranked(_labels(found[1]))


@_event(rf'(\w+): raw weights {_WEIGHTS}')
def _raw(to: LogDecision, found: re.Match[str]) -> None:
    to.weighed(found[1], _by_host(found[2]))


@_event(rf'(\w+): normalized weights {_WEIGHTS}')
def _normalised(to: LogDecision, found: re.Match[str]) -> None:
    to.normalised(found[1], _by_host(found[2]))


@_event(rf'(\w+): score \(multiplier \* weight\) {_WEIGHTS}')
def _score(to: LogDecision, found: re.Match[str]) -> None:
    to.multiplied(found[1], _by_host(found[2]))


@_event(r'Attempting to claim resources in the placement API for instance '
        r'(\S+)')
def _claiming(to: LogDecision, found: re.Match[str]) -> None:
    to.made.claims.append(d.Claim(found[1], '', False))


@_event(r'Not claiming resources in the placement API for rebuild-only')
def _rebuild(to: LogDecision, found: re.Match[str]) -> None:
    to.made.occasion = 'rebuild'


@_event(rf'Selected host: {_STATE}')
def _selected(to: LogDecision, found: re.Match[str]) -> None:
    to.selected(d.label(found[1], found[2]))


@_event(r'There are \d+ hosts available but \d+ instances requested')
def _not_enough(to: LogDecision, found: re.Match[str]) -> None:
    to.end(d.NO_VALID_HOST)


@_event(r'((?:filter|weigher|driver) \w+ raised \w+)')
def _extension_raised(to: LogDecision, found: re.Match[str]) -> None:
    to.end(d.FAILED, found[1])


@_event(r'Exception during message handling: (.*)')
def _raised(to: LogDecision, found: re.Match[str]) -> None:
    to.end(d.FAILED, found[1])


@_event(r'Failed to \w+: (No valid host was found\. .*?): nova\.exception')
def _conductor_says(to: LogDecision, found: re.Match[str]) -> None:
    to.end(d.NO_VALID_HOST, found[1])


@_event(r'Tenant .* has no available aggregates|'
        r'No host-to-cell mapping found for selected host \S+')
def _refused(to: LogDecision, found: re.Match[str]) -> None:
    to.end(d.NO_VALID_HOST, found[0].rstrip('.:'))


def _labels(states: str) -> list[str]:
    return [d.label(host, node) for host, node in _PAIR.findall(states)]


def _by_host(text: str) -> dict[str, Any]:
    """A printed dictionary by (host, node); empty for one cut short."""
    try:
        values = ast.literal_eval(text)
        return {d.label(*pair): value for pair, value in values.items()}
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return {}


def _hosts_by_filter(text: str) -> Iterator[tuple[str, list[str]]]:
    """A printed list of (filter, hosts that it left)."""
    try:
        for name, hosts in ast.literal_eval(text):
            yield name, [d.label(*pair) for pair in hosts or ()]
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return
