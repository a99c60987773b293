"""Answer for placement from the mirror, and claim what it decided."""

import contextlib
import functools
import logging
import time
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
)
from typing import Any

from nova import exception
from nova.scheduler.client import report

from nova_ext.core.base.errors import FAILURES
from nova_ext.core.decision.fallback import FallbackError
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.mirror.claiming import first_claims
from nova_ext.scheduler.mirror.claiming.first_claims import Answer
from nova_ext.scheduler.trace import trace

#: Seconds before each attempt to replace a claim that arrived late.
_PAUSES_S = (0, 0.5, 1, 2)

_ERRORS = RateLimitedLog(logging.getLogger(__name__))


def get_request() -> Any:
    """Return the MirroredRequest that decides in this thread, or None."""
    open_trace = trace.current()
    request = open_trace.mirrored if open_trace is not None else None
    return request if request is not None and request.decides else None


def _get_late(consumer: str) -> Any:
    """Return the request whose claim for a new server may arrive yet, or None.

    Nova may decide it meanwhile.
    """
    open_trace = trace.current()
    request = open_trace.mirrored if open_trace is not None else None
    return request if (
        request is not None and request.is_first_boot
        and consumer in request.unanswered
    ) else None


def _delete(
    consumer: str, delete: Callable[[], bool | None]
) -> exception.AllocationDeleteFailed | None:
    """Delete a claim.

    Nova shows the error to users. They are not told placement's address,
    which may be in the text.

    :param delete: Nova's. It returns None where placement was not reached.
    :returns: the error where the claim is not known to be deleted.
    """
    try:
        if delete() is not None:
            return None
        said = 'no answer'
    except FAILURES as error:
        said = f'{type(error).__name__}: {error}'
    _ERRORS.warning(
        'Placement was asked to delete the claim of %s: %s', consumer, said
    )
    return exception.AllocationDeleteFailed(
        consumer_uuid=consumer, error='placement did not confirm it'
    )


def _get_resources(claim: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is claimed of each provider."""
    return {
        uuid: each['resources'] for uuid, each in claim['allocations'].items()
    }


class MirroredClient:
    """Answer for placement from the mirror, and keep what is claimed.

    :param client: Nova's, traced.
    """

    def __init__(self, client: Any, mirror: Any) -> None:
        self._client = client
        self._mirror = mirror

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Return a candidate that stands for all, or placement's.

        Nova makes lists by host of it. The hosts' own states have theirs.
        """
        request, open_trace = get_request(), trace.current()
        if request is not None and open_trace is not None:
            open_trace.end_prefilters()
            try:
                uuids = request.find_candidates(resources)
            except FallbackError as error:
                request.give_up(error)
                open_trace.lap('mirror')
            else:
                open_trace.add_mirrored_candidates(resources, uuids)
                return (
                    [{'allocations': {uuids[0]: {}}}], {},
                    report.SAME_SUBTREE_VERSION,
                )
        return self._client.get_allocation_candidates(context, resources)

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        project_id: str, user_id: str, *args: Any, **kwargs: Any,
    ) -> Any:
        """Claim, or keep the claim until all of the request are decided.

        What is claimed is held until the mirror has read it. Other schedulers
        and this one's other requests are told before, as they might choose
        the same host meanwhile.
        """
        self._mirror.broadcaster.put(alloc_request['allocations'])
        self._mirror.claims.begin(
            consumer_uuid, alloc_request['allocations'], time.monotonic()
        )
        request, late = get_request(), _get_late(consumer_uuid)
        new = request is not None and request.is_first_boot
        if new or late is not None:
            claim = first_claims.make(alloc_request, project_id, user_id)
            if request is not None and request.claims_together:
                request.add_pending(consumer_uuid, claim)
                self._trace(
                    consumer_uuid, alloc_request, Answer.CLAIMED, sent=False
                )
                return True
            answer = Answer.UNKNOWN
            try:
                with self._drop_at_errors({consumer_uuid: claim}):
                    answer = self._claim_alone(
                        context, request or late, consumer_uuid, claim
                    )
            finally:
                if answer is not Answer.EXISTS:
                    self._trace(consumer_uuid, alloc_request, answer)
            if answer is not Answer.EXISTS:
                return self._note(consumer_uuid, alloc_request, answer)
        with self._drop_at_errors({consumer_uuid: alloc_request}):
            claimed = self._client.claim_resources(
                context, consumer_uuid, alloc_request, project_id, user_id,
                *args, **kwargs
            )
        return self._note(
            consumer_uuid, alloc_request,
            Answer.CLAIMED if claimed
            else Answer.REFUSED if claimed is not None
            else Answer.FAILED,  # placement was not reached
        )

    def _claim_alone(
        self, context: Any, request: Any, consumer: str,
        claim: first_claims.Claim,
    ) -> Answer:
        """Claim for a new server.

        One that arrived after it was taken back is taken back again: Nova's
        client would keep it beside the next, as if the server moved. It may be
        on its way still, and only be there a moment later.

        :raises AllocationDeleteFailed: where it does not go.
        """
        send = functools.partial(
            self._mirror.batches.post, self._client, context, consumer, claim
        )
        answer = send()
        if consumer in request.unanswered:
            for pause_s in _PAUSES_S:
                if answer is not Answer.EXISTS:
                    break
                time.sleep(pause_s)
                self._settle(context, Answer.UNKNOWN, (consumer,))
                answer = send()
            if answer is Answer.EXISTS:
                raise exception.AllocationDeleteFailed(
                    consumer_uuid=consumer,
                    error='another claim is there again and again',
                )
        if answer is Answer.UNKNOWN:
            request.unanswered.add(consumer)
        return self._settle(context, answer, (consumer,))

    def claim_pending(self, context: Any) -> bool:
        """Claim what this thread's request has kept until now.

        :returns: whether placement accepted it. It takes all or nothing.
        """
        request, open_trace = get_request(), trace.current()
        if request is None or not request.pending:
            return True
        pending, claimed = request.take_pending(), False
        try:
            with self._drop_at_errors(pending):
                answer = first_claims.post(self._client, context, pending)
                if answer is Answer.EXISTS and (
                    self._is_there(context, pending)
                ):
                    answer = Answer.CLAIMED
                if answer is Answer.UNKNOWN:
                    request.unanswered.update(pending)
                claimed = (
                    self._settle(context, answer, pending) is Answer.CLAIMED
                )
        finally:
            if open_trace is not None:
                open_trace.end_sending(pending, claimed=claimed)
        for consumer, claim in pending.items():
            if claimed:
                self._hold(consumer, claim)
                request.claimed.append(consumer)
                continue
            if answer is Answer.UNKNOWN:
                # It was taken back. The provider may have been read meanwhile.
                self._mirror.claims.undo(consumer)
            self._drop(consumer, claim)
        if open_trace is not None:
            open_trace.lap('claims')
        if not claimed:
            self._mirror.wake()
        return claimed

    def _is_there(
        self, context: Any, claims: Mapping[str, first_claims.Claim]
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

    @contextlib.contextmanager
    def _drop_at_errors(
        self, claims: Mapping[str, Mapping[str, Any]]
    ) -> Iterator[None]:
        """Hold claims no longer that end in an error.

        One that placement made is read: it raised a generation.
        """
        try:
            yield
        except BaseException:
            for consumer, claim in claims.items():
                self._drop(consumer, claim)
            raise

    def drop_pending(self, request: Any) -> None:
        """Drop what a request has kept: Nova decides it."""
        for consumer, claim in request.take_pending().items():
            self._drop(consumer, claim)

    def _settle(
        self, context: Any, answer: Answer, consumers: Collection[str]
    ) -> Answer:
        """Take back what may have been claimed; return the answer.

        :raises AllocationDeleteFailed: where placement does not answer that,
            either. To decide again might claim on two hosts.
        """
        if answer is not Answer.UNKNOWN:
            return answer
        # The claims are held meanwhile: they may be sent again.
        errors = [
            _delete(consumer, functools.partial(
                self._client.delete_allocation_for_instance,
                context, consumer, force=True,
            )) for consumer in consumers
        ]
        for error in filter(None, errors):
            # No generation tells that they are deleted.
            for consumer in consumers:
                self._mirror.claims.undo(consumer)
            raise error
        return answer

    def take_back(self, context: Any, consumers: Iterable[str]) -> None:
        """Delete what servers claimed, or may have claimed.

        :raises AllocationDeleteFailed: where some is not known to be deleted;
            the rest is.
        """
        errors = [
            _delete(consumer, functools.partial(
                self.delete_allocation_for_instance, context, consumer,
                force=True,
            )) for consumer in consumers
        ]
        for error in filter(None, errors):
            raise error

    def _note(
        self, consumer: str, alloc_request: Any, answer: Answer
    ) -> bool:
        """Hold a claim that was accepted; note one that was not."""
        request, open_trace = get_request(), trace.current()
        if answer is Answer.CLAIMED:
            self._hold(consumer, alloc_request)
            if open_trace is not None and open_trace.mirrored is not None:
                # Of one that Nova decides now, too: it may have to go.
                open_trace.mirrored.claimed.append(consumer)
            if request is not None:
                request.note_claim(alloc_request['allocations'])
            return True
        if answer is Answer.UNKNOWN:
            # It was taken back. The provider may have been read meanwhile.
            self._mirror.claims.undo(consumer)
        self._drop(consumer, alloc_request)
        if request is not None:
            if answer is Answer.REFUSED:
                self._mirror.claims.refuse(
                    alloc_request['allocations'], time.monotonic()
                )
            self._mirror.wake()
            request.note_refusal(alloc_request['allocations'])
        return False

    def _hold(self, consumer: str, claim: Mapping[str, Any]) -> None:
        self._mirror.claims.add(
            consumer, claim['allocations'], time.monotonic()
        )

    def _drop(self, consumer: str, claim: Mapping[str, Any]) -> None:
        self._mirror.claims.drop(consumer, claim['allocations'])

    @staticmethod
    def _trace(
        consumer: str, alloc_request: Any, answer: Answer, *,
        sent: bool = True,
    ) -> None:
        open_trace = trace.current()
        if open_trace is not None:
            open_trace.add_claim(
                consumer, alloc_request, claimed=answer is Answer.CLAIMED,
                answered=answer is not Answer.UNKNOWN, sent=sent,
            )

    def delete_allocation_for_instance(
        self, context: Any, uuid: str, *args: Any, **kwargs: Any
    ) -> Any:
        """Delete a server's allocations; its claims are held no longer."""
        request = get_request()
        pending = request.drop_pending(uuid) if request is not None else None
        if pending is not None:
            self._drop(uuid, pending)
            return True
        deleted = self._client.delete_allocation_for_instance(
            context, uuid, *args, **kwargs
        )
        if deleted:
            self._mirror.claims.undo(uuid)
        return deleted
