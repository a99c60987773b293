"""Send the claims of new servers, and delete those that got no answer."""

import functools
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nova import exception

from nova_ext.core.base.errors import FAILURES
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.claims import first_claims
from nova_ext.scheduler.claims.first_claims import (
    Answer,
    ClaimBatches,
    ConsumerClaim,
)
from nova_ext.scheduler.claims.ledger import Ledger

#: Seconds before each attempt to replace a claim that arrived late.
_PAUSES_S = (0, 0.5, 1, 2)

_ERRORS = RateLimitedLog(logging.getLogger(__name__))


class ClaimSender:
    """Send claims that the ledger has as begun, and leave them open there.

    While a claim without an answer is deleted, and perhaps sent again, it is
    held: another request of the worker must not take its room meanwhile.

    :param client: Nova's report client.
    :param ledger: learns which claims got no answer.
    :param batches: sends claims of several requests together.
    """

    def __init__(
        self, client: Any, ledger: Ledger, batches: ClaimBatches
    ) -> None:
        self._client = client
        self._ledger = ledger
        self._batches = batches

    def send(
        self, context: Any, consumer: str, claim: ConsumerClaim,
        unanswered: set[str],
    ) -> Answer:
        """Claim for one new server.

        A claim that arrives after it was deleted is deleted again: Nova's
        client would keep it beside the next, as if the server moved. It may be
        on its way still, and only be there a moment later.

        :param unanswered: consumers with a claim that got no answer; this one
            is added if it is one of them.
        :returns: UNKNOWN: no answer came, and the claim is deleted; EXISTS:
            the server has allocations, and nothing was claimed.
        :raises AllocationDeleteFailed: where it is not known to be deleted.
        """
        answer = self._batches.post(self._client, context, consumer, claim)
        if consumer in unanswered:
            for pause_s in _PAUSES_S:
                if answer is not Answer.EXISTS:
                    break
                time.sleep(pause_s)
                self._delete_unanswered(context, {consumer: claim})
                answer = self._batches.post(
                    self._client, context, consumer, claim
                )
            if answer is Answer.EXISTS:
                _ERRORS.warning(
                    'Another claim of %s is there again and again', consumer
                )
                raise _fail()
        if answer is Answer.UNKNOWN:
            unanswered.add(consumer)
            self._delete_unanswered(context, {consumer: claim})
        return answer

    def send_together(
        self, context: Any, claims: Mapping[str, ConsumerClaim],
        unanswered: set[str],
    ) -> Answer:
        """Claim for several new servers; placement takes all or none.

        Parameters, result and errors are those of :meth:`send`.
        """
        answer = first_claims.post(self._client, context, claims)
        if answer is Answer.EXISTS and self._is_there(context, claims):
            answer = Answer.CLAIMED
        if answer is Answer.UNKNOWN:
            unanswered.update(claims)
            self._delete_unanswered(context, claims)
        return answer

    def _is_there(
        self, context: Any, claims: Mapping[str, ConsumerClaim]
    ) -> bool:
        """Say whether placement has these claims.

        Where the connection broke off, keystoneauth may have sent them twice.
        """
        try:
            return all(
                _get_resources(self._client.get_allocs_for_consumer(
                    context, consumer
                )) == _get_resources(claim)
                for consumer, claim in claims.items()
            )
        except FAILURES:
            return False

    def _delete_unanswered(
        self, context: Any, claims: Mapping[str, ConsumerClaim]
    ) -> None:
        """Delete what may have been claimed.

        :raises AllocationDeleteFailed: where placement does not answer that,
            either. To decide again might claim on two hosts.
        """
        for consumer, claim in claims.items():
            self._ledger.mark_unknown(consumer, claim['allocations'])
        delete_claims(claims, lambda consumer: (
            self._client.delete_allocation_for_instance(
                context, consumer, force=True
            )
        ))


def delete_claims(
    consumers: Iterable[str], delete: Callable[[str], bool | None]
) -> None:
    """Delete the claims of all consumers, also where some can't be deleted.

    :param delete: Nova's. It returns None where placement was not reached.
    :raises AllocationDeleteFailed: where one is not known to be deleted.
    """
    deleted = [
        _is_deleted(consumer, functools.partial(delete, consumer))
        for consumer in consumers
    ]
    if not all(deleted):
        raise _fail()


def _fail() -> exception.AllocationDeleteFailed:
    """Return the error that ends a request.

    Users read its text in the fault of their servers. They learn neither
    placement's address nor which step failed: the log has both.
    """
    return exception.AllocationDeleteFailed(
        'No valid host was found. Placement did not answer as expected.'
    )


def _is_deleted(consumer: str, delete: Callable[[], bool | None]) -> bool:
    try:
        if delete() is not None:
            return True
        problem = 'no answer'
    except FAILURES as error:
        problem = f'{type(error).__name__}: {error}'
    _ERRORS.warning(
        'Placement was asked to delete the claim of %s: %s', consumer, problem
    )
    return False


def _get_resources(claim: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is claimed of each provider."""
    return {
        uuid: each['resources'] for uuid, each in claim['allocations'].items()
    }
