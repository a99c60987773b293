"""Hold Nova's decision on one request against the engine's.

Nova decides. The engine is then asked for the same hosts in the same order
with the same seed, and has to come to the same verdicts, weights and order.
"""

import contextvars
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from nova.scheduler import filters, weights
from oslo_log import log

from nova_ext.core.base.errors import FAILURES
from nova_ext.core.decision.decision import MirrorCheck
from nova_ext.engine import decide, rank
from nova_ext.engine.host_columns import HostColumns
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.mirror.deciding import demand
from nova_ext.scheduler.mirror.plugins import nova_plugins, service_state
from nova_ext.scheduler.mirror.snapshot import Snapshot
from nova_ext.scheduler.trace import trace
from nova_ext.scheduler.trace.attempt import AttemptTrace

LOG = log.getLogger(__name__)

#: Attributes of a host state that differ when its row changed, or when Nova
#: took a server off it.
_COMPARED = (
    'uuid', 'updated', 'free_ram_mb', 'free_disk_mb', 'vcpus_used',
    'num_instances', 'num_io_ops', 'failed_builds',
)
#: Hosts that are named of each kind of difference.
_NAMED = 3


class _WentDownError(Exception):
    """Say that Nova may have seen a service up, and the engine down."""


class _ChangedError(Exception):
    """Say that Nova's own plugins answer otherwise a moment later."""


class Verification:
    """Verify one request, while Nova decides.

    :param snapshot: what the engine decides from; None: there is none yet.
    :param filters: Nova's filters, untraced.
    :param weighers: Nova's weighers, untraced.
    :param spec: the request spec.
    :param on_difference: called with each difference.
    :param off_reason: why nothing is to be verified; empty: it is.
    :ivar check: what came of it.
    """

    def __init__(
        self, snapshot: Snapshot | None, filters: Sequence[Any],
        weighers: Sequence[Any], spec: Any,
        on_difference: Callable[[str], None], off_reason: str,
    ) -> None:
        self.check = MirrorCheck()
        self._filters = filters
        self._weighers = weighers
        self._spec = spec
        self._on_difference = on_difference
        self._snapshot: Snapshot | None = None
        self._ranking_at = 0.0
        if off_reason:
            self.check.fallback = off_reason
        else:
            self._begin(snapshot)

    @best_effort
    def _begin(self, snapshot: Snapshot | None) -> None:
        if snapshot is None:
            self.check.fallback = 'not loaded'
            return
        age_s, _ = snapshot.look(options.CONF.nova_ext.mirror_max_age_s)
        self.check.age_s = round(age_s, 3)
        try:
            demand.check(self._spec)
        except demand.NotUnderstoodError as error:
            self.check.fallback = str(error)
            return
        self._snapshot = snapshot

    @best_effort
    def compare_candidates(
        self, query: str, summaries: Mapping[str, Any] | None
    ) -> None:
        """Compare placement's candidates with the mirror's.

        Where there are as many as were asked for at most, placement chose
        among them, and only what it offered is compared.

        :param query: the query for allocation candidates.
        :param summaries: placement's provider summaries, by UUID; None where
            it did not answer.
        """
        snapshot = self._snapshot
        if snapshot is None or summaries is None:
            return
        try:
            compiled = demand.compile_query(query)
        except demand.NotUnderstoodError as error:
            self.check.fallback = str(error)
        else:
            self.check.fallback = snapshot.find_unknown(compiled)
        if self.check.fallback:
            self._snapshot = None
            return
        found = snapshot.providers.find(compiled)
        ours = {
            uuid for uuid, row in snapshot.providers.rows.items() if found[row]
        }
        # A host's own provider is the root of its tree.
        theirs = {
            uuid for uuid, summary in summaries.items()
            if summary.get('root_provider_uuid', uuid) == uuid
        }
        self.check.candidates_missed = len(theirs - ours)
        if len(theirs) < options.CONF.scheduler.max_placement_results:
            self.check.candidates_beyond = len(ours - theirs)

    def begin_ranking(self) -> None:
        """Note when Nova began to filter."""
        self._ranking_at = service_state.tell_time()

    def compare(
        self, hosts: Sequence[Any], index: int, ranked: Sequence[Any],
        seed: int | None, attempt: AttemptTrace,
    ) -> None:
        """Compare one of Nova's rankings with the engine's.

        :param hosts: what Nova began with.
        :param index: 0 for the first server of the request.
        :param ranked: what Nova returned.
        :param seed: of Nova's draw.
        :param attempt: has the weights.
        """
        if self._snapshot is None:
            return
        if seed is None:
            self.check.fallback = 'a draw without a known seed'
            return
        try:
            # Plugins that are asked again leave nothing in the trace.
            contextvars.copy_context().run(
                self._compare, self._snapshot, hosts, index, ranked, seed,
                attempt.weighings.get_sums(),
            )
        except rank.NotFiniteError:
            self.check.fallback = 'a weight is not finite'
        except _WentDownError:
            self.check.fallback = 'a service that went down meanwhile'
        except _ChangedError:
            self.check.fallback = 'what plugins read changed meanwhile'
        except demand.NotUnderstoodError as error:
            self.check.fallback = str(error)
        except FAILURES as error:
            self.check.fallback = f'an error: {type(error).__name__}'
            LOG.exception('A decision was not held against the mirror\'s')

    def _compare(
        self, snapshot: Snapshot, hosts: Sequence[Any], index: int,
        ranked: Sequence[Any], seed: int, sums: dict[Any, float],
    ) -> None:
        trace.leave()
        demand.check(self._spec)  # a driver may have changed it
        columns = snapshot.hosts
        rows = columns.find_rows(map(host_key, hosts))
        known = [row for row in rows if row is not None]
        if len(known) < len(hosts):
            self.check.hosts_missed = len(hosts) - len(known)
            self.check.fallback = 'hosts that the mirror has not read'
            return
        states = dict(zip(known, hosts, strict=True))
        columns = self._update(columns, states)
        rows_left = demand.select_rows(
            self._spec, columns, np.array(known, np.int64)
        )
        conf = options.CONF.filter_scheduler
        placing = decide.place(
            columns, rows_left,
            nova_plugins.make_filters(self._filters, self._spec, index),
            nova_plugins.make_weighers(self._weighers, self._spec),
            rank.Draw(
                seed, conf.shuffle_best_same_weighed_hosts,
                conf.host_subset_size,
            ),
        )
        self._check_services(hosts)
        difference = find_differences(columns, placing, ranked, sums)
        if difference:
            self._check_plugins(
                [states[row] for row in rows_left.tolist()], index,
                {host_key(host): sums.get(host_key(host), 0.0)
                 for host in ranked},
            )
        self.check.compared += 1
        if difference:
            self.check.differences.append(difference)
            LOG.error(
                'The mirror differs from Nova in server %d of a request: %s',
                index, difference,
            )
            self._on_difference(difference)

    def _update(
        self, columns: HostColumns, states: dict[int, Any]
    ) -> HostColumns:
        """Return columns with Nova's state where it differs from the mirror's.

        Nova read its rows just now, and takes chosen servers off them.
        """
        now_s = service_state.tell_time()
        rows = np.array(list(states), np.int64)
        up = service_state.make_filter().judge(columns, rows)
        newer = {
            row: state
            for (row, state), is_up in zip(states.items(), up, strict=True)
            if service_state.is_up(state, now_s) != is_up
            or self._describe(state) != self._describe(columns.states[row])
        }
        if not self.check.compared:
            self.check.older = len(newer)
        return columns.replace(newer) if newer else columns

    def _check_services(self, hosts: Sequence[Any]) -> None:
        """Check that the time of no service ran out since Nova began.

        The engine has looked at the clock in between.

        :raises _WentDownError: where one did.
        """
        now_s = service_state.tell_time()
        if any(
            service_state.is_up(host, now_s)
            != service_state.is_up(host, self._ranking_at)
            for host in hosts
        ):
            raise _WentDownError

    def _check_plugins(
        self, hosts: Sequence[Any], index: int, before: Mapping[Any, float]
    ) -> None:
        """Check that Nova's filters and weighers still answer as before.

        They may read what changes: stats, or the servers that hosts tell of.

        :param hosts: those that the filters are asked about.
        :param before: weights of those that passed.
        :raises _ChangedError: where they do not.
        """
        passed = filters.HostFilterHandler().get_filtered_objects(
            self._filters, hosts, self._spec, index
        )
        weighed = weights.HostWeightHandler().get_weighed_objects(
            self._weighers, passed or (), self._spec
        )
        if before != {host_key(each.obj): each.weight for each in weighed}:
            raise _ChangedError

    def _describe(self, state: Any) -> Any:
        """Return what differs when a state does, for this request."""
        by_servers = self._spec.instance_group or self._spec.scheduler_hints
        return (
            [getattr(state, name) for name in _COMPARED],
            # Nova replaces one whole when anything of it changes.
            set(map(id, state.aggregates)),
            set(state.instances) if by_servers else None,
        )


def find_differences(
    columns: HostColumns, placing: decide.Placing, ranked: Sequence[Any],
    sums: Mapping[Any, float],
) -> str:
    """Return what differs of one ranking, in words; empty: nothing.

    Where other hosts passed, weights and order are not looked at: Nova makes
    weights relative to the hosts that passed.
    """
    ours = [columns.keys[row] for row in placing.rows]
    theirs = [host_key(host) for host in ranked]
    found = [
        f'only {who} passed {_name_some("/".join(key) for key in only)}'
        for who, only in (
            ('the engine', set(ours) - set(theirs)),
            ('Nova', set(theirs) - set(ours)),
        ) if only
    ]
    if found:
        return ', '.join(found)
    weights = dict(zip(ours, placing.weights.tolist(), strict=True))
    otherwise = [
        f'{"/".join(key)} weighs {weights[key]!r} '
        f'(Nova: {sums.get(key, 0.0)!r})'
        for key in theirs if weights[key] != sums.get(key, 0.0)
    ]
    if otherwise:
        found.append(_name_some(otherwise))
    places = [
        place for place, pair in enumerate(zip(ours, theirs, strict=True), 1)
        if pair[0] != pair[1]
    ]
    if places:
        found.append(
            f'the order differs in {len(places)} places, first in {places[0]}'
        )
    return ', '.join(found)


def _name_some(texts: Iterable[str]) -> str:
    """Return the first few of some texts, and how many more there are."""
    ordered = sorted(texts)
    more = len(ordered) - _NAMED
    return ', '.join(
        ordered[:_NAMED] + [f'and {more} more'] * (more > 0)
    )
