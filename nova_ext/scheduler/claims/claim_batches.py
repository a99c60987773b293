"""Send claims that come at the same time by one request to placement.

A claim in a request of its own costs placement more than twice what it costs
beside others. So few requests are on their way at a time. A claim that comes
meanwhile is sent with others, once one of those is answered. While none is on
its way, nothing waits.
"""

import threading
from typing import Any

from nova_ext.scheduler.claims import first_claims
from nova_ext.scheduler.claims.first_claims import Answer, Claim

#: Requests of one worker that are on their way, while others wait.
MAX_SENT = 2
#: Claims in one request.
MAX_TOGETHER = 20
#: Seconds after which a claim waits no longer: placement may not answer one
#: of several connections.
PATIENCE_S = 1.0


class _Waiting:
    """Hold a claim, of a request for one server.

    :ivar batch: claims that its thread sends; empty: that of another does.
    :ivar answer: placement's to that other; None: it is sent alone.
    """

    def __init__(self, consumer: str, claim: Claim) -> None:
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
        self, client: Any, context: Any, consumer: str, claim: Claim
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
                self._waiting and len(batch) < MAX_TOGETHER
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
    return first_claims.post(
        client, context, {each.consumer: each.claim for each in batch}
    )
