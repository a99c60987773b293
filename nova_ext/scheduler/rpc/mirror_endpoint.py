"""Tell what the mirrors of all workers do, and take what they will claim.

Each worker has a mirror of its own, and one of them gets a call. It asks the
others by fan-out, and they answer by fan-out: so no queue has to be made for
the answers.
"""

import functools
import threading
import time
import uuid
from collections.abc import Sequence
from typing import Any

import oslo_messaging as messaging

from nova_ext.client import wire
from nova_ext.core.rpc.arguments import Name
from nova_ext.core.rpc.mirror_state import MirrorState
from nova_ext.scheduler.base import fan_out
from nova_ext.scheduler.claims import claim_broadcaster
from nova_ext.scheduler.rpc.exposed import (
    RefusingEndpoint,
    call_method,
    cast_method,
)

#: Seconds without a further answer after which no more are awaited.
_QUIET_S = 1.0
#: Seconds in which answers are awaited at most.
_AT_MOST_S = 3.0
#: Answers to one question that are taken: several times the workers of a
#: large cloud.
_MAX_ANSWERS = 1000


class MirrorEndpoint(RefusingEndpoint):
    """Answer RPC calls about mirrors.

    :param host: the name of the scheduler's host.
    :param worker: ID of this worker's process.
    :param mirror: this worker's; None: it has none.
    """

    target = messaging.Target(version=wire.VERSION)

    def __init__(self, host: str, worker: int, mirror: Any) -> None:
        super().__init__()
        self._host = host
        self._worker = worker
        self._mirror = mirror
        self._answered = threading.Condition()
        self._answers: dict[str, list[MirrorState]] = {}

    @call_method()
    def mirror_states(self, context: Any) -> list[dict[str, Any]]:
        """Return what the mirrors of all workers do, by host and worker.

        It ends one second after the last answer, or after three seconds. Who
        has not answered then is absent, but for this worker.
        """
        question = str(uuid.uuid4())
        answers: list[MirrorState] = []
        deadline = time.monotonic() + _AT_MOST_S
        self._answers[question] = answers
        try:
            fan_out.cast(context, 'report_mirror', question=question)
            with self._answered:
                known = 0
                while (left_s := deadline - time.monotonic()) > 0 and (
                    self._answered.wait_for(
                        functools.partial(_is_longer, answers, known),
                        min(left_s, _QUIET_S if known else _AT_MOST_S),
                    )
                ):
                    known = len(answers)
        finally:
            del self._answers[question]
        states = {
            (each.host, each.worker): each
            for each in (*answers, MirrorState.from_dict(self._describe()))
        }
        return [states[key].to_dict() for key in sorted(states)]

    @cast_method
    def report_mirror(self, context: Any, question: Name) -> None:
        """Tell all workers what this one's mirror does."""
        fan_out.cast(
            context, 'take_mirror_report', question=question,
            report=self._describe(),
        )

    @cast_method
    def take_mirror_report(
        self, context: Any, question: Name, report: MirrorState
    ) -> None:
        """Take what another worker tells, if this one asked."""
        with self._answered:
            answers = self._answers.get(question)
            if answers is not None and len(answers) < _MAX_ANSWERS:
                answers.append(report)
                self._answered.notify_all()

    @cast_method
    def take_claims(self, context: Any, worker: Name, claims: Any) -> None:
        """Take what a worker is about to claim, if it is another.

        :param claims: see :func:`claim_broadcaster.parse`.
        """
        parsed = claim_broadcaster.parse(claims)
        if self._mirror is not None:
            self._mirror.take_claims(worker, parsed)

    def _describe(self) -> dict[str, Any]:
        state = {'mode': 'off', 'state': 'off'} if self._mirror is None else (
            self._mirror.describe()
        )
        return {'host': self._host, 'worker': self._worker, **state}


def _is_longer(answers: Sequence[Any], known: int) -> bool:
    return len(answers) > known
