"""Take candidates and hosts from the mirror, and leave to Nova what it can't.

Nova's own code runs prefilters, takes servers off their hosts, finds
alternates, notifies, cleans up, and claims for servers that are not new. Where
the mirror does not know, or has no host left, placement is asked and Nova
decides.
"""

import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from nova import exception

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.scheduler.claims.claim import ReleaseReason
from nova_ext.scheduler.claims.first_claims import Answer
from nova_ext.scheduler.claims.mirrored_client import (
    MirroredClient,
    get_deciding_request,
)
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.cycle.cycle import Cycle
from nova_ext.scheduler.cycle.nova_source import NovaSource
from nova_ext.scheduler.mirror.deciding.error_guard import mirror_effort
from nova_ext.scheduler.plugins.traced import copy_untraced

#: Seconds in which placement is read before servers are counted.
CATCH_UP_S = 10.0


class MirrorSource(NovaSource):
    """Decide from a mirror, or verify what Nova decides."""

    def __init__(self, mirror: Any) -> None:
        self._mirror = mirror

    def is_to_verify(self) -> bool:
        """Say whether Nova decides the next request, and is verified."""
        return not self._mirror.is_to_decide()

    @mirror_effort
    def begin(self, current: Cycle) -> None:
        """Have the mirror decide, or verify Nova's decision."""
        if current.is_verified:
            current.verification = self._mirror.verify(current.spec)
        else:
            current.mirrored = self._mirror.begin(
                current.spec, current.servers
            )

    @mirror_effort
    def end(self, current: Cycle) -> None:
        """Count who decided."""
        check = current.mirror_check
        if check is not None:
            self._mirror.end_request(check, current.mirrored)

    @mirror_effort
    def catch_up(self) -> bool:
        """Have the mirror read what changed; say whether it has all of it."""
        mirror = self._mirror
        if not mirror.may_decide or mirror.off or mirror.snapshot is None:
            return False
        snapshot = mirror.refresh(CATCH_UP_S)
        return snapshot is not None and not snapshot.behind.size

    def make_inputs(self) -> Any:
        """Return what the mirror decides from now."""
        return self._mirror.make_inputs()

    def make_simulated(self, host_manager: Any) -> NovaSource:
        """Return the source of a simulation."""
        return SimulatedMirrorSource(self._mirror, host_manager)

    def wrap(self, client: Any) -> Any:
        """Return Nova's placement client, behind the mirror's."""
        return MirroredClient(client, self._mirror)

    def has_hosts(self) -> bool:
        """Say whether the mirror decides, with hosts of its own."""
        return get_deciding_request() is not None

    def rank(
        self, rank: Callable[..., Any], spec: Any, hosts: Any, index: int
    ) -> Any:
        """Return the hosts as the mirror ranks them, or as Nova does."""
        deciding, trace = get_deciding_request(), cycle.get_trace()
        if deciding is None:
            return super().rank(rank, spec, hosts, index)
        if trace is None:
            return deciding.rank(index, None, self.get_seed(index))
        attempt = trace.begin_attempt(index, deciding.hosts)
        ranked = deciding.rank(index, attempt, self.get_seed(index))
        trace.lap('mirror')
        return ranked

    def keep(self, hosts: Any) -> Any:
        """Return the hosts that the driver left.

        :raises FallbackError: where none is left for a server.
        """
        deciding = get_deciding_request()
        if deciding is None:
            return hosts
        if not hosts and not deciding.is_complete:
            raise FallbackError(Fallback.NO_HOST)
        return deciding.keep(hosts)

    def schedule(
        self, schedule: Callable[..., Any], client: Any, context: Any,
        spec: Any, servers: Any, *candidates: Any, **kwargs: Any,
    ) -> Any:
        """Choose hosts from the mirror; as Nova does where it gives up."""
        def choose(*candidates: Any) -> Any:
            return schedule(context, spec, servers, *candidates, **kwargs)

        return _Scheduling(
            self._mirror, client, context, spec, servers, choose
        ).run(*candidates)


class SimulatedMirrorSource(MirrorSource):
    """Decide from a mirror that decides boots, and claim nothing.

    :param host_manager: has the simulation's filters and weighers.
    """

    def __init__(self, mirror: Any, host_manager: Any) -> None:
        super().__init__(mirror)
        self._host_manager = host_manager

    def is_to_verify(self) -> bool:
        """Say that a simulation is not verified."""
        return False

    @mirror_effort
    def begin(self, current: Cycle) -> None:
        """Have the mirror decide where it decides boots."""
        if self._mirror.may_decide:
            hosts = self._host_manager
            current.mirrored = self._mirror.make_request(
                current.spec, current.servers,
                [copy_untraced(each) for each in hosts.enabled_filters],
                [copy_untraced(each) for each in hosts.weighers],
                simulated=True,
            )

    def end(self, current: Cycle) -> None:
        """Do nothing: simulations are not counted."""

    def wrap(self, client: Any) -> Any:
        """Return a client that claims in the mirror's request alone."""
        return MirroredReadOnlyPlacement(client, self._mirror)


class MirroredReadOnlyPlacement(MirroredClient):
    """Answer for placement from a mirror, and claim in its request alone.

    A simulated request keeps no claims to send them together.
    """

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> Any:
        """Note the claim in the request, or claim as its client does."""
        deciding = get_deciding_request()
        if deciding is None:
            return self._client.claim_resources(
                context, consumer_uuid, alloc_request, *args, **kwargs
            )
        deciding.claimed.append(consumer_uuid)
        deciding.note_claim(alloc_request['allocations'])
        self._trace(consumer_uuid, alloc_request, Answer.CLAIMED)
        return True


class _Scheduling:
    """Choose hosts for the servers of one request.

    :param client: the mirror's placement client.
    :param choose: Nova's method, which takes candidates.
    """

    def __init__(
        self, mirror: Any, client: MirroredClient, context: Any, spec: Any,
        servers: Any, choose: Callable[..., Any],
    ) -> None:
        self._mirror = mirror
        self._client = client
        self._context = context
        self._spec = spec
        self._servers = servers
        self._choose = choose

    def run(self, *candidates: Any) -> Any:
        """Choose hosts; afresh, where the mirror gives up."""
        deciding = get_deciding_request()
        if deciding is None:
            return self._choose(*candidates)
        with self._release_at_errors(deciding):
            return self._decide(deciding, *candidates)

    @contextlib.contextmanager
    def _release_at_errors(self, mirrored: Any) -> Iterator[None]:
        """Give back what new servers claimed, where a claim can't be deleted.

        Nova frees nothing of a request that fails so.
        """
        try:
            yield
        except exception.AllocationDeleteFailed:
            if get_operation(self._spec) is Operation.FIRST_BOOT:
                with contextlib.suppress(exception.AllocationDeleteFailed):
                    self._client.release(
                        self._context, mirrored.claimed, ReleaseReason.FAILED
                    )
            raise

    def _decide(self, mirrored: Any, *candidates: Any) -> Any:
        """Choose hosts from the mirror, or as Nova does where it gives up."""
        try:
            selections = self._choose(*candidates)
            claimed = self._client.claim_pending(self._context)
        except (FallbackError, exception.NoValidHost) as error:
            self._give_up(mirrored, error)
        else:
            if claimed:
                mirrored.note_placed()
                return selections
            return self._decide_one_by_one(mirrored, *candidates)
        self._client.drop_pending(mirrored)
        _forget_attempts()
        return self._choose(
            *ask_placement(self._client, self._context, mirrored.resources),
            *candidates[3:],
        )

    def _give_up(self, mirrored: Any, error: Exception) -> None:
        """Leave the request to Nova, and release what it claimed."""
        if len(self._servers) > 1 or (
            get_operation(self._spec) is Operation.FIRST_BOOT
        ):
            claimed = {*mirrored.claimed, *mirrored.unanswered}
            mirrored.claimed.clear()
            self._client.release(
                self._context, claimed, ReleaseReason.FALLBACK
            )
        elif mirrored.claimed:
            raise error  # Nova undoes a failed move itself
        mirrored.give_up(
            error if isinstance(error, FallbackError)
            else FallbackError(Fallback.NO_HOST)
        )

    def _decide_one_by_one(self, refused: Any, *candidates: Any) -> Any:
        """Decide again from the mirror; claim for one server at a time.

        Placement does not say which of several claims it refused.
        """
        current = cycle.get_current()
        assert current is not None  # noqa: S101  one decides in it
        refused.restore_group()
        _forget_attempts()
        current.mirrored = self._mirror.begin(
            self._spec, self._servers, together=False
        )
        current.mirrored.unanswered = refused.unanswered
        return self.run(
            *ask_placement(self._client, self._context, refused.resources),
            *candidates[3:],
        )


def ask_placement(client: Any, context: Any, resources: Any) -> Any:
    """Return placement's candidates, or the mirror's, as Nova does.

    As in SchedulerManager.select_destinations.

    :raises NoValidHost: where there is none.
    """
    answer = client.get_allocation_candidates(context, resources)
    requests, summaries, version = answer or (None, None, None)
    if not requests:
        raise exception.NoValidHost(reason='')
    by_provider = defaultdict(list)
    for request in requests:
        for uuid in request['allocations']:
            by_provider[uuid].append(request)
    return by_provider, summaries, version


def _forget_attempts() -> None:
    trace = cycle.get_trace()
    if trace is not None:
        trace.forget_attempts()
