"""Add to the trace what the engine decided.

Only arrays are kept while a request waits. The record's own thread makes
lists of them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from nova.scheduler.weights import WeighedHost

from nova_ext.engine.decide import Placing
from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns
from nova_ext.scheduler import explainers
from nova_ext.scheduler.trace.attempt import AttemptTrace
from nova_ext.scheduler.trace.weighings import Weighings


class RowStates(Sequence[Any]):
    """Hold the states of some rows."""

    def __init__(self, columns: HostColumns, rows: Rows) -> None:
        self._columns = columns
        self._rows = rows

    def __len__(self) -> int:
        return int(self._rows.size)

    def __getitem__(self, position: Any) -> Any:
        """Return a state, or the states of a slice."""
        if isinstance(position, slice):
            return RowStates(self._columns, self._rows[position])
        return self._columns.states[self._rows[position]]

    def __iter__(self) -> Iterator[Any]:
        states = self._columns.states
        return (states[row] for row in self._rows.tolist())


class RowUuids(Sequence[str]):
    """Hold the UUIDs of some hosts. Lists of them are made when they are read.

    :param states: the states of these hosts.
    """

    def __init__(self, states: RowStates) -> None:
        self._states = states

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, position: Any) -> Any:
        """Return a UUID, or the UUIDs of a slice."""
        if isinstance(position, slice):
            return RowUuids(self._states[position])
        return self._states[position].uuid

    def __iter__(self) -> Iterator[str]:
        return (state.uuid for state in self._states)


def trace_placing(
    attempt: AttemptTrace, columns: HostColumns, placing: Placing,
    filters: Sequence[Any], weighers: Sequence[Any], spec: Any, seed: int,
) -> None:
    """Add one ranking to its attempt.

    :param filters: those that were to be asked, untraced.
    :param weighers: untraced.
    """
    attempt.lap('mirror')
    reasons, attempt.reasons = attempt.reasons, {}
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
            RowStates(columns, before[~np.isin(before, after)]),
        )

    def load(weighings: Weighings) -> None:
        rows = RowStates(columns, placing.left[-1])
        sums = [each.tolist() for each in placing.sums]
        weighed = [
            WeighedHost(state, weight)
            for state, weight in zip(rows, sums[-1], strict=True)
        ]
        for number, weighing in enumerate(placing.weighings):
            weighings.add_known(
                weighers[number], weighed, weighing.raw.tolist(), sums[number]
            )
        weighings.close()

    attempt.end_weighing(
        RowStates(columns, placing.rows), seed, load,
    )
