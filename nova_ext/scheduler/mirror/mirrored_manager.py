"""Have the mirror decide what it knows, beneath Nova's select_destinations.

Nova's own code runs prefilters, claims, takes servers off their hosts, finds
alternates, notifies and cleans up. Where the mirror does not know, or finds no
host, placement is asked and Nova decides.
"""

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from nova import exception

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.core.extension import ComputeDriver
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.claims.claim import Why
from nova_ext.scheduler.claims.mirrored_client import (
    MirroredClient,
    get_request,
)
from nova_ext.scheduler.decide.deciding import DecidingManager
from nova_ext.scheduler.trace import trace


class MirroredManager(DecidingManager):
    """Decide from a mirror, if there is one."""

    #: None: there is none.
    _mirror: Any = None

    @property
    def placement_client(self) -> Any:
        """Return Nova's placement client, which the mirror stands before."""
        client = super().placement_client
        if self._mirror is None:
            return client
        return MirroredClient(client, self._mirror)

    def select_destinations(
        self, context: Any, request_spec: Any = None,
        filter_properties: Any = None, spec_obj: Any = None,
        instance_uuids: Any = None, return_objects: bool = False,
        return_alternates: bool = False,
    ) -> Any:
        """Choose hosts, and count who decided."""
        try:
            return super().select_destinations(
                context, request_spec, filter_properties, spec_obj,
                instance_uuids, return_objects, return_alternates,
            )
        finally:
            if self._mirror is not None:
                self._mirror.end_request()

    def update_aggregates(self, *args: Any, **kwargs: Any) -> None:
        """Update Nova's aggregates, and read their hosts again."""
        super().update_aggregates(*args, **kwargs)
        if self._mirror is not None:
            self._mirror.wake()

    def delete_aggregate(self, *args: Any, **kwargs: Any) -> None:
        """Delete one of Nova's aggregates, and read its hosts again."""
        super().delete_aggregate(*args, **kwargs)
        if self._mirror is not None:
            self._mirror.wake()

    @best_effort
    def _begin_mirror(self, spec_obj: Any, instance_uuids: Any) -> None:
        """Have the mirror decide, or hold Nova's decision against it."""
        open_trace = trace.current()
        if self._mirror is None or open_trace is None:
            return
        if self._mirror.is_to_decide():
            open_trace.mirrored = self._mirror.begin(spec_obj, instance_uuids)
        else:
            open_trace.verification = self._mirror.verify(spec_obj)

    def _get_all_host_states(self, *args: Any) -> Iterator[Any]:
        """Return Nova's host states; none where the mirror has them."""
        if get_request() is not None:
            return iter(())
        states: Iterator[Any] = super()._get_all_host_states(*args)
        return states

    def _get_sorted_hosts(
        self, spec_obj: Any, host_states: Any, index: int
    ) -> Any:
        """Return the hosts as the mirror ranks them, and then the driver."""
        request, open_trace = get_request(), trace.current()
        if request is None or open_trace is None:
            return super()._get_sorted_hosts(spec_obj, host_states, index)
        attempt = open_trace.begin_attempt(index, request.hosts)
        ranked = request.rank(index, attempt)
        open_trace.lap('mirror')
        passed = self._end_attempt(ranked, spec_obj, attempt)
        if not passed and not request.is_complete:
            raise FallbackError(Fallback.NO_HOST)
        request.keep(passed)
        return passed

    def _rank(self, hosts: Any, spec_obj: Any, attempt: Any) -> Any:
        """Return the hosts that the driver lets be used, best first.

        A driver that leaves them as they are is not asked: it would take the
        states of all.
        """
        rank = type(self.compute_driver).rank
        if get_request() is not None and rank is ComputeDriver.rank:
            return hosts
        return super()._rank(hosts, spec_obj, attempt)

    def _schedule(
        self, context: Any, spec_obj: Any, instance_uuids: Any,
        *candidates: Any, **kwargs: Any,
    ) -> Any:
        """Choose hosts as Nova does; afresh, where the mirror gives up."""
        request = get_request()
        schedule = super()._schedule
        if request is None:
            return schedule(
                context, spec_obj, instance_uuids, *candidates, **kwargs
            )
        with self._free_at_errors(context, spec_obj, request):
            return self._decide(
                context, request, schedule, spec_obj, instance_uuids,
                *candidates, **kwargs
            )

    @contextlib.contextmanager
    def _free_at_errors(
        self, context: Any, spec_obj: Any, request: Any
    ) -> Iterator[None]:
        """Give back what new servers claimed, where a claim can't be deleted.

        Nova frees nothing of a request that fails so.
        """
        try:
            yield
        except exception.AllocationDeleteFailed:
            if get_operation(spec_obj) is Operation.FIRST_BOOT:
                with contextlib.suppress(exception.AllocationDeleteFailed):
                    self.placement_client.release(
                        context, request.claimed, Why.FAILED
                    )
            raise

    def _decide(
        self, context: Any, request: Any, schedule: Any, spec_obj: Any,
        instance_uuids: Any, *candidates: Any, **kwargs: Any,
    ) -> Any:
        """Choose hosts from the mirror, or as Nova does where it gives up.

        :param schedule: Nova's method.
        """
        try:
            selections = schedule(
                context, spec_obj, instance_uuids, *candidates, **kwargs
            )
            claimed = self.placement_client.claim_pending(context)
        except (FallbackError, exception.NoValidHost) as error:
            if len(instance_uuids) > 1 or (
                get_operation(spec_obj) is Operation.FIRST_BOOT
            ):
                claimed = {*request.claimed, *request.unanswered}
                request.claimed.clear()
                self.placement_client.release(
                    context, claimed, Why.FALLBACK
                )
            elif request.claimed:
                raise  # Nova undoes a failed move itself
            request.give_up(
                error if isinstance(error, FallbackError)
                else FallbackError(Fallback.NO_HOST)
            )
        else:
            if claimed:
                request.note_placed()
                return selections
            return self._schedule_one_by_one(
                context, spec_obj, instance_uuids, *candidates, **kwargs
            )
        self.placement_client.drop_pending(request)
        open_trace = trace.current()
        if open_trace is not None:
            open_trace.forget_attempts()
        return schedule(
            context, spec_obj, instance_uuids,
            *self._ask_placement(context, request.resources),
            *candidates[3:], **kwargs,
        )

    def _schedule_one_by_one(
        self, context: Any, spec_obj: Any, instance_uuids: Any,
        *candidates: Any, **kwargs: Any,
    ) -> Any:
        """Decide again from the mirror; claim for one server at a time.

        Placement does not say which of several claims it refused.
        """
        open_trace = trace.current()
        assert open_trace is not None  # noqa: S101  a request decides in it
        refused = open_trace.mirrored
        refused.restore_group()
        open_trace.forget_attempts()
        open_trace.mirrored = self._mirror.begin(
            spec_obj, instance_uuids, together=False
        )
        open_trace.mirrored.unanswered = refused.unanswered
        return self._schedule(
            context, spec_obj, instance_uuids,
            *self._ask_placement(context, refused.resources),
            *candidates[3:], **kwargs,
        )

    def _ask_placement(self, context: Any, resources: Any) -> Any:
        """Return placement's candidates, or the mirror's, as Nova does.

        As in SchedulerManager.select_destinations.

        :raises NoValidHost: where there is none.
        """
        requests, summaries, version = (
            self.placement_client.get_allocation_candidates(context, resources)
            or (None, None, None)
        )
        if not requests:
            raise exception.NoValidHost(reason='')
        by_provider = defaultdict(list)
        for request in requests:
            for uuid in request['allocations']:
                by_provider[uuid].append(request)
        return by_provider, summaries, version
