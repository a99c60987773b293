"""Hand the decision of a closed trace to the record's writer."""

from functools import cache
from pathlib import Path
from typing import Any, Protocol

from nova import exception

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import placement_diagnosis
from nova_ext.record import diagnoses
from nova_ext.record.writer import EXIT_S, Writer
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.completion.completion import Completion
from nova_ext.scheduler.completion.diagnosis_worker import DiagnosisWorker
from nova_ext.scheduler.cycle.cycle import Cycle
from nova_ext.scheduler.trace import trace


class Recorder:
    """Hand decisions to the writer, whose thread completes them.

    :ivar completion: completes decisions.
    :ivar diagnosis_worker: diagnoses placement's answers.
    """

    def __init__(self) -> None:
        self._writer = Writer(options.CONF)
        self.completion = Completion()
        self.diagnosis_worker = DiagnosisWorker(
            lambda diagnosis: self._writer.put(
                lambda: diagnoses.to_line(diagnosis)
            ),
            Path(options.CONF.nova_ext_record.file),
            options.CONF.nova_ext_record.ask_again_every_s,
        )

    @property
    def enabled(self) -> bool:
        """Return whether decisions are recorded at all."""
        return bool(options.CONF.nova_ext_record.enabled)

    def record(self, closed: trace.Trace) -> None:
        """Record a closed trace's decision; return at once, never raise."""
        self._writer.put(lambda: self._complete(closed), closed.hosts_kept)

    def record_whole(self, decision: d.Decision) -> None:
        """Record a decision that lacks the configuration's digest only."""
        self._writer.put(lambda: self.completion.add_digest(decision))

    def flush(self, timeout_s: float) -> bool:
        """Wait until what was recorded so far is written.

        :returns: False when the time was up first.
        """
        return self._writer.flush(timeout_s)

    @best_effort
    def close(self) -> None:
        """Write what waits; a scheduler ends without Python's own exit."""
        self.flush(EXIT_S)

    def _complete(self, closed: trace.Trace) -> d.Decision:
        pause()  # the next request may have come already
        decision = self.completion.complete(
            closed, in_full=options.CONF.nova_ext_record.successes_in_full
        )
        if decision.operation == 'rebuild' or not closed.from_first:
            return decision
        pause()
        if decision.outcome in (d.PLACED, d.PASSED):
            self.completion.count_absent(closed)
            pause()
            return decision
        # Nova's database may be what failed the request.
        best_effort(self.completion.add_absent)(closed)
        placement = decision.placement
        if placement and placement_diagnosis.needs_diagnosis(decision):
            best_effort(self.diagnosis_worker.submit)(placement)
        return decision


class Observed(Protocol):
    """Say what a decision's trace is for."""

    def is_recorded(self) -> bool:
        """Say whether the decision is wanted afterwards."""

    def describe(self, trace: trace.Trace) -> None:
        """Set in the open trace what is known of the decision."""

    def record(self, closed: trace.Trace) -> None:
        """Take the closed trace."""


class TracedRequest:
    """Trace one request, and record its decision on every exit.

    Used with ``with``, around all that Nova does for the request. Where it
    fails, the request goes on.

    :param context: the request's context.
    :param request: its cycle, which gets the trace.
    :param driver: the class that decides.
    :param effects: takes the closed trace.
    """

    def __init__(
        self, context: Any, request: Cycle, driver: type[Any],
        effects: Observed,
    ) -> None:
        self._context = context
        self._request = request
        self._driver = driver.__name__
        self._effects = effects
        self._servers = list(request.servers or ())
        self._chosen: dict[str, list[str]] = {}

    @best_effort
    def __enter__(self) -> None:
        request = self._request
        # A verification compares the weights that the trace has.
        if self._effects.is_recorded() or request.is_verified:
            request.trace = trace.start(
                request.mode, self._context, request.spec, self._driver
            )
            if request.trace is not None:
                self._effects.describe(request.trace)

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self._close(error)

    def set_destinations(self, destinations: Any) -> list[str]:
        """Set what was chosen.

        :param destinations: Nova's answer: for each server a list of
            Selection objects, or a dictionary in the legacy form.
        :returns: the chosen host of each server.
        """
        offers = [_list_hosts(offer) for offer in destinations]
        servers = self._servers or [str(n) for n in range(len(offers))]
        self._chosen = dict(zip(servers, offers, strict=False))
        return [offer[0] for offer in offers if offer]

    @best_effort
    def _close(self, error: Any) -> None:
        closed = self._request.trace
        if closed is None:
            return
        closed.decision.servers = self._servers
        closed.decision.mirror = self._request.mirror_check
        if error is None:
            closed.close(d.PLACED, chosen=self._chosen)
        elif isinstance(error, exception.NoValidHost):
            closed.close(d.NO_VALID_HOST, str(error))
        else:
            closed.close(d.FAILED, f'{type(error).__name__}: {error}')
        if self._effects.is_recorded():
            self._effects.record(closed)


def _list_hosts(offer: Any) -> list[str]:
    """Return the chosen host and its alternates, out of Nova's answer."""
    if isinstance(offer, dict):
        return [offer['host']]
    return [selection.service_host for selection in offer]


@cache
def get() -> Recorder:
    """Return the recorder of this process."""
    return Recorder()
