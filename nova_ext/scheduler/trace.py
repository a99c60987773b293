"""Gathering one decision while Nova makes it.

One trace is open per thread: in our scheduler from the request's arrival to
its answer, in a stock scheduler while its filters and weighers run. The
recording filters and weighers add to whatever trace is open.
"""

import time
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import Any

from oslo_utils import timeutils

from nova_ext.core import decision as d
from nova_ext.core import occasion
from nova_ext.scheduler import request_facts
from nova_ext.scheduler.explainers.reason import Explain, Reason
from nova_ext.scheduler.harmless import harmless

#: Hosts kept of a ranking; the rest is only counted.
RANKED = 10

_open: ContextVar['Trace | None'] = ContextVar('nova_ext_trace', default=None)


def current() -> 'Trace | None':
    """The trace that is open in this thread."""
    return _open.get()


def enter(trace: 'Trace | None') -> None:
    """Make a trace the open one; None closes."""
    _open.set(trace)


def label(host: Any) -> str:
    """A host state's name: the host's, with the node's where they differ.

    See :func:`nova_ext.core.decision.label`.
    """
    return d.label(host.host, host.nodename)


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
    """

    def __init__(
        self, rung: int, context: Any, spec: Any, driver: str = ''
    ) -> None:
        self.rung = rung
        self.spec = spec
        self.reasons: dict[int, str] = {}
        self._began = time.monotonic()
        self._left: list[Any] = []
        self._labels: dict[str, str] = {}
        self._seen: list[str] = []
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
        return self._seen

    @property
    def attempt(self) -> d.Attempt | None:
        """The attempt that is under way."""
        attempts = self.decision.attempts
        return attempts[-1] if attempts else None

    @harmless
    def offered(self, resources: Any, summaries: dict[str, Any]) -> None:
        """Add what placement was asked and offered; prefilters are through.

        :param resources: Nova's ResourceRequest.
        :param summaries: placement's provider summaries, by UUID; hosts are
            the roots of their trees.
        """
        self.decision.prefilters = request_facts.prefilters(self.spec)
        roots = {
            summary.get('root_provider_uuid', uuid)
            for uuid, summary in summaries.items()
        }
        self.decision.placement = d.Placement(
            resources.to_querystring(), len(roots)
        )

    @harmless
    def begin(self, index: int, hosts: Sequence[Any]) -> None:
        """Begin to filter and weigh for one server."""
        self._left = list(hosts)
        self._labels = {host.uuid: label(host) for host in hosts}
        self._seen = self._seen or [host.host for host in hosts]
        self.decision.attempts.append(
            d.Attempt(
                server=_server(self.spec), index=index, hosts_in=len(hosts)
            )
        )

    @harmless
    def step(
        self, name: str, kind: str, before: Sequence[Any],
        after: Sequence[Any], why: Explain,
    ) -> None:
        """Add a step that let some hosts go.

        Hosts that are missing between the last step and this one were
        taken out by the request itself, which Nova does unseen.

        :param why: tells the reason for a host without one of its own.
        """
        if self.attempt is None:
            return
        if len(before) < len(self._left):
            self._taken_out_by_request(before)
        self._add(name, kind, before, after, why)
        self.reasons.clear()

    @harmless
    def ranked(self, hosts: Sequence[Any]) -> None:
        """Close the attempt with the hosts that may be used, best first."""
        attempt = self.attempt
        if attempt is None:
            return
        if len(hosts) < len(self._left):
            self._taken_out_by_request(hosts)
        attempt.ranked = [label(host) for host in hosts[:RANKED]]
        attempt.ranked_count = len(hosts)

    @harmless
    def weighing(
        self, name: str, hosts: Iterable[Any], weights: Iterable[float],
        low: float | None, high: float | None,
    ) -> None:
        """Add one weigher's raw weights."""
        if self.attempt is not None:
            raw = {
                label(host): weight
                for host, weight in zip(hosts, weights, strict=True)
            }
            self.attempt.weighers.append(d.Weighing(name, raw, {}, low, high))

    @harmless
    def multiplier(self, name: str, host: Any, multiplier: float) -> None:
        """Add the multiplier that a weigher gave a host."""
        weighers = self.attempt.weighers if self.attempt else []
        if weighers and weighers[-1].name == name:
            weighers[-1].multipliers[label(host)] = multiplier

    @harmless
    def claimed(
        self, server: str, alloc_request: dict[str, Any], claimed: bool
    ) -> None:
        """Add a try to claim a host's resources in placement.

        :param alloc_request: an allocation request, whose providers
            include the host's own.
        """
        providers = alloc_request['allocations']
        host = next(
            (self._labels[uuid] for uuid in providers if uuid in self._labels),
            'unknown',
        )
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
        made.seconds = round(time.monotonic() - self._began, 4)
        return made

    def _taken_out_by_request(self, left: Sequence[Any]) -> None:
        field, text = request_facts.restriction(self.spec)
        why = Reason(text)
        self._add(field, 'request', self._left, left, lambda host: why)

    def _add(
        self, name: str, kind: str, before: Sequence[Any],
        after: Sequence[Any], why: Explain,
    ) -> None:
        kept = {id(host) for host in after}
        gone: list[tuple[str, str]] = []
        details: dict[str, str] = {}
        for host in before:
            if id(host) not in kept:
                name_of_it = label(host)
                own = self.reasons.get(id(host))
                text, detail = (own, '') if own else why(host)
                gone.append((name_of_it, text))
                details[name_of_it] = detail
        assert self.attempt is not None  # noqa: S101  both callers checked
        self.attempt.steps.append(
            d.Step(
                name, kind, len(before), len(after),
                d.rejections(gone, details),
            )
        )
        self._left = list(after)


def _server(spec: Any) -> str:
    return (spec.instance_uuid if 'instance_uuid' in spec else '') or ''
