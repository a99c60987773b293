"""Compare Nova's decision on one request with the engine's.

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
from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.engine import decide
from nova_ext.engine.host_columns import HostColumns
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.mirror.deciding import demand, second_look
from nova_ext.scheduler.mirror.deciding.candidates import (
    Candidates,
    DecisionInputs,
)
from nova_ext.scheduler.mirror.deciding.error_guard import mirror_effort
from nova_ext.scheduler.mirror.plugins import isolation, service_state
from nova_ext.scheduler.trace.attempt import AttemptTrace

LOG = log.getLogger(__name__)

#: Hosts that are named of each kind of difference.
_NAMED = 3


class Verification:
    """Verify one request, while Nova decides.

    :param inputs: what the engine decides from.
    :param spec: the request spec.
    :param on_difference: called with each difference.
    :ivar mirror_check: its result, for the record.
    """

    def __init__(
        self, inputs: DecisionInputs, spec: Any,
        on_difference: Callable[[str], None],
    ) -> None:
        self.mirror_check = MirrorCheck()
        self._inputs = inputs
        self._spec = spec
        self._on_difference = on_difference
        #: None: Nova's decision is not compared.
        self._candidates: Candidates | None = None
        self._ranking_at = 0.0
        #: What plugins may not write, before they are asked.
        self._before: Any = None
        self._begin()

    @mirror_effort
    def _begin(self) -> None:
        candidates = Candidates(self._inputs, self._spec)
        self.mirror_check.age_s = candidates.age_s
        try:
            candidates.check()
            demand.check(self._spec)
        except FallbackError as error:
            self._note(error)
        else:
            self._candidates = candidates

    def _note(self, error: FallbackError) -> None:
        self.mirror_check.fallback = error.fallback.value
        self.mirror_check.detail = error.detail

    @mirror_effort
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
        candidates = self._candidates
        if candidates is None or summaries is None:
            return
        try:
            fits = candidates.find(query)
        except FallbackError as error:
            self._note(error)
            self._candidates = None
            return
        rows = candidates.snapshot.providers.rows
        ours = {uuid for uuid, row in rows.items() if fits[row]}
        # A host's own provider is the root of its tree.
        theirs = {
            uuid for uuid, summary in summaries.items()
            if summary.get('root_provider_uuid', uuid) == uuid
        }
        self.mirror_check.candidates_missed = len(theirs - ours)
        if len(theirs) < options.CONF.scheduler.max_placement_results:
            self.mirror_check.candidates_beyond = len(ours - theirs)

    @mirror_effort
    def begin_ranking(self, hosts: Sequence[Any]) -> None:
        """Note when Nova began to filter, and what it began with."""
        self._ranking_at = service_state.tell_time()
        if self._candidates is not None:
            self._before = isolation.freeze_all(self._spec, hosts)

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
        if self._candidates is None:
            return
        try:
            if seed is None:
                raise FallbackError(Fallback.UNKNOWN_SEED)
            # Plugins that are asked again leave nothing in the trace.
            contextvars.copy_context().run(
                self._compare, self._candidates, hosts, index, ranked, seed,
                attempt.weighings.get_sums(),
            )
        except FallbackError as error:
            self._note(error)
        except FAILURES as error:
            self._note(FallbackError(Fallback.ERROR, type(error).__name__))
            LOG.exception('A decision was not compared with the mirror\'s')

    def _compare(
        self, candidates: Candidates, hosts: Sequence[Any], index: int,
        ranked: Sequence[Any], seed: int, sums: dict[Any, float],
    ) -> None:
        """Compare a ranking.

        :raises FallbackError: where it can't be compared.
        """
        cycle.leave()
        columns = candidates.snapshot.hosts
        rows = columns.find_rows(map(host_key, hosts))
        known = [row for row in rows if row is not None]
        if len(known) < len(hosts):
            self.mirror_check.hosts_missed = len(hosts) - len(known)
            raise FallbackError(Fallback.UNREAD_HOSTS)
        states = dict(zip(known, hosts, strict=True))
        columns = self._update(columns, states)
        placing = candidates.place(
            columns, np.array(known, np.int64), index, seed
        )
        if self._before != isolation.freeze_all(self._spec, hosts):
            raise FallbackError(Fallback.WRITING_PLUGIN)
        self._check_services(hosts)
        difference = find_differences(columns, placing, ranked, sums)
        if difference:
            self._check_plugins(
                [states[row] for row in placing.left[0].tolist()], index,
                {host_key(host): sums.get(host_key(host), 0.0)
                 for host in ranked},
            )
        self.mirror_check.compared += 1
        if difference:
            self.mirror_check.differences.append(difference)
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
        newer = second_look.find_changed(columns, states, self._spec)
        if not self.mirror_check.compared:
            self.mirror_check.older = len(newer)
        return columns.replace(newer) if newer else columns

    def _check_services(self, hosts: Sequence[Any]) -> None:
        """Check that the time of no service ran out since Nova began.

        The engine has looked at the clock in between.

        :raises FallbackError: where one did.
        """
        now_s = service_state.tell_time()
        if any(
            service_state.is_up(host, now_s)
            != service_state.is_up(host, self._ranking_at)
            for host in hosts
        ):
            raise FallbackError(Fallback.SERVICE_WENT_DOWN)

    def _check_plugins(
        self, hosts: Sequence[Any], index: int, before: Mapping[Any, float]
    ) -> None:
        """Check that Nova's filters and weighers still answer as before.

        They may read what changes: stats, or the servers that hosts tell of.

        :param hosts: those that the filters are asked about.
        :param before: weights of those that passed.
        :raises FallbackError: where they do not.
        """
        passed = filters.HostFilterHandler().get_filtered_objects(
            self._inputs.filters, hosts, self._spec, index
        )
        weighed = weights.HostWeightHandler().get_weighed_objects(
            self._inputs.weighers, passed or (), self._spec
        )
        if before != {host_key(each.obj): each.weight for each in weighed}:
            raise FallbackError(Fallback.PLUGINS_CHANGED)


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
    sets = [
        f'only {who} passed {_name_some("/".join(key) for key in only)}'
        for who, only in (
            ('the engine', set(ours) - set(theirs)),
            ('Nova', set(theirs) - set(ours)),
        ) if only
    ]
    if sets:
        return ', '.join(sets)
    weights = dict(zip(ours, placing.weights.tolist(), strict=True))
    otherwise = [
        f'{"/".join(key)} weighs {weights[key]!r} '
        f'(Nova: {sums.get(key, 0.0)!r})'
        for key in theirs if weights[key] != sums.get(key, 0.0)
    ]
    if otherwise:
        sets.append(_name_some(otherwise))
    places = [
        place for place, pair in enumerate(zip(ours, theirs, strict=True), 1)
        if pair[0] != pair[1]
    ]
    if places:
        sets.append(
            f'the order differs in {len(places)} places, first in {places[0]}'
        )
    return ', '.join(sets)


def _name_some(texts: Iterable[str]) -> str:
    """Return the first few of some texts, and how many more there are."""
    ordered = sorted(texts)
    more = len(ordered) - _NAMED
    return ', '.join(
        ordered[:_NAMED] + [f'and {more} more'] * (more > 0)
    )
