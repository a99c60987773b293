"""Asking placement again which part of a request kept all hosts out.

Such a question may cost placement seconds, and failures come in storms. So it
is asked after the answer is sent, in a thread of its own, one at a time, for
one candidate, and for requests of the same shape no more often than the
operator allows. Simulations, which answer with what was found, wait for the
same thread.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nova.scheduler.client import report
from oslo_utils import timeutils

from nova_ext.core import asked_again, placement_query
from nova_ext.core.asked_again import AskedAgain
from nova_ext.scheduler import facts
from nova_ext.scheduler.seldom import Seldom

#: Shapes that may wait to be asked about; others are left out.
WAITING = 20

LOG = Seldom(logging.getLogger(__name__))


@dataclass
class _Question:
    """A shape that was asked about, or is to be.

    :param recorded: whether what is found goes to the record.
    :param found: None until it is answered, or where that failed.
    """

    query: str
    at: float = field(default_factory=time.monotonic)
    recorded: bool = False
    found: AskedAgain | None = None
    answered: threading.Event = field(default_factory=threading.Event)


class Asking:
    """Finds out about queries, one after the other.

    :param tell: takes what was found, for the record.
    :param every_s: seconds for which a shape is not asked about again.
    """

    def __init__(
        self, tell: Callable[[AskedAgain], None], every_s: float
    ) -> None:
        self._tell = tell
        self._every_s = every_s
        self._lock = threading.Lock()
        self._questions: dict[str, _Question] = {}
        self._waiting: queue.Queue[_Question] = queue.Queue(WAITING)
        self._thread: threading.Thread | None = None

    def about(self, query: str) -> None:
        """Tell of a query that had no candidates, or do not; never waits."""
        with self._lock:
            question = self._asked(query)
            if question is None or question.recorded:
                return
            question.recorded = True
            found = question.found
        if found is not None:
            self._tell(found)

    def at_once(self, query: str, at_most_s: float) -> AskedAgain | None:
        """What is found about a query, for who waits for it.

        :param at_most_s: seconds to wait.
        :returns: None where there was no answer, or none in time.
        """
        with self._lock:
            question = self._asked(query)
        if question is None:
            return None
        question.answered.wait(at_most_s)
        return question.found

    def _asked(self, query: str) -> _Question | None:
        """The last question of the query's shape, else a new one."""
        now = time.monotonic()
        self._questions = {
            shape: question for shape, question in self._questions.items()
            if now - question.at < self._every_s
        }
        if not self._every_s:
            return None
        shape = placement_query.shape(query)
        if shape not in self._questions:
            question = _Question(query)
            try:
                self._waiting.put_nowait(question)
            except queue.Full:
                return None
            self._questions[shape] = question
            self._start()
        return self._questions[shape]

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._run, name='nova-ext-asking', daemon=True
            )
            self._thread.start()

    def _run(self) -> None:
        while True:
            question = self._waiting.get()
            try:
                self._answer(question)
            except Exception as error:
                LOG.warning(
                    'Placement could not be asked again why it offered no '
                    'host: %s: %s', type(error).__name__, error,
                )
            finally:
                question.answered.set()

    def _answer(self, question: _Question) -> None:
        found = _find_out(question.query)
        with self._lock:
            question.found = found
            recorded = question.recorded
        if recorded:
            self._tell(found)


def _find_out(query: str) -> AskedAgain:
    at = timeutils.utcnow().isoformat(timespec='milliseconds') + 'Z'
    names = facts.get().aggregate_names() | _provider_names(query)
    parts = placement_query.parts(query, names)
    return asked_again.find_out(at, query, parts, _ask)


def _provider_names(query: str) -> dict[str, str]:
    """Names of the providers that a query demands, by UUID.

    A compute node's is its hypervisor's host name, which is the host's where
    a host has one node.
    """
    client: Any = report.report_client_singleton()
    names = {}
    for uuid in placement_query.providers(query):
        answer = client.get(f'/resource_providers/{uuid}')
        if answer.status_code == 200:
            names[uuid] = answer.json()['name']
    return names


def _ask(query: str) -> bool | None:
    client: Any = report.report_client_singleton()
    answer = client.get(
        f'/allocation_candidates?{query}',
        version=report.SAME_SUBTREE_VERSION,
    )
    if answer.status_code != 200:
        return None
    return bool(answer.json()['allocation_requests'])
