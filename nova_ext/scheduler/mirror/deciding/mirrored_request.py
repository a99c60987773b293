"""Decide one request from a snapshot, in place of Nova's filters and weighers.

Nova claims, counts, takes what a server needs off its host, and finds the
alternates. It gets host states of its own for the hosts that it looks at.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nova_ext.core.decision.decision import MirrorCheck
from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.core.plugin.answers import generate_seed
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.engine.providers import Amounts, Demand
from nova_ext.scheduler.base import options
from nova_ext.scheduler.claims.first_claims import ConsumerClaim
from nova_ext.scheduler.mirror import journaled_hosts
from nova_ext.scheduler.mirror.deciding import demand, tracing
from nova_ext.scheduler.mirror.deciding.candidates import (
    Candidates,
    DecisionInputs,
)
from nova_ext.scheduler.mirror.deciding.error_guard import guard
from nova_ext.scheduler.mirror.deciding.host_ranking import (
    CheckedHosts,
    HostRanking,
    RankedHosts,
)
from nova_ext.scheduler.mirror.deciding.host_room import HostRoom
from nova_ext.scheduler.mirror.deciding.second_look import SecondLook
from nova_ext.scheduler.mirror.hosts import servers
from nova_ext.scheduler.mirror.hosts.row_states import RowStates, RowUuids
from nova_ext.scheduler.mirror.hosts.servers import ServerGroup
from nova_ext.scheduler.trace.attempt import AttemptTrace

#: Hosts on which placement may refuse claims before Nova decides, and servers
#: of the request for which one more host may.
MAX_REFUSED_CLAIMS = 3
_SERVERS_PER_REFUSED = 10
#: Servers of one request that are claimed together. Meanwhile placement
#: refuses whatever else changes one of their hosts.
MAX_SERVERS_TOGETHER = 100


class MirroredRequest:
    """Decide one request.

    :param inputs: what it is decided from.
    :param host_manager: Nova's, which hears of the hosts' servers.
    :param spec: the request spec.
    :param instance_uuids: of the servers; None in the legacy form.
    :param together: claim for several new servers by one request.
    :param simulated: its servers do not exist.
    :param make_look: makes a SecondLook of the spec, and of what one server
        demands.
    :param on_refused: called when hosts fail the second look.
    :ivar mirror_check: whether it decided, for the record.
    :ivar claimed: UUIDs of the servers that were claimed for.
    :ivar pending: claims that are decided and not sent yet, by server.
    :ivar unanswered: UUIDs of servers with a claim that got no answer.
    :ivar resources: Nova's ResourceRequest; None before it came.
    :ivar is_first_boot: the servers are new, so none has an allocation.
    :ivar claims_together: their claims are sent when all are decided.
    """

    def __init__(
        self, inputs: DecisionInputs, host_manager: Any, spec: Any,
        instance_uuids: Sequence[str] | None, *, together: bool,
        simulated: bool, make_look: Callable[[Any, Demand], SecondLook],
        on_refused: Callable[[], None],
    ) -> None:
        self._make_look = make_look
        self._on_refused = on_refused
        self._inputs = inputs
        self.simulated = simulated
        self._spec = spec
        self._host_manager = host_manager
        self._number = len(instance_uuids or ())
        self.claimed: list[str] = []
        self.pending: dict[str, ConsumerClaim] = {}
        self.unanswered: set[str] = set()
        self.is_first_boot = get_operation(spec) is Operation.FIRST_BOOT
        self.claims_together = (
            together and self.is_first_boot
            and 1 < self._number <= MAX_SERVERS_TOGETHER
        )
        self.resources: Any = None
        self._group = ServerGroup(spec)
        self._room: HostRoom | None = None
        self._ranking: HostRanking | None = None
        self._candidates = Candidates(inputs, spec)
        self.mirror_check = MirrorCheck(
            decides=True, age_s=self._candidates.age_s
        )
        journaled_hosts.note_unranked(lambda: inputs)
        try:
            self._check()
        except FallbackError as error:
            self._note(error)
            return
        demand.require_owner(spec, self._candidates.snapshot.oldest)

    @property
    def decides(self) -> bool:
        """Say whether the mirror decides, as far as is known."""
        return not self.mirror_check.fallback

    @property
    def is_partial(self) -> bool:
        """Say whether hosts are left out whose providers are too old."""
        return bool(len(self._candidates.old))

    @property
    def is_complete(self) -> bool:
        """Say whether each server has a host."""
        return len(self.claimed) + len(self.pending) >= self._number

    def end(self) -> MirrorCheck:
        """Return whether it decided.

        One of Nova's prefilters may have ended the request before.
        """
        if self.decides and self.resources is None:
            self._note(FallbackError(Fallback.PREFILTER))
        return self.mirror_check

    def give_up(self, error: FallbackError) -> None:
        """Leave the request to Nova."""
        if self.decides:
            self._note(error)
        self.restore_group()

    def restore_group(self) -> None:
        """Undo what Nova noted of servers whose claims are released."""
        self._group.restore()

    def note_placed(self) -> None:
        """Note that all servers were placed: hosts of a group have them."""
        if self._room and not self.simulated:
            self._group.add(
                self._host_manager, self._room.list_claimed(), self.claimed
            )

    def _check(self) -> None:
        """Check that the mirror knows what the request needs.

        :raises FallbackError: where it does not.
        """
        self._candidates.check()
        if not self._number:
            raise FallbackError(Fallback.NO_SERVERS)
        self._candidates.check_age()
        demand.check(self._spec)

    def _note(self, error: FallbackError) -> None:
        self.mirror_check.fallback = error.fallback.value
        self.mirror_check.detail = error.detail

    @guard
    def find_candidates(self, resources: Any) -> RowUuids:
        """Find the hosts that placement would offer.

        :param resources: Nova's ResourceRequest.
        :returns: their UUIDs; at least one.
        :raises FallbackError: where Nova is to ask placement.
        """
        self.resources = resources
        candidates = self._candidates
        rows = candidates.select(resources)
        self.mirror_check.left_out = candidates.left_out
        columns = candidates.snapshot.hosts
        self._room = HostRoom(
            candidates.snapshot.providers, candidates.demand,
            self._inputs.held.amounts, self._inputs.get_held,
        )
        uuids = RowUuids(columns, candidates.snapshot.sort_by_uuid(rows))
        rows = candidates.select_in_cell(columns, rows)
        if not rows.size:
            raise FallbackError(Fallback.NO_HOST)
        if demand.names_servers(self._spec):
            columns = servers.update(self._host_manager, columns, rows)
        self._ranking = HostRanking(
            self._candidates, columns, rows, self._room,
            self._make_look(self._spec, self._candidates.demand),
            self._on_refused, simulated=self.simulated,
        )
        return uuids

    def get_free(self) -> Amounts:
        """Return what each provider of the hosts that are left has free.

        What this request claimed is free.
        """
        ranking = self._get_ranking()
        uuids = ranking.columns.get_values('uuid')[ranking.rows].tolist()
        return self._candidates.snapshot.providers.get_free(
            uuids, self._candidates.demand.resources,
            self._inputs.held.amounts,
        )

    @property
    def hosts(self) -> RowStates:
        """Return the states of the hosts that are left, in order."""
        ranking = self._get_ranking()
        return RowStates(ranking.columns, ranking.rows)

    @guard
    def rank(
        self, index: int, attempt: AttemptTrace | None,
        seed: int | None = None,
    ) -> RankedHosts:
        """Filter, weigh and rank the hosts that are left for one server.

        :param index: 0 for the first server of the request.
        :param attempt: takes what came of it.
        :param seed: of the draw among the best; None: a new one.
        :returns: the hosts, the one to try first first; at least one, while
            servers are not placed. Nova asks for alternates afterwards.
        :raises FallbackError: where Nova is to decide.
        """
        ranking = self._get_ranking()
        seed = generate_seed() if seed is None else seed
        placing = ranking.place(index, seed, self._ahead)
        if attempt is not None:
            tracing.trace_placing(
                attempt, ranking, placing, [
                    each for each in self._inputs.filters
                    if each.run_filter_for_index(index)
                ], self._inputs.weighers, self._spec, seed,
            )
            journaled_hosts.note(
                attempt, ranking.ranked_from, ranking.considered,
                self._candidates.snapshot, self._inputs.held,
                names_servers=demand.names_servers(self._spec),
                demand=self._candidates.demand, servers=self._number,
            )
        if not placing.rows.size and not self.is_complete:
            raise FallbackError(Fallback.NO_HOST)
        return ranking.take()

    @property
    def _ahead(self) -> int:
        """Return how many hosts Nova takes: alternates, and one too many."""
        left = self._number - len(self.claimed) - len(self.pending)
        most = options.CONF.scheduler.max_attempts
        return min(left, MAX_SERVERS_TOGETHER) + most

    @guard
    def keep(self, hosts: Sequence[Any]) -> CheckedHosts:
        """Return the hosts that a driver lets be used, best first.

        Nova gets none of them before it passed a second look.
        """
        return self._get_ranking().keep(
            hosts, self._ahead, lambda: self.is_complete
        )

    def _get_ranking(self) -> HostRanking:
        assert self._ranking is not None  # noqa: S101  candidates were found
        return self._ranking

    @guard
    def note_claim(self, allocations: Mapping[str, Any]) -> None:
        """Note that a host was taken; Nova then takes its room."""
        if self._room:
            self._room.claim(allocations)

    def add_pending(self, server: str, claim: ConsumerClaim) -> None:
        """Keep a claim until those of all servers are decided."""
        self.pending[server] = claim
        self.note_claim(claim['allocations'])

    def take_pending(self) -> Mapping[str, ConsumerClaim]:
        """Return all claims that were kept, once."""
        pending, self.pending = self.pending, {}
        return pending

    def drop_pending(self, server: str) -> ConsumerClaim | None:
        """Drop a claim that was kept; return it, or None."""
        return self.pending.pop(server, None)

    def note_refusal(self, allocations: Mapping[str, Any]) -> None:
        """Note that placement refused a claim: the host is not tried again.

        :raises FallbackError: after some.
        """
        if self._room:
            self._room.refuse(allocations)
            if self._room.refusals >= (
                MAX_REFUSED_CLAIMS + self._number // _SERVERS_PER_REFUSED
            ):
                raise FallbackError(Fallback.CLAIMS_REFUSED)
