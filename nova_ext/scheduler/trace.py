"""Gathering one decision while Nova makes it.

One trace is open per thread: in our scheduler from the request's arrival to
its answer, in a stock scheduler while its filters and weighers run. The
recording filters and weighers add to whatever trace is open.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

from oslo_utils import timeutils

from nova_ext.core import decision as d
from nova_ext.core import occasion
from nova_ext.core.stats import Stat
from nova_ext.scheduler import options, request_facts
from nova_ext.scheduler.attempt import RANKED, AttemptTrace
from nova_ext.scheduler.explainers.reason import NONE, Look, Reason, Tell
from nova_ext.scheduler.harmless import harmless
from nova_ext.scheduler.stages import Stages

_open: ContextVar['Trace | None'] = ContextVar('nova_ext_trace', default=None)


def current() -> 'Trace | None':
    """The trace that is open in this thread."""
    return _open.get()


def enter(trace: 'Trace | None') -> None:
    """Make a trace the open one; None closes."""
    _open.set(trace)


@harmless
def opened(
    rung: int, context: Any, spec: Any, driver: str = ''
) -> 'Trace | None':
    """Open a trace in this thread; None where that went wrong."""
    made = Trace(rung, context, spec, driver)
    enter(made)
    return made


class Trace:
    """One decision in the making.

    :param rung: 1 in a stock scheduler, 2 in ours.
    :param context: the request's context.
    :param spec: the request spec.
    :param driver: class name of the driver.
    :ivar enabled: names of the enabled filters, in order.
    :ivar ranked_hosts: how many hosts of each ranking are told.
    :ivar from_first: whether its first attempt began with all hosts that
        Nova had for the request.
    :ivar readers: classes of the filters, weighers and the driver, where
        they are others than those that nova.conf names.
    """

    def __init__(
        self, rung: int, context: Any, spec: Any, driver: str = ''
    ) -> None:
        self.rung = rung
        self.spec = spec
        self.reasons: dict[int, Reason] = {}
        self.enabled: Sequence[str] = (
            options.CONF.filter_scheduler.enabled_filters
        )
        self.ranked_hosts = RANKED
        self.from_first = True
        self.readers: Sequence[Any] | None = None
        self._stages = Stages()
        self._attempts: list[AttemptTrace] = []
        self._hosts: Sequence[Any] = ()
        self._roots: set[str] = set()
        self.decision = d.Decision(
            at=timeutils.utcnow().isoformat(timespec='milliseconds') + 'Z',
            request_id=getattr(context, 'request_id', '') or '',
            project_id=spec.project_id if 'project_id' in spec else '',
            user_id=getattr(context, 'user_id', '') or '',
            occasion=occasion.occasion(spec).value,
            by=request_facts.decided_by(rung, driver),
            request=request_facts.asked(spec),
        )

    @property
    def hosts(self) -> list[str]:
        """Names of all hosts that the first attempt began with."""
        return [host.host for host in self._hosts]

    @property
    def hosts_kept(self) -> int:
        """How many host states it keeps, or what takes as much memory.

        Of further attempts it keeps what was said of the same hosts.
        """
        said = sum(attempt.hosts_in for attempt in self.decision.attempts)
        return len(self._hosts) + said // 8

    @property
    def _current(self) -> Sequence[AttemptTrace]:
        """The attempt that is under way; none before the first."""
        return self._attempts[-1:]

    @harmless
    def lap(self, stage: str) -> None:
        """End a stage; see :class:`nova_ext.core.decision.Decision`."""
        self._stages.lap(stage)

    @harmless
    def offered(
        self, resources: Any, requests: Sequence[Any] | None,
        summaries: dict[str, Any] | None,
    ) -> None:
        """Add what placement was asked and offered; prefilters are through.

        Nova asks twice where processors are pinned, and uses both answers.

        :param resources: Nova's ResourceRequest.
        :param requests: placement's allocation requests; None where it did
            not answer.
        :param summaries: placement's provider summaries, by UUID; hosts are
            the roots of their trees. None as above.
        """
        self.decision.prefilters = request_facts.prefilters(self.spec)
        self._roots |= {
            summary.get('root_provider_uuid', uuid)
            for uuid, summary in (summaries or {}).items()
        }
        asked, found = self.decision.placement, len(requests or ())
        if asked is None:
            asked = self.decision.placement = d.Placement(
                resources.to_querystring(), 0, found
            )
        else:
            asked.requests += found
            asked.fallback = found
        asked.candidates = len(self._roots)
        asked.answered &= requests is not None

    @harmless
    def begin(self, index: int, hosts: Sequence[Any]) -> None:
        """Begin to filter and weigh for one server."""
        self._stages.lap('claims' if self._attempts else 'hosts')
        self._hosts = self._hosts or hosts
        attempt = AttemptTrace(
            self.spec, index, hosts, self.enabled, self.ranked_hosts
        )
        self._attempts.append(attempt)
        self.decision.attempts.append(attempt.made)

    @harmless
    def step(
        self, name: str, kind: str, before: Sequence[Any],
        after: Sequence[Any], look: Look,
    ) -> None:
        """Add a step that let some hosts go.

        Hosts that are missing between the last step and this one were
        taken out by the request itself, which Nova does unseen.

        :param look: tells of the hosts that went, where they have no reasons
            of their own.
        """
        if own := self.reasons:
            self.reasons = {}

            def look(gone: Sequence[Any]) -> Tell:
                return lambda: (own.get(id(host), NONE) for host in gone)

        for attempt in self._current:
            attempt.step(name, kind, before, after, look)
        self._stages.lap('filters' if kind == 'filter' else kind)

    @harmless
    def absent(self, host: Any, stat: Stat) -> None:
        """Add that an extension asked for a stat that was absent."""
        for attempt in self._current:
            attempt.absent(host, stat)

    @harmless
    def weighing(
        self, weigher: Any, weighed: Sequence[Any], raw: Sequence[float]
    ) -> None:
        """Add what one weigher says; see :meth:`Weighings.add`."""
        for attempt in self._current:
            attempt.weighings.add(weigher, weighed, raw)

    @harmless
    def sorted(self, hosts: Sequence[Any], seed: int | None) -> None:
        """Nova is through with filtering, weighing and choosing.

        :param hosts: as Nova returns them; the driver has yet to rank them.
        :param seed: what Nova's method was given to draw by; None where it
            had the generator of the process.
        """
        for attempt in self._current:
            attempt.sorted(hosts, seed)
        self._stages.lap('weighers')

    @harmless
    def driver_drew(self, seed: int) -> None:
        """Add what the driver drew the order by that it has given."""
        for attempt in self._current:
            attempt.driver_drew(seed)

    @harmless
    def ranked(self, hosts: Sequence[Any]) -> None:
        """Close the attempt with the hosts that may be used, best first."""
        for attempt in self._current:
            attempt.ranked(hosts)
        self._stages.lap('driver' if self.rung == 2 else 'weighers')

    @harmless
    def claimed(
        self, server: str, alloc_request: dict[str, Any], claimed: bool
    ) -> None:
        """Add a try to claim a host's resources in placement.

        :param alloc_request: an allocation request, whose providers
            include the host's own.
        """
        self._stages.lap('claims')
        for attempt in self._current:
            host = attempt.claimed(alloc_request['allocations'])
            self.decision.claims.append(d.Claim(server, host, claimed))

    @harmless
    def broke(self, message: str) -> None:
        """Note that an extension raised."""
        self.decision.outcome = d.FAILED
        self.decision.message = message

    def close(
        self, outcome: str, message: str = '',
        chosen: dict[str, list[str]] | None = None,
    ) -> d.Decision:
        """End the decision; an extension's failure stays its outcome."""
        made = self.decision
        if not made.outcome:
            made.outcome = outcome
            made.message = message
        made.chosen = chosen or {}
        if not made.servers:
            made.servers = list(made.chosen) or list(
                dict.fromkeys(a.server for a in made.attempts if a.server)
            )
        self._stages.lap('answer')
        made.seconds = self._stages.total
        made.stages = self._stages.seconds
        return made

    @harmless
    def tell(self, *, in_full: bool) -> None:
        """Add what there was no time for; nobody waits any more.

        :param in_full: of a success, too, tell every host's weights.
        """
        placed = self.decision.outcome in (d.PLACED, d.PASSED)
        for attempt in self._attempts:
            attempt.tell(every_host=in_full or not placed)
