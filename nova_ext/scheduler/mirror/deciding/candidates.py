"""Find and rank the hosts of one request, from one snapshot.

What decides a request and what verifies Nova's decision both use this.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.engine import decide, rank
from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns
from nova_ext.engine.provider_columns import Mask
from nova_ext.engine.providers import Demand
from nova_ext.scheduler.base import options
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.mirror.deciding import demand
from nova_ext.scheduler.mirror.plugins import nova_plugins, service_state
from nova_ext.scheduler.mirror.snapshot import Snapshot

_NOTHING = Held({}, frozenset())


def _hold_nothing(provider: str) -> Mapping[str, int]:
    return {}


@dataclass(frozen=True)
class DecisionInputs:
    """Hold what the mirror decides one request from.

    :param snapshot: None: nothing is loaded yet.
    :param filters: Nova's filters, untraced.
    :param weighers: Nova's weighers, untraced.
    :param off: why the mirror is off in this worker; None: it is on.
    :param held: claims that the snapshot does not show.
    :param get_held: returns the amounts of a provider that no reading shows
        now.
    """

    snapshot: Snapshot | None
    filters: Sequence[Any]
    weighers: Sequence[Any]
    off: Fallback | None = None
    held: Held = _NOTHING
    get_held: Callable[[str], Mapping[str, int]] = _hold_nothing


class Candidates:
    """Find and rank the hosts of one request.

    :param spec: Nova's request spec.
    :ivar age_s: seconds since the snapshot was right; 0 without one.
    :ivar old: rows of providers whose data is too old to be used; -1 for each
        that was not read yet.
    :ivar left_out: how many candidates :meth:`select` left out for that.
    """

    def __init__(self, inputs: DecisionInputs, spec: Any) -> None:
        self._inputs = inputs
        self._spec = spec
        self._demand: Demand | None = None
        self.age_s = 0.0
        self.left_out = 0
        self.old: Rows = np.zeros(0, np.int64)
        if inputs.snapshot is not None:
            age_s, self.old = inputs.snapshot.look(
                options.CONF.nova_ext.mirror_max_age_s
            )
            self.age_s = round(age_s, 3)

    @property
    def snapshot(self) -> Snapshot:
        """Return the snapshot; there is one once :meth:`check` passed."""
        snapshot = self._inputs.snapshot
        assert snapshot is not None  # noqa: S101  check() has passed
        return snapshot

    @property
    def demand(self) -> Demand:
        """Return what one server demands, once :meth:`find` compiled it."""
        assert self._demand is not None  # noqa: S101  find() was called
        return self._demand

    def check(self) -> None:
        """Check that the mirror is on and loaded, and may ask all filters.

        :raises FallbackError: where it is not.
        """
        if self._inputs.off is not None:
            raise FallbackError(self._inputs.off)
        if self._inputs.snapshot is None:
            raise FallbackError(Fallback.NOT_LOADED)
        nova_plugins.check_filters(self._inputs.filters)

    def find(self, query: str) -> Mask:
        """Return which providers have what a query demands.

        :param query: Nova's, for allocation candidates.
        :raises FallbackError: where the mirror can't tell.
        """
        demand.check(self._spec)  # a driver may have changed it
        return self.find_providers(query)

    def find_providers(self, query: str) -> Mask:
        """Return the same, whatever else the request demands of hosts."""
        self._demand = demand.compile_query(query)
        unknown = self.snapshot.find_unknown(self._demand)
        if unknown is not None:
            raise FallbackError(unknown)
        return self.snapshot.providers.find(
            self._demand, self._inputs.held.amounts
        )

    def select(self, resources: Any) -> Rows:
        """Return the hosts that placement would offer, in order.

        :param resources: Nova's ResourceRequest.
        :raises FallbackError: where the mirror can't tell.
        """
        if resources.cpu_pinning_requested:
            raise FallbackError(Fallback.PINNED_CPUS)
        fits = self.find(resources.to_querystring())
        old = self.old[self.old >= 0]
        self.left_out = int(np.count_nonzero(fits[old]))
        fits[old] = False
        providers = self.snapshot.providers.rows
        fits[[
            providers[uuid] for uuid in self._inputs.held.refused
            if uuid in providers
        ]] = False
        limit = options.CONF.scheduler.max_placement_results
        if not options.CONF.nova_ext.mirror_sees_all_hosts and (
            np.count_nonzero(fits) >= limit
        ):
            raise FallbackError(Fallback.MANY_HOSTS)
        return self.snapshot.select(fits)

    def select_in_cell(self, columns: HostColumns, rows: Rows) -> Rows:
        """Return the hosts of the one cell that may be used, if any is named.

        Placement knows no cells.
        """
        cell = demand.get_only_cell(self._spec)
        if not cell:
            return rows
        return rows[columns.get_values('cell_uuid')[rows] == cell]

    def check_age(self) -> None:
        """Check that the snapshot is new enough.

        :raises FallbackError: where it is not.
        """
        if self.age_s > options.CONF.nova_ext.mirror_max_age_s or (
            time.monotonic() - self.snapshot.hosts_read_at
            > service_state.get_max_age_s()
        ):
            raise FallbackError(Fallback.TOO_OLD)

    def place(
        self, columns: HostColumns, rows: Rows, index: int, seed: int
    ) -> decide.Placing:
        """Filter, weigh and rank hosts for one server.

        :param columns: the snapshot's, or newer ones of the same rows.
        :param rows: the hosts to begin with, in order.
        :param index: 0 for the first server of the request.
        :param seed: of the draw among the best.
        :raises FallbackError: where Nova would decide otherwise.
        """
        demand.check(self._spec)
        conf = options.CONF.filter_scheduler
        try:
            return decide.place(
                columns, demand.select_rows(self._spec, columns, rows),
                nova_plugins.make_filters(
                    self._inputs.filters, self._spec, index
                ),
                nova_plugins.make_weighers(self._inputs.weighers, self._spec),
                rank.Draw(
                    seed, conf.shuffle_best_same_weighed_hosts,
                    conf.host_subset_size,
                ),
            )
        except rank.NotFiniteError as error:
            raise FallbackError(Fallback.INFINITE_WEIGHT) from error
