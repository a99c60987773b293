"""Add to the trace what the engine decided.

Only arrays are kept: lists of 10,000 hosts would hold up requests while they
are made for the record.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nova_ext.engine import rank
from nova_ext.engine.decide import Placing
from nova_ext.engine.filtering import Mask, Rows
from nova_ext.engine.host_columns import HostColumns, Numbers
from nova_ext.scheduler import explainers
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.explainers.reason import give_same_reason
from nova_ext.scheduler.mirror.deciding.host_ranking import HostRanking
from nova_ext.scheduler.mirror.hosts.row_states import RowStates
from nova_ext.scheduler.trace.attempt import AttemptTrace
from nova_ext.scheduler.trace.weighings import (
    ROUNDING,
    RawWeights,
    Weighings,
)

_GONE = (
    'changed since the mirror read it: it is gone, or lacks a trait or an '
    'aggregate that is requested'
)


@best_effort
def trace_placing(
    attempt: AttemptTrace, ranking: HostRanking, placing: Placing,
    filters: Sequence[Any], weighers: Sequence[Any], spec: Any, seed: int,
) -> None:
    """Add one ranking to its attempt.

    :param filters: those that were to be asked, untraced.
    :param weighers: untraced.
    """
    attempt.lap('mirror')
    columns = ranking.columns
    # Those of the filters that follow.
    reasons, attempt.reasons = attempt.reasons, {}
    if ranking.gone.size:
        attempt.add_step(
            '', 'unknown',
            RowStates(columns, np.append(ranking.considered, ranking.gone)),
            RowStates(columns, ranking.considered),
            give_same_reason(_GONE), RowStates(columns, ranking.gone),
        )
    for number, (before, after) in enumerate(
        zip(placing.left, placing.left[1:], strict=False)
    ):
        filter_, states = filters[number], RowStates(columns, before)
        # Each host is rejected once. Nova's own filters give no reasons.
        if not type(filter_).__module__.startswith('nova.'):
            attempt.reasons = reasons
        attempt.add_step(
            type(filter_).__name__, 'filter', states,
            RowStates(columns, after),
            explainers.find_explainer(filter_, spec, states),
            RowStates(columns, _find_rejected(before, after)),
            explainers.get_audience(filter_),
        )

    attempt.end_weighing(
        RowStates(columns, placing.rows), seed,
        RowWeighings(columns, placing, weighers),
    )


def _find_rejected(before: Rows, after: Rows) -> Rows:
    if before.size == after.size:  # most filters reject no host
        return before[:0]
    return before[~np.isin(before, after)]


@dataclass
class _RawColumn(RawWeights):
    """Hold one weigher's raw weights in an array.

    :param multipliers: one a host, as well.
    """

    multipliers: Numbers

    def get(self, position: int) -> float:
        return float(self.weights[position])

    def get_multiplier(self, position: int, host: Any) -> float:
        return float(self.multipliers[position])

    def find_least(self) -> float:
        return self.get(int(self.weights.argmin()))

    def find_greatest(self) -> float:
        return self.get(int(self.weights.argmax()))


class RowWeighings(Weighings):
    """Keep the weights of one ranking.

    :param weighers: those that were asked.
    """

    def __init__(
        self, columns: HostColumns, placing: Placing, weighers: Sequence[Any]
    ) -> None:
        super().__init__()
        self._columns = columns
        self._raw = [
            _RawColumn(weigher, weighing.raw, sums, weighing.multipliers)
            for weigher, weighing, sums in zip(
                weighers, placing.weighings, placing.sums, strict=False
            )
        ]
        #: None of a single host, which is not weighed.
        self._rows = placing.left[-1] if self._raw else placing.left[-1][:0]
        self._total = placing.sums[-1] if self._raw else placing.sums[-1][:0]

    def list_best(self) -> Sequence[Any]:
        """Return the hosts of the greatest weight."""
        return self._get_states(
            np.flatnonzero(_mark_greatest(self._total, 0.0))
        )

    def list_heaviest(self, count: int) -> Sequence[Any]:
        """Return the first hosts as Nova sorts."""
        return self._get_states(rank.sort_heaviest(self._total, count))

    def _find(
        self, hosts: Sequence[Any] | None
    ) -> Iterable[tuple[int, Any]]:
        if hosts is None:
            return enumerate(RowStates(self._columns, self._rows))
        named = np.zeros(len(self._columns), np.bool_)
        named[[
            row for row in self._columns.find_rows(map(host_key, hosts))
            if row is not None
        ]] = True
        positions = np.flatnonzero(named[self._rows])
        return zip(
            positions.tolist(), self._get_states(positions), strict=True
        )

    def _best_without(self, number: int) -> Sequence[Any]:
        raw = self._raw[number]
        if not raw.differ:
            return ()
        after = (
            self._raw[number + 1].sums
            if number + 1 < len(self._raw) else self._total
        )
        others = _mark_greatest(
            self._total - (after - raw.sums),
            ROUNDING * max(1.0, float(abs(self._total).max())),
        )
        best = _mark_greatest(self._total, 0.0)
        if (best & others).any():
            return ()
        return self._get_states(np.flatnonzero(others))

    def _get_states(self, positions: Rows) -> RowStates:
        return RowStates(self._columns, self._rows[positions])


def _mark_greatest(sums: Numbers, slack: float) -> Mask:
    """Say of each sum whether it is the greatest, but for a slack."""
    mask: Mask = sums >= sums.max(initial=-np.inf) - slack
    return mask
