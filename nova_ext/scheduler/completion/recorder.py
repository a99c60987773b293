"""Hand the decision of a closed trace to the record's writer."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from nova import exception

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as d
from nova_ext.core.decision import placement_answer
from nova_ext.record.writer import EXIT_S, Writer
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.completion.completion import Completion
from nova_ext.scheduler.trace import trace

if TYPE_CHECKING:
    from nova_ext.scheduler.completion.diagnosis_worker import DiagnosisWorker


class Recorder:
    """Hand decisions to the writer, whose thread completes them.

    :ivar completion: completes decisions.
    """

    def __init__(self) -> None:
        self._writer = Writer(options.CONF)
        self.completion = Completion()

    @property
    def enabled(self) -> bool:
        """Return whether decisions are recorded at all."""
        return bool(options.CONF.nova_ext_record.enabled)

    @cached_property
    def diagnosis_worker(self) -> 'DiagnosisWorker':
        """Return what asks placement about its answers.

        A stock nova-scheduler shows no answer, and never loads it.
        """
        from nova_ext.scheduler.completion import diagnosis_worker

        return diagnosis_worker.make(self._writer.put)

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
        if placement and placement_answer.needs_diagnosis(decision):
            best_effort(self.diagnosis_worker.submit)(placement)
        return decision


class TracedRequest:
    """Trace one request, and record its decision on every exit.

    Used with ``with``, around all that Nova does for the request.

    :param context: the request's context.
    :param spec: the request spec.
    :param servers: server UUIDs; None in the legacy form.
    :param driver: the class that decides.
    :param describe: sets in the open trace what else is known.
    :param record: takes the closed trace in place of the recorder; then the
        request is traced though decisions are not recorded.
    """

    def __init__(
        self, context: Any, spec: Any, servers: Any, driver: type[Any], *,
        describe: Callable[[trace.Trace], None] | None = None,
        record: Callable[[trace.Trace], None] | None = None,
    ) -> None:
        self._about = (context, spec, driver.__name__)
        self._describe = describe
        self._record = record
        self._servers = list(servers or ())
        self._trace: trace.Trace | None = None
        self._chosen: dict[str, list[str]] = {}

    @best_effort
    def __enter__(self) -> None:
        if self._record or get().enabled:
            self._trace = trace.start(Mode.SCHEDULER, *self._about)
            if self._trace is not None and self._describe is not None:
                self._describe(self._trace)

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        trace.leave()
        self._close(error)

    def set_destinations(self, destinations: Any) -> list[str]:
        """Set in the trace what was chosen.

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
        closed = self._trace
        if closed is None:
            return
        closed.decision.servers = self._servers
        if error is None:
            closed.close(d.PLACED, chosen=self._chosen)
        elif isinstance(error, exception.NoValidHost):
            closed.close(d.NO_VALID_HOST, str(error))
        else:
            closed.close(d.FAILED, f'{type(error).__name__}: {error}')
        (self._record or get().record)(closed)


def _list_hosts(offer: Any) -> list[str]:
    """Return the chosen host and its alternates, out of Nova's answer."""
    if isinstance(offer, dict):
        return [offer['host']]
    return [selection.service_host for selection in offer]


@cache
def get() -> Recorder:
    """Return the recorder of this process."""
    return Recorder()
