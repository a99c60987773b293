"""Asking placement again which part of a request kept all hosts out.

Such a question may cost placement seconds, and failures come in storms. So it
is asked after the answer is sent, in a thread of its own, one at a time, for
one candidate, and for requests of the same shape no more often than the
operator allows.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from nova.scheduler.client import report
from oslo_utils import timeutils

from nova_ext.core import asked_again, placement_query
from nova_ext.core.asked_again import Ask, AskedAgain
from nova_ext.scheduler import facts
from nova_ext.scheduler.seldom import Seldom

#: Shapes that may wait to be asked about; others are left out.
WAITING = 20

LOG = Seldom(logging.getLogger(__name__))


class Asking:
    """Finds out about queries, one after the other.

    :param tell: takes what was found; called in the thread.
    :param every_s: seconds for which a shape is not asked about again.
    """

    def __init__(
        self, tell: Callable[[AskedAgain], None], every_s: float
    ) -> None:
        self._tell = tell
        self._every_s = every_s
        self._asked: dict[str, float] = {}
        self._waiting: queue.Queue[str] = queue.Queue(WAITING)
        self._thread: threading.Thread | None = None

    def about(self, query: str) -> None:
        """Ask about a query that had no candidates, or do not; never waits.

        Not for several threads.
        """
        now = time.monotonic()
        self._asked = {
            shape: at for shape, at in self._asked.items()
            if now - at < self._every_s
        }
        shape = placement_query.shape(query)
        if not self._every_s or shape in self._asked:
            return
        try:
            self._waiting.put_nowait(query)
        except queue.Full:
            return
        self._asked[shape] = now
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._run, name='nova-ext-asking', daemon=True
            )
            self._thread.start()

    def _run(self) -> None:
        while True:
            query = self._waiting.get()
            try:
                self._tell(_find_out(query))
            except Exception as error:
                LOG.warning(
                    'Placement could not be asked again why it offered no '
                    'host: %s: %s', type(error).__name__, error,
                )


def at_once(query: str, at_most_s: float) -> AskedAgain:
    """Find out about a query while somebody waits.

    :param at_most_s: seconds, after which no further question is asked.
    """
    ends = time.monotonic() + at_most_s
    return _find_out(
        query, lambda part: _ask(part) if time.monotonic() < ends else None
    )


def _find_out(query: str, ask: Ask | None = None) -> AskedAgain:
    at = timeutils.utcnow().isoformat(timespec='milliseconds') + 'Z'
    names = facts.get().aggregate_names() | _provider_names(query)
    parts = placement_query.parts(query, names)
    return asked_again.find_out(at, query, parts, ask or _ask)


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
