"""Ask placement again, in a thread, what kept hosts out.

A diagnosis may cost placement seconds, and failures come in storms. So it is
made after the answer is sent, one at a time, and for queries of the same shape
no more often than the operator allows, whichever worker they reach.
Simulations, which answer with the diagnosis, wait for the same thread.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import placement_query
from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.record.diagnosis_cache import DiagnosisCache
from nova_ext.scheduler.base.printable_error import describe
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.completion import placement_probe

#: Queries that may wait for their diagnosis; others are left out.
MAX_WAITING = 20

LOG = RateLimitedLog(logging.getLogger(__name__))


@dataclass
class _Job:
    """Represent the diagnosis of one shape of query.

    :param shape: the query, without its limit.
    :param offers_none: placement offered no host at all; else its limit may
        have cut some off.
    :param for_record: the diagnosis goes to the record.
    :param begun: it is under way, so that ``for_record`` comes too late.
    :param diagnosis: None until it is made, or where that failed.
    """

    shape: str
    offers_none: bool
    at: float = field(default_factory=time.monotonic)
    for_record: bool = False
    begun: bool = False
    diagnosis: PlacementDiagnosis | None = None
    done: threading.Event = field(default_factory=threading.Event)

    def diagnose(self) -> PlacementDiagnosis:
        """Ask placement, unless that was done."""
        if self.diagnosis is not None:
            return self.diagnosis
        if self.offers_none:
            return placement_probe.find_unmet_demands(self.shape)
        return placement_probe.find_candidate_hosts(self.shape)


class DiagnosisWorker:
    """Diagnose placement's answers, one after the other.

    :param write: writes a diagnosis to the record; returns whether it could.
    :param record: the record's current file.
    :param every_s: seconds for which a shape is not diagnosed again.
    """

    def __init__(
        self, write: Callable[[PlacementDiagnosis], bool], record: Path,
        every_s: float,
    ) -> None:
        self._write = write
        self._every_s = every_s
        self._cache = DiagnosisCache(record, every_s)
        self._lock = threading.Lock()
        self._jobs: dict[tuple[str, bool], _Job] = {}
        self._waiting: queue.Queue[_Job] = queue.Queue(MAX_WAITING)
        self._thread: threading.Thread | None = None

    def submit(self, placement: d.Placement) -> None:
        """Diagnose for the record, unless too many wait; return at once."""
        with self._lock:
            job = self._get_job(placement)
            if job is None or job.for_record:
                return
            # What was diagnosed for a simulation is recorded in a second run.
            job.for_record = not job.begun or self._put(job)

    def diagnose(
        self, placement: d.Placement, timeout_s: float
    ) -> PlacementDiagnosis | None:
        """Return the diagnosis of an answer, for a caller that waits.

        :returns: None where placement did not answer, or not in time.
        """
        with self._lock:
            job = self._get_job(placement)
        if job is None:
            return None
        job.done.wait(timeout_s)
        return job.diagnosis

    def _get_job(self, placement: d.Placement) -> _Job | None:
        """Return the last job of the answer's shape, else a new one."""
        now = time.monotonic()
        self._jobs = {
            key: job for key, job in self._jobs.items()
            if now - job.at < self._every_s
        }
        if not self._every_s:
            return None
        shape = placement_query.strip_limit(placement.query)
        key = shape, placement.offers_none
        if key not in self._jobs:
            job = _Job(*key)
            if not self._put(job):
                return None
            self._jobs[key] = job
        return self._jobs[key]

    def _put(self, job: _Job) -> bool:
        """Give a job to the thread, unless too many wait."""
        try:
            self._waiting.put_nowait(job)
        except queue.Full:
            return False
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._work, name='nova-ext-diagnosis', daemon=True
            )
            self._thread.start()
        return True

    def _work(self) -> None:
        while True:
            job = self._waiting.get()
            try:
                self._run(job)
            except Exception as error:
                LOG.warning(
                    'Placement could not be asked again what kept hosts out: '
                    '%s: %s', type(error).__name__, describe(error),
                )
            finally:
                job.done.set()

    def _run(self, job: _Job) -> None:
        with self._lock:
            job.begun = True
            write = self._write if job.for_record else None
        job.diagnosis = self._cache.get_or_ask(
            f'{job.offers_none} {job.shape}', job.diagnose, write
        )
