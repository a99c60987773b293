"""Asking placement again what kept hosts out.

Such a question may cost placement seconds, and failures come in storms. So it
is asked after the answer is sent, in a thread of its own, one at a time, and
about requests of the same shape no more often than the operator allows,
whichever worker they reach. Simulations, which answer with what was found,
wait for the same thread.
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
from nova_ext.core.decision.placement_diagnosis import AskedAgain
from nova_ext.record.findings_cache import Lately
from nova_ext.scheduler.base.rate_limited_log import Seldom
from nova_ext.scheduler.completion import placement_probe

#: Shapes that may wait to be asked about; others are left out.
WAITING = 20

LOG = Seldom(logging.getLogger(__name__))


@dataclass
class _Question:
    """A shape that was asked about, or is to be.

    :param shape: what placement was asked, whatever its limit.
    :param offers_none: whether it offered no host at all; else its limit
        may have cut some off.
    :param for_record: whether what is found goes to the record.
    :param begun: whether it is too late to say so: it is being answered.
    :param found: None until it is answered, or where that failed.
    """

    shape: str
    offers_none: bool
    at: float = field(default_factory=time.monotonic)
    for_record: bool = False
    begun: bool = False
    found: AskedAgain | None = None
    answered: threading.Event = field(default_factory=threading.Event)

    def find_out(self) -> AskedAgain:
        """Ask placement, unless that was done."""
        ask = placement_probe.demands if self.offers_none else placement_probe.more
        return self.found or ask(self.shape)


class Asking:
    """Finds out about placement's answers, one after the other.

    :param tell: takes what was found, for the record; whether it could.
    :param record: the record's current file.
    :param every_s: seconds for which a shape is not asked about again.
    """

    def __init__(
        self, tell: Callable[[AskedAgain], bool], record: Path,
        every_s: float,
    ) -> None:
        self._tell = tell
        self._every_s = every_s
        self._lately = Lately(record, every_s)
        self._lock = threading.Lock()
        self._questions: dict[tuple[str, bool], _Question] = {}
        self._waiting: queue.Queue[_Question] = queue.Queue(WAITING)
        self._thread: threading.Thread | None = None

    def about(self, placement: d.Placement) -> None:
        """Tell of an answer that left hosts out, or do not; never waits."""
        with self._lock:
            question = self._asked(placement)
            if question is None or question.for_record:
                return
            # What was found for a simulation is recorded in a second turn.
            question.for_record = not question.begun or self._put(question)

    def at_once(
        self, placement: d.Placement, at_most_s: float
    ) -> AskedAgain | None:
        """What is found about an answer, for who waits for it.

        :param at_most_s: seconds to wait.
        :returns: None where there was no answer, or none in time.
        """
        with self._lock:
            question = self._asked(placement)
        if question is None:
            return None
        question.answered.wait(at_most_s)
        return question.found

    def _asked(self, placement: d.Placement) -> _Question | None:
        """The last question of the answer's shape, else a new one."""
        now = time.monotonic()
        self._questions = {
            key: question for key, question in self._questions.items()
            if now - question.at < self._every_s
        }
        if not self._every_s:
            return None
        key = placement_query.shape(placement.query), placement.offers_none
        if key not in self._questions:
            question = _Question(*key)
            if not self._put(question):
                return None
            self._questions[key] = question
        return self._questions[key]

    def _put(self, question: _Question) -> bool:
        """Have the thread answer a question, if not too many wait."""
        try:
            self._waiting.put_nowait(question)
        except queue.Full:
            return False
        if self._thread is None:
            thread = threading.Thread(
                target=self._run, name='nova-ext-asking', daemon=True
            )
            thread.start()
            self._thread = thread
        return True

    def _run(self) -> None:
        while True:
            question = self._waiting.get()
            try:
                self._answer(question)
            except Exception as error:
                LOG.warning(
                    'Placement could not be asked again what kept hosts out: '
                    '%s: %s', type(error).__name__, error,
                )
            finally:
                question.answered.set()

    def _answer(self, question: _Question) -> None:
        with self._lock:
            question.begun = True
            record = self._tell if question.for_record else None
        question.found = self._lately.once(
            f'{question.offers_none} {question.shape}', question.find_out,
            record,
        )
