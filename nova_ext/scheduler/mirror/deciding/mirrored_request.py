"""Decide one request from a snapshot, in place of Nova's filters and weighers.

Nova claims, counts, takes what a server needs off its host, and finds the
alternates. It gets host states of its own for the hosts that it looks at.
"""

import functools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from nova_ext.core.base.errors import FAILURES
from nova_ext.core.decision.decision import MirrorCheck
from nova_ext.core.plugin.answers import generate_seed
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.engine import decide, rank
from nova_ext.engine.filtering import Rows
from nova_ext.engine.provider_columns import Demand
from nova_ext.engine.snapshot import Amounts
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.mirror.claiming.claims import Held
from nova_ext.scheduler.mirror.claiming.first_claims import Claim
from nova_ext.scheduler.mirror.deciding import demand, tracing
from nova_ext.scheduler.mirror.deciding.ranked_hosts import RankedHosts
from nova_ext.scheduler.mirror.gave_up import GaveUpError
from nova_ext.scheduler.mirror.hosts import prefilters, servers
from nova_ext.scheduler.mirror.hosts.row_states import RowStates, RowUuids
from nova_ext.scheduler.mirror.plugins import nova_plugins, service_state
from nova_ext.scheduler.mirror.plugins.host_views import HostView
from nova_ext.scheduler.mirror.snapshot import Snapshot
from nova_ext.scheduler.trace.attempt import AttemptTrace

#: Hosts on which placement may refuse claims before Nova decides, and one more
#: for so many servers of the request.
MAX_REFUSED = 3
_SERVERS_PER_REFUSED = 10
#: Servers of one request that are claimed together. Meanwhile placement
#: refuses whatever else changes one of their hosts.
MAX_TOGETHER = 100

_ERRORS = RateLimitedLog(logging.getLogger(__name__))

T = TypeVar('T')


def _give_up(method: Callable[..., T]) -> Callable[..., T]:
    """Leave the request to Nova, whatever the method raises."""

    @functools.wraps(method)
    def guarded(self: Any, *args: Any) -> T:
        try:
            return method(self, *args)
        except GaveUpError:
            raise
        except demand.NotUnderstoodError as error:
            raise GaveUpError(str(error)) from error
        except rank.NotFiniteError as error:
            raise GaveUpError('a weight is not finite') from error
        except FAILURES as error:
            if not self._simulated:  # its caller is told by Nova's decision
                _ERRORS.error('The mirror failed, and Nova decides', error)
            # Of an extension that raises, a NoValidHost comes.
            kind = type(error.__cause__ or error).__name__
            raise GaveUpError(f'an error: {kind}') from error

    return guarded


class MirroredRequest:
    """Decide one request.

    :param taken: None: nothing is loaded yet.
    :param held: what the snapshot does not show.
    :param host_manager: Nova's, which hears of the hosts' servers.
    :param filters: Nova's filters, untraced.
    :param weighers: Nova's weighers, untraced.
    :param spec: the request spec.
    :param instance_uuids: of the servers; None in the legacy form.
    :param off_reason: why the mirror is not to decide; empty: it is.
    :param together: claim for several new servers by one request.
    :param get_held: returns what the snapshot does not show of a provider now.
    :param simulated: its servers do not exist.
    :ivar check: whether it decided, for the record.
    :ivar claimed: UUIDs of the servers that were claimed for.
    :ivar pending: claims that are decided and not sent yet, by server.
    :ivar unanswered: UUIDs of servers with a claim that got no answer.
    :ivar resources: Nova's ResourceRequest; None before it came.
    :ivar is_first_boot: the servers are new, so none has an allocation.
    :ivar claims_together: their claims are sent when all are decided.
    """

    def __init__(
        self, taken: Snapshot | None, held: Held, host_manager: Any,
        filters: Sequence[Any], weighers: Sequence[Any], spec: Any,
        instance_uuids: Sequence[str] | None, off_reason: str,
        together: bool, get_held: Callable[[str], Mapping[str, int]], *,
        simulated: bool,
    ) -> None:
        self._simulated = simulated
        self.check = MirrorCheck(decides=True)
        self.claimed: list[str] = []
        self.pending: dict[str, Claim] = {}
        self.unanswered: set[str] = set()
        self.is_first_boot = (
            get_operation(spec) is Operation.FIRST_BOOT
        )
        self.claims_together = (
            together and self.is_first_boot
            and 1 < len(instance_uuids or ()) <= MAX_TOGETHER
        )
        self.resources: Any = None
        self._number = len(instance_uuids or ())
        self._filters = filters
        self._weighers = weighers
        self._spec = spec
        self._host_manager = host_manager
        group = spec.instance_group
        self._group_hosts = (
            list(group.hosts) if group and 'hosts' in group else []
        )
        self._held = held
        self._get_held = get_held
        self._refused: set[int] = set()
        self._demand: Demand | None = None
        self._rows: Rows = np.zeros(0, np.int64)
        self._states: dict[int, Any] = {}
        self._count: dict[int, int] = {}
        self._changed: dict[int, Any] = {}
        self._snapshot = taken
        self._old: Rows = self._rows
        if taken is None:
            self.check.fallback = 'not loaded'
            return
        self._columns = taken.hosts
        age_s, self._old = taken.look(
            options.CONF.nova_ext.mirror_max_age_s
        )
        self.check.age_s = round(age_s, 3)
        self.check.fallback = off_reason or self._refuse(
            taken, instance_uuids
        )
        if self.decides:
            prefilters.require_owner(spec, taken.oldest)

    @property
    def decides(self) -> bool:
        """Say whether the mirror decides, as far as is known."""
        return not self.check.fallback

    @property
    def is_partial(self) -> bool:
        """Say whether hosts are left out whose providers are too old."""
        return bool(len(self._old))

    @property
    def is_complete(self) -> bool:
        """Say whether each server has a host."""
        return len(self.claimed) + len(self.pending) >= self._number

    def end(self) -> MirrorCheck:
        """Return whether it decided.

        One of Nova's prefilters may have ended the request before.
        """
        if self.decides and self.resources is None:
            self.check.fallback = 'a prefilter'
        return self.check

    def give_up(self, reason: str) -> None:
        """Leave the request to Nova."""
        self.check.fallback = self.check.fallback or reason
        self.restore_group()

    def restore_group(self) -> None:
        """Undo what Nova noted of servers whose claims are given back."""
        group = self._spec.instance_group
        if group:
            group.hosts = list(self._group_hosts)
            group.obj_reset_changes(['hosts'])

    def note_placed(self) -> None:
        """Note that all servers were placed: hosts of a group have them."""
        if self._spec.instance_group and not self._simulated:
            for row in self._count:
                state = self._states[row]
                servers.add(self._host_manager, state.host, {
                    uuid: state.instances[uuid] for uuid in self.claimed
                    if uuid in state.instances
                })

    def _refuse(self, taken: Snapshot, instance_uuids: Any) -> str:
        """Return why the mirror does not know; empty: it may."""
        if not instance_uuids:
            return 'a request without servers'
        if self.check.age_s > options.CONF.nova_ext.mirror_max_age_s or (
            time.monotonic() - taken.hosts_read_at
            > service_state.get_max_age_s()
        ):
            return 'too old'
        try:
            demand.check(self._spec)
        except demand.NotUnderstoodError as error:
            return str(error)
        return ''

    @_give_up
    def find_candidates(self, resources: Any) -> RowUuids:
        """Find the hosts that placement would offer.

        :param resources: Nova's ResourceRequest.
        :returns: their UUIDs; at least one.
        :raises GaveUpError: where Nova is to ask placement.
        """
        assert self._snapshot is not None  # noqa: S101  it decides
        self.resources = resources
        # A driver may have changed it.
        demand.check(self._spec)
        if resources.cpu_pinning_requested:
            raise GaveUpError('pinned processors')
        self._demand = demand.compile_query(resources.to_querystring())
        unknown = self._snapshot.find_unknown(self._demand)
        if unknown:
            raise GaveUpError(unknown)
        providers = self._snapshot.providers
        fits = providers.find(self._demand, self._held.amounts)
        old = self._old[self._old >= 0]
        self.check.left_out = int(np.count_nonzero(fits[old]))
        fits[old] = False
        fits[[
            providers.rows[uuid] for uuid in self._held.refused
            if uuid in providers.rows
        ]] = False
        limit = options.CONF.scheduler.max_placement_results
        if not options.CONF.nova_ext.mirror_sees_all_hosts and (
            np.count_nonzero(fits) >= limit
        ):
            raise GaveUpError('more hosts than max_placement_results')
        self._rows = self._snapshot.select(fits)
        # Placement knows no cells.
        offered = RowUuids(
            self._columns, self._snapshot.sort_by_uuid(self._rows)
        )
        cell = demand.get_only_cell(self._spec)
        if cell:
            cells = self._columns.get_values('cell_uuid')
            self._rows = self._rows[cells[self._rows] == cell]
        if not self._rows.size:
            raise GaveUpError('no host')
        if demand.names_servers(self._spec):
            if servers.have_several_nodes(self._columns, self._rows):
                raise GaveUpError('several nodes of one host')
            self._columns = servers.update(
                self._host_manager, self._columns, self._rows
            )
        return offered

    def get_free(self) -> Amounts:
        """Return what each provider of the hosts that are left has free.

        What this request claimed is free.
        """
        assert self._snapshot is not None  # noqa: S101  it decides
        assert self._demand is not None  # noqa: S101  it decides
        uuids = self._columns.get_values('uuid')[self._rows].tolist()
        return self._snapshot.providers.get_free(
            uuids, self._demand.resources, self._held.amounts
        )

    @property
    def hosts(self) -> RowStates:
        """Return the states of the hosts that are left, in order."""
        return RowStates(self._columns, self._rows)

    @_give_up
    def rank(self, index: int, attempt: AttemptTrace | None) -> RankedHosts:
        """Filter, weigh and rank the hosts that are left for one server.

        :param index: 0 for the first server of the request.
        :param attempt: takes what came of it.
        :returns: the hosts, the one to try first first; at least one, while
            servers are not placed. Nova asks for alternates afterwards.
        :raises GaveUpError: where Nova is to decide.
        """
        if self._changed:
            self._columns = self._columns.replace(
                self._changed, nova_plugins.list_unclaimed(self._columns)
            )
            self._changed = {}
        rows = demand.select_rows(self._spec, self._columns, self._rows)
        conf = options.CONF.filter_scheduler
        seed = generate_seed()
        placing = decide.place(
            self._columns, rows,
            nova_plugins.make_filters(self._filters, self._spec, index),
            nova_plugins.make_weighers(self._weighers, self._spec),
            rank.Draw(
                seed, conf.shuffle_best_same_weighed_hosts,
                conf.host_subset_size,
            ),
        )
        if attempt is not None:
            asked = [f for f in self._filters if f.run_filter_for_index(index)]
            tracing.trace_placing(
                attempt, self._columns, placing, asked, self._weighers,
                self._spec, seed,
            )
        if not placing.rows.size and not self.is_complete:
            raise GaveUpError('no host')
        self._rows = placing.rows
        return RankedHosts(placing.rows, self._get_state)

    @_give_up
    def keep(self, hosts: Sequence[Any]) -> None:
        """Take the hosts that a driver lets be used, best first."""
        if not isinstance(hosts, RankedHosts):
            rows = self._columns.find_rows(map(host_key, hosts))
            self._rows = np.array(rows, np.int64)

    @_give_up
    def note_claim(self, allocations: Mapping[str, Any]) -> None:
        """Note that a host was taken; Nova then takes its room."""
        for row, state in self._states.items():
            if state.uuid in allocations:
                self._count[row] = self._count.get(row, 0) + 1
                self._changed[row] = state
                self._offer(row, state)

    def add_pending(self, server: str, claim: Claim) -> None:
        """Keep a claim until those of all servers are decided."""
        self.pending[server] = claim
        self.note_claim(claim['allocations'])

    def take_pending(self) -> Mapping[str, Claim]:
        """Return all claims that were kept, once."""
        pending, self.pending = self.pending, {}
        return pending

    def drop_pending(self, server: str) -> Claim | None:
        """Drop a claim that was kept; return it, or None."""
        return self.pending.pop(server, None)

    def note_refusal(self, allocations: Mapping[str, Any]) -> None:
        """Note that placement refused a claim: the host is not tried again.

        :raises GaveUpError: after some.
        """
        for row, state in self._states.items():
            if state.uuid in allocations:
                self._refused.add(row)
                self._offer(row, state)
        if len(self._refused) >= (
            MAX_REFUSED + self._number // _SERVERS_PER_REFUSED
        ):
            raise GaveUpError('claims were refused')

    @_give_up
    def _get_state(self, row: int) -> Any:
        """Return the request's own state of a host."""
        if row not in self._states:
            self._states[row] = HostView(self._columns.states[row])
            self._offer(row, self._states[row])
        return self._states[row]

    def _offer(self, row: int, state: Any) -> None:
        """Set what may be claimed on a host: nothing on one that is full.

        Nova passes over such a host. Placement would refuse its claim.
        """
        assert self._demand is not None  # noqa: S101  it decides
        state.allocation_candidates = [{
            'allocations': {
                state.uuid: {'resources': dict(self._demand.resources)}
            },
            'mappings': {'': [state.uuid]},
        }] if self._fits(row, state.uuid) else []

    def _fits(self, row: int, provider: str) -> bool:
        """Say whether a host has room beside what was claimed on it here."""
        assert self._snapshot is not None  # noqa: S101  it decides
        assert self._demand is not None  # noqa: S101  it decides
        if row in self._refused:
            return False
        times = self._count.get(row, 0)
        held = self._held.amounts.get(provider, {})
        if not times:
            # Others may have claimed since the request began.
            now = self._get_held(provider)
            if now == held:
                return True
            held = {
                name: max(held.get(name, 0), now.get(name, 0))
                for name in self._demand.resources
            }
        return self._snapshot.providers.has_room(self._demand, provider, {
            name: held.get(name, 0) + times * amount
            for name, amount in self._demand.resources.items()
        })
