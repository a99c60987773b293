"""Hand the decision of a closed trace to the record's writer."""

from functools import cache, cached_property
from threading import Thread
from typing import TYPE_CHECKING

from nova_ext.core.decision import decision as decisions
from nova_ext.record.writer import Writer
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.completion.completion import Completion
from nova_ext.scheduler.trace import trace

if TYPE_CHECKING:
    from nova_ext.scheduler.completion.diagnosis_worker import DiagnosisWorker


class Recorder:
    """Hand decisions to the writer, whose thread completes them."""

    def __init__(self) -> None:
        self._writer = Writer(options.CONF)

    @property
    def enabled(self) -> bool:
        """Return whether decisions are recorded at all."""
        return bool(options.CONF.nova_ext_record.enabled)

    @cached_property
    def completion(self) -> Completion:
        """Return what completes decisions; no boot waits for it."""
        return Completion()

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

    def record_whole(self, decision: decisions.Decision) -> None:
        """Record a decision that lacks the configuration's digest only."""
        self._writer.put(lambda: self.completion.add_digest(decision))

    def flush(self, timeout_s: float) -> bool:
        """Wait until what was recorded so far is written.

        :returns: False when the time was up first.
        """
        return self._writer.flush(timeout_s)

    def stop_diagnoses(self) -> list[Thread]:
        """Have no more diagnoses made; return the thread that makes one."""
        if 'diagnosis_worker' in vars(self):
            return self.diagnosis_worker.stop()
        return []

    def close(self, timeout_s: float) -> int:
        """Write what waits, and end the thread; see :meth:`Writer.close`."""
        return self._writer.close(timeout_s)

    def _complete(self, closed: trace.Trace) -> decisions.Decision:
        pause()  # the next request may have come already
        decision = self.completion.complete(
            closed, in_full=options.CONF.nova_ext_record.successes_in_full
        )
        if decision.operation == 'rebuild' or not closed.from_first:
            return decision
        pause()
        if decision.outcome in (decisions.PLACED, decisions.PASSED):
            self.completion.count_absent(closed)
            pause()
            return decision
        # Nova's database may be what failed the request.
        best_effort(self.completion.add_absent)(closed)
        placement = decision.placement
        if placement:
            from nova_ext.core.decision import placement_answer

            if placement_answer.needs_diagnosis(decision):
                best_effort(self.diagnosis_worker.submit)(placement)
        return decision


@cache
def get() -> Recorder:
    """Return the recorder of this process."""
    return Recorder()
