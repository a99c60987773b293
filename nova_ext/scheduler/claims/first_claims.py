"""Claim for new servers, several together.

Nova's client first asks placement for a server's allocations, as the server
may be on a move, and claims for one server after the other. A new server has
none. So placement is asked once, by ``POST /allocations``, which takes all
claims or none.

A claim in a request of its own costs placement more than twice what it costs
beside others. So few requests are on their way at a time. A claim that comes
meanwhile is sent with others, once one of those is answered. While none is on
its way, nothing waits.
"""

import enum
import random
import threading
import time
from collections.abc import Mapping
from typing import Any

from keystoneauth1 import exceptions as keystone
from nova.scheduler.client import report

#: A claim of one consumer, as in placement's API.
ConsumerClaim = dict[str, Any]

#: Attempts where another write to a provider comes in between, and seconds
#: between them at most. Nova's client makes as many.
ATTEMPTS = 4
_PAUSE_S = 0.1
#: Of ClaimBatches: requests of one worker that are on their way, while others
#: wait.
MAX_SENT = 2
#: Of ClaimBatches: claims in one request.
MAX_CLAIMS_A_POST = 20
#: Seconds after which a claim waits no longer: placement may not answer one
#: of several connections.
PATIENCE_S = 1.0


class Answer(enum.Enum):
    """Name what placement answered.

    EXISTS: a consumer has allocations already, so it is no new server.
    FAILED: nothing was written, and not for the sake of a host.
    UNKNOWN: no answer came, or an error; the claims may have been written.
    """

    CLAIMED = 'claimed'
    REFUSED = 'refused'
    EXISTS = 'exists'
    FAILED = 'failed'
    UNKNOWN = 'unknown'


def make(
    alloc_request: Mapping[str, Any], project_id: str, user_id: str
) -> ConsumerClaim:
    """Return the claim of a new consumer."""
    return {
        **alloc_request, 'project_id': project_id, 'user_id': user_id,
        'consumer_generation': None,
    }


def post(
    client: Any, context: Any, claims: Mapping[str, ConsumerClaim]
) -> Answer:
    """Claim for new consumers.

    :param client: Nova's report client.
    :param claims: by consumer.
    """
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(random.uniform(0, _PAUSE_S))  # noqa: S311  not a secret
        try:
            response = client.post(
                '/allocations', claims, version=report.SAME_SUBTREE_VERSION,
                global_request_id=context.global_id,
            )
        except keystone.ClientException:
            return Answer.UNKNOWN
        answer = _read(response)
        if answer is not None:
            return answer
    return Answer.REFUSED


class _Waiting:
    """Hold a claim, of a request for one server.

    :ivar batch: claims that its thread sends; empty: that of another does.
    :ivar answer: placement's to that other; None: it is sent alone.
    """

    def __init__(self, consumer: str, claim: ConsumerClaim) -> None:
        self.consumer, self.claim = consumer, claim
        self.batch: list[_Waiting] = []
        self.answer: Answer | None = None
        self.goes_on = threading.Event()


class ClaimBatches:
    """Send claims, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent = 0
        self._waiting: list[_Waiting] = []

    def post(
        self, client: Any, context: Any, consumer: str, claim: ConsumerClaim
    ) -> Answer:
        """Claim for a new consumer.

        :param client: Nova's report client.
        :returns: what placement answered for this consumer. UNKNOWN, if no
            answer came for several.
        """
        mine = _Waiting(consumer, claim)
        with self._lock:
            if self._sent < MAX_SENT:
                self._sent += 1
                mine.batch = [mine]
            else:
                self._waiting.append(mine)
        if not mine.batch:
            self._wait(mine)
        if mine.batch:
            return self._send(client, context, mine.batch)
        return mine.answer or _post(client, context, [mine])

    def _wait(self, mine: _Waiting) -> None:
        if not mine.goes_on.wait(PATIENCE_S):
            with self._lock:
                if mine in self._waiting:
                    self._waiting.remove(mine)
                    return
            mine.goes_on.wait()

    def _send(
        self, client: Any, context: Any, batch: list[_Waiting]
    ) -> Answer:
        """Claim for all; return the answer for the first."""
        answer = None
        try:
            answer = _post(client, context, batch)
        finally:
            self._pass_on()
            for other in batch[1:]:
                # All are refused for one. Each then asks for itself.
                if answer in (Answer.CLAIMED, Answer.UNKNOWN):
                    other.answer = answer
                other.goes_on.set()
        if len(batch) > 1 and answer in (Answer.REFUSED, Answer.EXISTS):
            return _post(client, context, batch[:1])
        return answer

    def _pass_on(self) -> None:
        """Have one of those that wait send for others."""
        with self._lock:
            batch: dict[str, _Waiting] = {}
            while (
                self._waiting and len(batch) < MAX_CLAIMS_A_POST
                and self._waiting[0].consumer not in batch
            ):
                next_one = self._waiting.pop(0)
                batch[next_one.consumer] = next_one
            if not batch:
                self._sent -= 1
                return
            leader = next(iter(batch.values()))
            leader.batch = list(batch.values())
        leader.goes_on.set()


def _post(client: Any, context: Any, batch: list[_Waiting]) -> Answer:
    return post(
        client, context, {each.consumer: each.claim for each in batch}
    )


def _read(response: Any) -> Answer | None:
    """Return what was answered; None: another write came in between."""
    if response.status_code == 204:
        return Answer.CLAIMED
    if response.status_code in (401, 403, 404, 405, 413, 429):
        return Answer.FAILED
    if response.status_code not in (400, 409):
        return Answer.UNKNOWN
    try:
        error = response.json()['errors'][0]
        code, detail = error.get('code'), error.get('detail') or ''
    except (ValueError, LookupError, TypeError, AttributeError):
        return Answer.UNKNOWN  # a proxy's page
    if code != 'placement.concurrent_update':
        return Answer.REFUSED
    # Placement has one code for both, as Nova's client notes.
    if 'consumer generation conflict' in detail:
        return Answer.EXISTS
    return None
