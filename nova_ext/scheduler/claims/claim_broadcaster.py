"""Tell other schedulers what this one is about to claim, in a thread.

A mirror sees what others claimed when it reads placement, seconds later. Until
then all would choose the same best host, also once it is full. No request
waits for the message. It may get lost: placement refuses the claim then.
"""

import contextlib
import logging
import queue
import threading
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nova import context as nova_context

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.scheduler.base import fan_out
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog

LOG = logging.getLogger(__name__)

#: Amounts by resource class that are claimed of a provider, which has a UUID.
AnnouncedClaim = tuple[str, Mapping[str, int]]

#: Claims that wait to be told; further ones are not told.
MAX_WAITING = 1000
#: Claims in one message.
MAX_ANNOUNCED = 100
#: Resource classes of one claim, and characters of a name. Placement's own
#: names have 255 at most.
_MAX_CLASSES = 64
_MAX_LENGTH = 255
#: As placement has it.
_MAX_AMOUNT = 2 ** 31 - 1


class ClaimBroadcaster:
    """Tell what is claimed.

    :param cast: sends a message to all schedulers.
    :ivar worker: names this worker; empty until it starts.
    """

    def __init__(self, cast: Callable[..., None] = fan_out.cast) -> None:
        self.worker = ''
        self._cast = cast
        self._waiting: queue.Queue[AnnouncedClaim | None] = queue.Queue(
            MAX_WAITING
        )
        self._ended = False
        self._failures = RateLimitedLog(LOG)
        self._thread = threading.Thread(
            target=self._run, name='nova-ext-claims', daemon=True
        )

    def start(self) -> None:
        """Begin to tell: in a worker, after the fork."""
        self.worker = str(uuid.uuid4())
        self._thread.start()

    def stop(self) -> threading.Thread:
        """Tell the thread to end, and return it; what waits is not told."""
        self._ended = True
        self._put(None)  # it may wait for a claim
        return self._thread

    def put(self, allocations: Mapping[str, Any]) -> None:
        """Have a claim told; return at once.

        :param allocations: its ``resources`` by provider, as in a request to
            placement.
        """
        for provider, allocation in allocations.items():
            self._put((provider, allocation['resources']))

    def _put(self, claim: AnnouncedClaim | None) -> None:
        # Where the bus is slow, it costs refusals, and nothing else.
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(claim)

    def _run(self) -> None:
        while not self._ended:
            if claims := self._take():
                self._tell(claims)

    def _tell(self, claims: list[AnnouncedClaim]) -> None:
        try:
            self._cast(
                nova_context.RequestContext(is_admin=False), 'take_claims',
                worker=self.worker, claims=claims,
            )
        except Exception as error:  # the bus may be back for the next ones
            self._failures.warning(
                'Other schedulers were not told of claims: %s', error
            )

    def _take(self) -> list[AnnouncedClaim]:
        """Wait for claims; return those there are, up to MAX_ANNOUNCED."""
        claims = [self._waiting.get()]
        while len(claims) < MAX_ANNOUNCED and not self._waiting.empty():
            claims.append(self._waiting.get())
        return [claim for claim in claims if claim is not None]


def parse(claims: Any) -> Iterable[AnnouncedClaim]:
    """Return what another scheduler told.

    :raises WrongArgumentsError: for what is malformed.
    """
    if not isinstance(claims, list) or len(claims) > MAX_ANNOUNCED:
        raise WrongArgumentsError(
            f'claims are no list of {MAX_ANNOUNCED} at most'
        )
    for claim in claims:
        if not _is_claim(claim):
            raise WrongArgumentsError(f'no claim: {repr(claim)[:100]}')
    return [(provider, amounts) for provider, amounts in claims]


def _is_claim(claim: Any) -> bool:
    return (
        isinstance(claim, list | tuple) and len(claim) == 2
        and isinstance(claim[0], str) and isinstance(claim[1], Mapping)
        and len(claim[0]) <= _MAX_LENGTH and len(claim[1]) <= _MAX_CLASSES
        and all(
            isinstance(name, str) and len(name) <= _MAX_LENGTH
            and type(amount) is int
            and 0 <= amount <= _MAX_AMOUNT
            for name, amount in claim[1].items()
        )
    )
