"""Follow one request in a stock nova-scheduler to its end.

Claims are not seen there. But when Nova has claimed a host, it takes the
server off the host's state, which then counts one server more. When the
request fails later, Nova sets ``updated`` of these host states to None. Host
states are made anew for each request. So they tell which host was taken for
each server, and whether it was given back.
"""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as decisions
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.cycle.cycle import Cycle
from nova_ext.scheduler.trace.attempt import AttemptTrace
from nova_ext.scheduler.trace.trace import Trace


@dataclass
class _Attempt:
    """Hold what was seen of one attempt.

    :param servers: how many servers each host had before it, by the host
        state's ``id()``.
    :param left: hosts that the filters have left so far.
    :param weighers: ``id()`` of the weighers that have run.
    :param taken: host state from which the server was taken off.
    """

    trace: AttemptTrace
    index: int
    servers: dict[int, int]
    left: Sequence[Any]
    weighers: set[int] = field(default_factory=set)
    taken: Any = None

    @property
    def comparable(self) -> bool:
        """Say whether all hosts that are left were there at its beginning.

        A filter may return copies; what Nova does with these is not seen.
        """
        return all(id(host) in self.servers for host in self.left)

    def count_servers(self, hosts: Sequence[Any]) -> None:
        """Count what hosts have now: plugins may write to host states."""
        self.servers |= {
            id(host): host.num_instances for host in hosts
            if id(host) in self.servers
        }

    def find_taken(self) -> Any:
        """Return the host that was taken since the attempt began."""
        return next((
            host for host in self.left
            if host.num_instances > self.servers.get(
                id(host), host.num_instances
            )
        ), None)


class PluginModeRequest:
    """Follow one request.

    :param spec: its request spec, which Nova hands to all filters and
        weighers.
    :param open_trace: takes the decision, which the recorder then gets.
    :ivar cycle: has the trace.
    :ivar running: the filter or weigher that runs; empty: none.
    """

    def __init__(self, spec: Any, open_trace: Trace) -> None:
        self.spec = spec
        self.cycle = Cycle(Mode.PLUGIN, spec, trace=open_trace)
        self._trace = open_trace
        self._attempts: list[_Attempt] = []
        self._lock = threading.Lock()
        self._closed = False
        self.running = ''
        self.running_since = 0.0

    @property
    def closed(self) -> bool:
        """Say whether the request has ended."""
        return self._closed

    def begin_attempt(
        self, index: int, hosts: Sequence[Any] | None = None
    ) -> None:
        """Begin to filter or weigh for one server.

        :param hosts: what Nova begins with; None: what the attempt before
            has left.
        """
        self._end_attempt()
        if hosts is None:
            hosts = self._attempts[-1].left
        attempt = self._trace.begin_attempt(index, hosts)
        if attempt is not None and self.cycle.journaled:
            self.cycle.journaled.begin_attempt(attempt, hosts)
        if attempt is not None:
            servers = {id(host): host.num_instances for host in hosts}
            self._attempts.append(_Attempt(attempt, index, servers, hosts))

    def set_left(self, hosts: Sequence[Any]) -> None:
        """Set the hosts that the filters have left so far."""
        self._attempts[-1].left = hosts
        if len(hosts) == 1:  # which Nova does not weigh
            self._attempts[-1].count_servers(hosts)

    def weigh(self, weigher: Any, hosts: Sequence[Any]) -> None:
        """Take the hosts that a weigher weighs.

        A weigher that has run already begins an attempt without filters.
        """
        last = self._attempts[-1]
        if id(weigher) in last.weighers:
            same = self.spec.instance_uuid == last.trace.attempt.server
            self.begin_attempt(last.index + (not same), hosts)
            last = self._attempts[-1]
        if not last.weighers:
            last.count_servers(hosts)
        last.weighers.add(id(weigher))
        last.left = hosts

    def give_up(self, seconds: float) -> None:
        """Record that a plugin does not end, once it has run that long."""
        if self.running and time.monotonic() > self.running_since + seconds:
            self._trace.fail(f'{self.running} has not ended, {seconds:g} s on')
            self.close()

    @best_effort
    def close(self) -> None:
        """End the request, and record its decision, once."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._end_attempt()
        chosen, outcome = self._find_chosen(), self._find_outcome()
        self._trace.close(outcome, chosen=chosen)
        if self.cycle.journaled:
            self.cycle.journaled.set_taken(
                each.taken for each in self._attempts
                if chosen and each.taken is not None
            )
            self.cycle.journaled.end(self._trace)
        recorder.get().record(self._trace)

    @best_effort
    def _end_attempt(self) -> None:
        """End the last attempt, once Nova has taken a host or given up."""
        if not self._attempts:
            return
        last = self._attempts[-1]
        last.trace.end_unranked(last.left)
        last.taken = last.find_taken()
        if last.taken is not None:
            self._trace.add_taken(last.taken)

    def _find_outcome(self) -> str:
        last = self._attempts[-1]
        if self._is_for_alternates(last):
            last = self._attempts[-2]
        elif not last.left:
            return decisions.NO_VALID_HOST
        if not last.comparable:
            return decisions.PASSED
        if last.taken is None or any(
            attempt.taken is not None and attempt.taken.updated is None
            for attempt in self._attempts
        ):
            return decisions.NO_VALID_HOST
        return decisions.PLACED

    def _find_chosen(self) -> dict[str, list[str]]:
        if self._find_outcome() != decisions.PLACED:
            return {}
        return {
            attempt.trace.attempt.server or str(attempt.index):
            [attempt.taken.host]
            for attempt in self._attempts if attempt.taken is not None
        }

    def _is_for_alternates(self, attempt: _Attempt) -> bool:
        """Say whether Nova only looked for alternates.

        It does so once, after it has taken a host for the last of several
        servers.
        """
        before = self._attempts[-2:-1]
        return bool(
            before and before[0].index == attempt.index
            and before[0].taken is not None
        )
