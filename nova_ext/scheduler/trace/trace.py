"""Follow one decision while Nova makes it.

A trace is open in nova-ext-scheduler from the request's arrival to its answer,
in a stock nova-scheduler from its first filter until the request ends. It
takes what concerns the whole request. Each attempt takes what filters,
weighers and driver do for one server. ``plugins/traced_placement.py`` adds
what placement answers.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from oslo_utils import timeutils

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as decisions
from nova_ext.core.plugin.answers import MAX_LETTERS
from nova_ext.core.request import masking, operation
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.trace import request_facts
from nova_ext.scheduler.trace.attempt import RANKED, AttemptTrace


@best_effort
def start(
    mode: Mode, context: Any, spec: Any, driver: str = ''
) -> 'Trace | None':
    """Make the trace of a request; return None where that fails."""
    return Trace(mode, context, spec, driver)


class Trace:
    """Follow one request.

    :param driver: class name of the driver.
    :ivar decision: what is known so far.
    :ivar placement: a PlacementTrace; None in a stock scheduler.
    :ivar attempt: the attempt under way; None before the first.
    :ivar host_states: what the first attempt began with.
    :ivar enabled: names of the enabled filters, in order.
    :ivar ranked_hosts: how many hosts of each ranking are recorded.
    :ivar from_first: whether its first attempt began with all hosts that
        Nova had for the request.
    :ivar ended_at: when it was closed, seconds since 1970.
    :ivar readers: classes that may read a hint; None: the filters and
        weighers of nova.conf.
    :ivar unseen: names of enabled filters that are not traced.
    :ivar suspect: why Nova can't use what a weigher returned.
    """

    def __init__(
        self, mode: Mode, context: Any, spec: Any, driver: str = ''
    ) -> None:
        self.mode = mode
        self.attempt: AttemptTrace | None = None
        self.enabled: Sequence[str] = (
            options.CONF.filter_scheduler.enabled_filters
        )
        self.ranked_hosts = RANKED
        self.from_first = True
        self.readers: Sequence[Any] | None = None
        self.ended_at = time.time()
        self.unseen: Sequence[str] = ()
        self.suspect = ''
        self.spec = spec
        self._stages = Stages()
        self._attempts: list[AttemptTrace] = []
        self.host_states: Sequence[Any] = ()
        self.decision = decisions.Decision(
            at=timeutils.utcnow().isoformat(timespec='milliseconds') + 'Z',
            request_id=getattr(context, 'request_id', '') or '',
            # A simulation for a token of the system is of no project.
            project_id=(
                spec.project_id if 'project_id' in spec else ''
            ) or '',
            user_id=(
                'user_id' in spec and spec.user_id
            ) or getattr(context, 'user_id', '') or '',
            operation=operation.get_operation(spec).value,
            by=request_facts.describe_decider(mode, driver),
            request=request_facts.describe_request(spec),
        )
        self.placement: Any = None

    @property
    def hosts_kept(self) -> int:
        """Return how many host states take as much memory as the trace.

        A host in the lists of an attempt counts as an eighth of one. The
        mirror's states are shared by all requests.
        """
        listed = sum(attempt.hosts_in for attempt in self.decision.attempts)
        check = self.decision.mirror
        is_mirrored = check is not None and (
            check.decides and not check.fallback
        )
        return (0 if is_mirrored else len(self.host_states)) + listed // 8

    @best_effort
    def lap(self, stage: str) -> None:
        """End a stage that began where the last one ended."""
        self._stages.lap(stage)

    @best_effort
    def forget_attempts(self) -> None:
        """Forget what was tried: another begins afresh."""
        self._stages.lap('mirror')
        self._attempts, self.host_states, self.attempt = [], (), None
        self.decision.attempts = []
        if self.placement is not None:
            self.placement.forget()
        # A plugin may have raised.
        self.decision.outcome = self.decision.message = ''
        self.decision.error_text = self.suspect = ''

    @best_effort
    def begin_attempt(
        self, index: int, hosts: Sequence[Any]
    ) -> AttemptTrace | None:
        """Begin to filter and weigh for one server.

        :param index: 0 for the first server of the request.
        :param hosts: what Nova begins with.
        :returns: the attempt's trace; None where that goes wrong.
        """
        self.attempt = None
        if self._attempts:
            self._stages.lap('claims')
        elif self.mode is Mode.SCHEDULER:  # elsewhere this is the beginning
            self._stages.lap('hosts')
        self.host_states = self.host_states or hosts
        attempt = AttemptTrace(
            self.spec, index, hosts, self._stages.lap, self.enabled,
            self.ranked_hosts, self.unseen,
            self._attempts[-1].added if self._attempts else None,
        )
        self.attempt = attempt
        self._attempts.append(attempt)
        self.decision.attempts.append(attempt.attempt)
        return attempt

    @best_effort
    def add_taken(self, host: Any) -> None:
        """Add the host that was taken for the attempt's server.

        Of claims, a stock scheduler shows no more than that.
        """
        if self.attempt is not None:
            name = self.attempt.add_notable(host)
            server = self.attempt.attempt.server
            self.decision.claims.append(
                decisions.ClaimResult(server, name, True)
            )

    @best_effort
    def fail(self, message: str, text: str = '') -> None:
        """Note that a plugin raised, and the exception's own text."""
        self.decision.outcome = decisions.FAILED
        self.decision.message = message
        self.decision.error_text = masking.mask(text)

    def close(
        self, outcome: str, message: str = '',
        chosen: dict[str, list[str]] | None = None,
    ) -> None:
        """End the decision; a plugin's failure stays its outcome."""
        decision = self.decision
        is_placed = outcome == decisions.PLACED
        if self.suspect and not is_placed and not decision.outcome:
            self.fail(self.suspect, message)
        if not decision.outcome:
            decision.outcome = outcome
            decision.message = message[:MAX_LETTERS]
        decision.chosen = chosen or {}
        if self.placement is not None:
            self.placement.end()
        if not decision.servers:
            decision.servers = list(decision.chosen) or list(
                dict.fromkeys(a.server for a in decision.attempts if a.server)
            )
        if self.mode is Mode.SCHEDULER:  # elsewhere the end is not seen
            self._stages.lap('answer')
        self.ended_at = time.time()
        decision.unseen_filters = list(self.unseen)
        decision.seconds = self._stages.total
        decision.stages = self._stages.seconds

    @best_effort
    def finish(self, *, in_full: bool) -> None:
        """Add what takes time; nobody waits any more.

        A failure has every host's weights for the server that failed. For 500
        servers, 1,000 hosts and 12 weighers they would be six million.

        :param in_full: add them for each server, and to a success, too.
        """
        placed = self.decision.outcome in (decisions.PLACED, decisions.PASSED)
        while self._attempts:
            # What it holds is let go, before the next one grows.
            attempt = self._attempts.pop(0)
            is_last = not self._attempts
            attempt.finish(every_host=in_full or (is_last and not placed))
        if self.placement is not None:
            pause()
            self.placement.finish()


class Stages:
    """Add up the laps of a stopwatch by stage."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def lap(self, stage: str) -> None:
        """End a stage that began where the last one ended."""
        now = self._clock()
        self._seconds[stage] += now - self._last
        self._last = now

    @property
    def total(self) -> float:
        """Return the seconds from the beginning to the last lap."""
        return round(sum(self._seconds.values()), 4)

    @property
    def seconds(self) -> dict[str, float]:
        """Return the seconds by stage, without those of 0.0000."""
        return {
            stage: rounded for stage, spent in self._seconds.items()
            if (rounded := round(spent, 4))
        }
