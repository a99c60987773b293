"""Ask placement, in a thread, what the hosts lack that it left out.

A diagnosis may cost placement seconds, and failures come in storms. So it is
made after the answer is sent, one at a time, and about the same query no more
often than the operator allows, whichever worker it reaches. A decision that
comes too early waits for the next turn: what placement answered before says
nothing about it. Simulations, which answer with the diagnosis, wait for the
same thread.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from cachetools import TTLCache

from nova_ext.core.decision import placement_diagnosis
from nova_ext.core.decision.decision import Placement, PlacementDiagnosis
from nova_ext.record import diagnoses
from nova_ext.record.worker_turns import WorkerTurns
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.printable_error import describe
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.completion import placement_probe

#: Queries that may wait for their turn; others are left out.
MAX_WAITING = 20
#: Diagnoses that a worker keeps; the largest have some 100 KB.
MAX_RECENT = 100

LOG = RateLimitedLog(logging.getLogger(__name__))


@dataclass
class _Job:
    """Represent the next diagnosis of one query.

    :param offered: digests of the roots that decisions got for it.
    :param since: when it was last submitted, seconds since 1970.
    :param due: when to try next, by the monotonic clock.
    :param for_record: the diagnosis goes to the record.
    :param awaited: a caller waits for the diagnosis.
    :param at_once: it waits for no turn.
    :param diagnosis: None until it is made, or where that failed.
    """

    query: str
    offered: set[str] = field(default_factory=set)
    since: float = 0.0
    due: float = 0.0
    for_record: bool = False
    awaited: bool = False
    at_once: bool = False
    diagnosis: PlacementDiagnosis | None = None
    done: threading.Event = field(default_factory=threading.Event)


def make(put: Callable[[Callable[[], bytes]], bool]) -> 'DiagnosisWorker':
    """Return a worker that is configured as the record is.

    :param put: hands what makes a line to the record's writer; returns
        whether it could.
    """
    group = options.CONF.nova_ext_record
    return DiagnosisWorker(
        lambda diagnosis: put(lambda: diagnoses.to_line(diagnosis)),
        Path(group.file), group.ask_again_every_s,
    )


class DiagnosisWorker:
    """Diagnose placement's answers, one after the other.

    :param write: writes a diagnosis to the record; returns whether it could.
    :param record: the record's current file.
    :param every_s: seconds for which a query is not asked about again; 0: ask
        about none.
    """

    def __init__(
        self, write: Callable[[PlacementDiagnosis], bool], record: Path,
        every_s: float,
    ) -> None:
        self._write = write
        self._every_s = every_s
        self._turns = WorkerTurns(record, every_s)
        self._changed = threading.Condition()
        self._waiting: dict[str, _Job] = {}
        self._recent: TTLCache[tuple[str, str], PlacementDiagnosis] = (
            TTLCache(MAX_RECENT, every_s)
        )
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()

    def submit(self, placement: Placement) -> None:
        """Diagnose for the record, unless too many wait; return at once."""
        self._add(placement.query, placement.offered, for_record=True)

    def diagnose(
        self, placement: Placement, timeout_s: float, *, at_once: bool
    ) -> PlacementDiagnosis | None:
        """Return the diagnosis of an answer, for a caller that waits.

        :param at_once: wait for no turn.
        :returns: None where it is not made in time.
        """
        job = self._add(
            placement.query, placement.offered, awaited=True, at_once=at_once
        )
        if job is None:
            return None
        job.done.wait(timeout_s)
        return job.diagnosis

    def diagnose_past(
        self, query: str, offered: str, ended: datetime, timeout_s: float
    ) -> PlacementDiagnosis | None:
        """Return the diagnosis of an answer that was given some time ago.

        One that this worker made since, within ``every_s``, will do.
        Otherwise it is made at once.

        :param offered: digest of the roots that were offered.
        :param ended: when the decision ended that got the answer.
        :returns: None where it is not made in time.
        """
        with self._changed:
            recent = self._recent.get((query, offered))
        if recent and placement_diagnosis.parse_time(recent.at) >= ended:
            return recent
        job = self._add(query, offered, awaited=True, at_once=True)
        if job is None:
            return None
        job.done.wait(timeout_s)
        return job.diagnosis

    def _add(
        self, query: str, offered: str, *, for_record: bool = False,
        awaited: bool = False, at_once: bool = False,
    ) -> _Job | None:
        """Return the job that is to diagnose an answer, not yet begun."""
        if not self._every_s:
            return None
        with self._changed:
            job = self._waiting.get(query)
            if job is None:
                if len(self._waiting) >= MAX_WAITING:
                    return None
                job = self._waiting[query] = _Job(query)
            job.offered.add(offered)
            job.since = time.time()
            job.for_record |= for_record
            job.awaited |= awaited
            if at_once:
                job.at_once, job.due = True, 0.0
            if self._thread is None:
                self._stopped = threading.Event()
                self._thread = threading.Thread(
                    target=self._work, args=(self._stopped,),
                    name='nova-ext-diagnosis', daemon=True,
                )
                self._thread.start()
            self._changed.notify()
        return job

    def stop(self) -> list[threading.Thread]:
        """Drop what waits, and tell the thread to end.

        What is added later is diagnosed all the same, by a new thread.

        :returns: the thread, if there is one: a diagnosis under way goes on.
        """
        with self._changed:
            dropped = list(self._waiting.values())
            self._waiting.clear()
            thread, self._thread = self._thread, None
            self._stopped.set()
            self._changed.notify()
        for job in dropped:
            job.done.set()
        return [] if thread is None else [thread]

    def _work(self, stopped: threading.Event) -> None:
        while (job := self._take_due(stopped)) is not None:
            try:
                job.diagnosis = placement_probe.diagnose(
                    job.query, job.offered
                )
                if job.for_record:
                    self._write(job.diagnosis)
                with self._changed:
                    for offered in job.offered:
                        self._recent[job.query, offered] = job.diagnosis
            except Exception as error:
                LOG.warning(
                    'Placement could not be asked what the hosts lack that '
                    'it left out: %s: %s', type(error).__name__,
                    describe(error),
                )
            finally:
                job.done.set()

    def _take_due(self, stopped: threading.Event) -> _Job | None:
        """Wait for a job whose turn it is; it leaves those that wait.

        :returns: None once the thread is stopped.
        """
        with self._changed:
            while not stopped.is_set():
                now = time.monotonic()
                for job in list(self._waiting.values()):
                    if job.due <= now and self._take_turn(job):
                        return job
                dues = [job.due for job in self._waiting.values()]
                self._changed.wait(min(dues) - now if dues else None)
        return None

    def _take_turn(self, job: _Job) -> bool:
        """Say whether a job is to be done now; else set when to try next."""
        # Who waits needs the answer itself, not that another worker had it.
        since = float('inf') if job.awaited else job.since
        wait_s = self._turns.take(job.query, since)
        if job.at_once:
            wait_s = 0.0
        if wait_s:
            job.due = time.monotonic() + wait_s
            return False
        del self._waiting[job.query]
        if wait_s is None:
            job.done.set()
        return wait_s is not None
