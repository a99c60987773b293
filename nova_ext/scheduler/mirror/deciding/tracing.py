"""Add to the trace what the engine decided.

Only arrays are kept.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from nova_ext.engine.decide import Placing
from nova_ext.engine.filtering import Rows
from nova_ext.scheduler import explainers
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.explainers.reason import give_same_reason
from nova_ext.scheduler.mirror.deciding.host_ranking import HostRanking
from nova_ext.scheduler.mirror.deciding.row_weighings import RowWeighings
from nova_ext.scheduler.mirror.hosts.row_states import RowStates
from nova_ext.scheduler.trace.attempt import AttemptTrace

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
