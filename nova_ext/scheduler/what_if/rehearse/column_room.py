"""Place servers by columns, one after the other, each taking its room.

The columns are those of a snapshot of the mirror, which stays as it is: what
changes is copied. So each rehearsal begins from the same snapshot.
"""

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any

from nova_ext.core.decision.decision import (
    NO_VALID_HOST,
    Attempt,
    Decision,
    Rejection,
    Step,
)
from nova_ext.core.explanation.explain import explain
from nova_ext.core.plugin.answers import generate_seed
from nova_ext.core.rpc.rehearsal import MoveOutcome, RehearsedMove
from nova_ext.engine.decide import Placing
from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.mirror.deciding.candidates import Candidates
from nova_ext.scheduler.mirror.deciding.error_guard import guard
from nova_ext.scheduler.mirror.plugins import service_state
from nova_ext.scheduler.what_if.rehearse import moved_room
from nova_ext.scheduler.what_if.rehearse.column_cloud import (
    ColumnCloud,
    RoomView,
)
from nova_ext.scheduler.what_if.rehearse.column_requests import ColumnRequest


class ColumnRoom:
    """Know the room that is left, of one rehearsal.

    :param hosts: names of those that are lost, or drained.
    :param is_loss: they are down; False: they are disabled.
    """

    #: What a plugin raises is not logged: Nova's code is asked then.
    simulated = True

    def __init__(
        self, cloud: ColumnCloud, hosts: Collection[str], *, is_loss: bool
    ) -> None:
        self._cloud = cloud
        self._views: dict[int, Any] = {}
        self._hosts: dict[str, str] = {}
        self._amounts: dict[str, Mapping[str, int]] = {
            **cloud.inputs.held.amounts
        }
        for host in hosts:
            for row in cloud.columns.find_host(host.lower()):
                moved_room.take_out(self._get_view(row), is_loss=is_loss)
        self.columns: HostColumns = cloud.columns.replace(self._views, [
            name for name in cloud.columns.numbers if name != service_state.OFF
        ])

    @property
    def is_empty(self) -> bool:
        """Say whether nothing has moved yet."""
        return not self._hosts

    @guard
    def decide(self, move: RehearsedMove, request: ColumnRequest) -> None:
        """Set what becomes of a server; :meth:`take` takes its room.

        :raises FallbackError: Nova is to decide.
        """
        spec = request.spec
        self._cloud.check(spec)
        moved_room.add_group_hosts(spec, self._hosts)
        inputs = self._cloud.inputs
        candidates = Candidates(dataclasses.replace(
            inputs, held=Held(self._amounts, inputs.held.refused)
        ), spec)
        rows = self._select(candidates, request)
        placing = candidates.place(self.columns, rows, 0, generate_seed())
        move.by_engine = True
        if not placing.rows.size:
            move.outcome = MoveOutcome.NO_HOST
            filled = self._select(Candidates(inputs, spec), request).size
            move.reason = _explain(
                placing, len(self.columns), rows, inputs.filters, move.server
            ) + moved_room.describe_filled(filled - rows.size)
            return
        state = self.columns.states[int(placing.rows[0])]
        move.host = state.host
        move.claim = {state.uuid: dict(candidates.demand.resources)}

    def _select(self, candidates: Candidates, request: ColumnRequest) -> Rows:
        """Return the hosts that placement would offer, in their order."""
        return candidates.select_in_cell(
            self.columns, candidates.select(request.resources)
        )

    def take(self, move: RehearsedMove, spec: Any) -> None:
        """Take the room of a server that has a host.

        :param spec: its request spec, after the decision.
        """
        if move.outcome != MoveOutcome.PLACED:
            return
        self._hosts[move.server] = move.host
        for uuid, amounts in move.claim.items():
            held = self._amounts.get(uuid, {})
            self._amounts[uuid] = {**held, **{
                name: held.get(name, 0) + amount
                for name, amount in amounts.items()
            }}
        changed = {}
        for row in self.columns.find_host(move.host.lower()):
            view = self._get_view(row)
            if view.uuid in move.claim:
                moved_room.consume(view, move.server, spec)
                changed[row] = view
        self.columns = self.columns.replace(changed, self._cloud.kept)

    def _get_view(self, row: int) -> Any:
        """Return this rehearsal's own state of a host."""
        if row not in self._views:
            self._views[row] = RoomView(self._cloud.columns.states[row])
        return self._views[row]


def _explain(
    placing: Placing, hosts: int, considered: Rows, filters: Any, server: str
) -> str:
    """Return a sentence that counts who rejected how many hosts."""
    steps = []
    if placing.left[0].size < considered.size:
        steps.append(Step(
            'ignore_hosts', 'request', considered.size, placing.left[0].size
        ))
    steps += [
        Step(type(filter_).__name__, 'filter', before.size, after.size)
        for filter_, before, after in zip(
            filters, placing.left, placing.left[1:], strict=False
        )
    ]
    return explain(Decision(
        '', '', outcome=NO_VALID_HOST, servers=[server], hosts_total=hosts,
        absent=Rejection('too little free, or not as requested',
                         hosts - considered.size),
        attempts=[Attempt(server, 0, considered.size, steps)],
    ), server).sentence
