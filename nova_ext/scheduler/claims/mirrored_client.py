"""Answer for placement from the mirror, and claim what it decided."""

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nova.scheduler.client import report

from nova_ext.core.decision.fallback import FallbackError
from nova_ext.scheduler.claims import claim_sender, first_claims
from nova_ext.scheduler.claims.claim import ReleaseReason
from nova_ext.scheduler.claims.first_claims import Answer
from nova_ext.scheduler.cycle import cycle


def _get_mirrored() -> Any:
    """Return this thread's MirroredRequest; None: Nova alone decides."""
    current = cycle.get_current()
    return None if current is None else current.mirrored


def get_deciding_request() -> Any:
    """Return the MirroredRequest that decides in this thread, or None."""
    mirrored = _get_mirrored()
    return mirrored if mirrored is not None and mirrored.decides else None


def _get_late(consumer: str) -> Any:
    """Return the MirroredRequest whose claim may arrive yet, or None.

    It claimed for a new server. Nova may decide it meanwhile.
    """
    mirrored = _get_mirrored()
    return mirrored if (
        mirrored is not None and mirrored.is_first_boot
        and consumer in mirrored.unanswered
    ) else None


class MirroredClient:
    """Answer for placement from the mirror, and keep what is claimed.

    :param client: Nova's, traced.
    """

    def __init__(self, client: Any, mirror: Any) -> None:
        self._client = client
        self._mirror = mirror
        self._sender = claim_sender.ClaimSender(
            client, mirror.claims, mirror.batches
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Return a candidate that stands for all, or placement's.

        Nova makes lists by host of it. The hosts' own states have theirs.
        """
        deciding, traced = get_deciding_request(), cycle.get_placement_trace()
        if deciding is not None:
            if traced is not None:
                traced.end_prefilters()
            try:
                uuids = deciding.find_candidates(resources)
            except FallbackError as error:
                deciding.give_up(error)
                _end_stage()
            else:
                if traced is not None:
                    traced.add_mirrored_candidates(resources, uuids)
                return (
                    [{'allocations': {uuids[0]: {}}}], {},
                    report.SAME_SUBTREE_VERSION,
                )
        answer = self._client.get_allocation_candidates(context, resources)
        current = cycle.get_current()
        if current is not None and current.verification is not None:
            current.verification.compare_candidates(
                resources.to_querystring(), answer and answer[1]
            )
            _end_stage()
        return answer

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
        deciding, late = get_deciding_request(), _get_late(consumer_uuid)
        is_new = deciding is not None and deciding.is_first_boot
        if is_new or late is not None:
            claim = first_claims.make(alloc_request, project_id, user_id)
            if deciding is not None and deciding.claims_together:
                deciding.add_pending(consumer_uuid, claim)
                self._trace(
                    consumer_uuid, alloc_request, Answer.CLAIMED, sent=False
                )
                return True
            answer = Answer.UNKNOWN
            try:
                with self._cancel_at_errors({consumer_uuid: claim}):
                    answer = self._sender.send(
                        context, consumer_uuid, claim,
                        (deciding or late).unanswered,
                    )
            finally:
                if answer is not Answer.EXISTS:
                    self._trace(consumer_uuid, alloc_request, answer)
            if answer is not Answer.EXISTS:
                return self._note(consumer_uuid, alloc_request, answer)
        with self._cancel_at_errors({consumer_uuid: alloc_request}):
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

    def claim_pending(self, context: Any) -> bool:
        """Claim what this thread's MirroredRequest has kept until now.

        :returns: whether placement accepted it. It takes all or nothing.
        """
        deciding, traced = get_deciding_request(), cycle.get_placement_trace()
        if deciding is None or not deciding.pending:
            return True
        pending, claimed = deciding.take_pending(), False
        try:
            with self._cancel_at_errors(pending):
                answer = self._sender.send_together(
                    context, pending, deciding.unanswered
                )
                claimed = answer is Answer.CLAIMED
        finally:
            if traced is not None:
                traced.end_sending(pending, claimed=claimed)
        for consumer, claim in pending.items():
            # Placement does not say which of them it refused.
            self._enter(consumer, claim, answer, blame=False)
            if claimed:
                deciding.claimed.append(consumer)
        if not claimed:
            self._mirror.wake()
        return claimed

    @contextlib.contextmanager
    def _cancel_at_errors(
        self, claims: Mapping[str, Mapping[str, Any]]
    ) -> Iterator[None]:
        """Cancel claims whose sending raises.

        If placement made one all the same, the next reading shows it.
        """
        try:
            yield
        except BaseException:
            self._mirror.claims.cancel(claims)
            raise

    def drop_pending(self, mirrored: Any) -> None:
        """Drop what a MirroredRequest has kept: Nova decides it."""
        self._mirror.claims.cancel(mirrored.take_pending())

    def release(
        self, context: Any, consumers: Iterable[str], reason: ReleaseReason
    ) -> None:
        """Delete what new servers claimed, or may have claimed.

        Never call it for a server that moves: placement would forget its old
        allocation, too. Nova's conductor restores that.

        :raises AllocationDeleteFailed: where some is not known to be deleted;
            the rest is.
        """
        claim_sender.delete_claims(consumers, lambda consumer: (
            self._release(context, consumer, reason, force=True)
        ))

    def delete_allocation_for_instance(
        self, context: Any, uuid: str, *args: Any, **kwargs: Any
    ) -> Any:
        """Delete a server's allocations, as Nova does."""
        return self._release(
            context, uuid, ReleaseReason.NOVA, *args, **kwargs
        )

    def _release(
        self, context: Any, consumer: str, reason: ReleaseReason,
        *args: Any, **kwargs: Any,
    ) -> Any:
        """Delete a consumer's allocations; its claims are held no longer.

        :returns: as Nova's client does: None where placement was not reached.
        """
        deciding = get_deciding_request()
        pending = (
            deciding.drop_pending(consumer) if deciding is not None else None
        )
        if pending is not None:
            self._mirror.claims.cancel({consumer: pending})
            return True
        deleted = self._client.delete_allocation_for_instance(
            context, consumer, *args, **kwargs
        )
        if deleted:
            self._mirror.claims.mark_released(consumer, reason)
        return deleted

    def _note(
        self, consumer: str, alloc_request: Any, answer: Answer
    ) -> bool:
        """Take placement's answer to a claim; say whether it was accepted."""
        deciding, mirrored = get_deciding_request(), _get_mirrored()
        self._enter(
            consumer, alloc_request, answer, blame=deciding is not None
        )
        if answer is Answer.CLAIMED:
            if mirrored is not None:
                # Of one that Nova decides now, too: it may have to go.
                mirrored.claimed.append(consumer)
            if deciding is not None:
                deciding.note_claim(alloc_request['allocations'])
            return True
        if deciding is not None:
            self._mirror.wake()
            deciding.note_refusal(alloc_request['allocations'])
        return False

    def _enter(
        self, consumer: str, claim: Mapping[str, Any], answer: Answer, *,
        blame: bool,
    ) -> None:
        """Enter placement's answer in the ledger.

        :param blame: the providers refused, where the answer is REFUSED.
        """
        ledger, allocations = self._mirror.claims, claim['allocations']
        if answer is Answer.CLAIMED:
            ledger.hold(consumer, allocations, time.monotonic())
        elif answer is Answer.UNKNOWN:  # the sender has deleted it
            ledger.mark_released(consumer, ReleaseReason.NO_ANSWER)
        elif answer is Answer.REFUSED and blame:
            ledger.refuse(consumer, allocations, time.monotonic())
        else:
            ledger.cancel({consumer: claim})

    @staticmethod
    def _trace(
        consumer: str, alloc_request: Any, answer: Answer, *,
        sent: bool = True,
    ) -> None:
        traced = cycle.get_placement_trace()
        if traced is not None:
            traced.add_claim(
                cycle.get_attempt(), consumer, alloc_request,
                claimed=answer is Answer.CLAIMED,
                answered=answer is not Answer.UNKNOWN, sent=sent,
            )


def _end_stage() -> None:
    """End the stage of what the mirror did in this thread."""
    open_trace = cycle.get_trace()
    if open_trace is not None:
        open_trace.lap('mirror')
