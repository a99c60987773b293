"""Ask a scheduler what it would decide; nothing is changed."""

from datetime import datetime
from functools import partial
from typing import Any

from nova_ext.client.connection import Connection, read
from nova_ext.core.base import plain_data
from nova_ext.core.decision.decision import (
    Decision,
    Placement,
    PlacementDiagnosis,
)
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.core.rpc.capacity import Capacity
from nova_ext.core.rpc.losses import Losses, LossesRequest
from nova_ext.core.rpc.move_request import MoveRequest, SimulatedMove
from nova_ext.core.rpc.rehearsal import Rehearsal, RehearsalRequest

#: Hosts of a simulated ranking that are returned.
RANKED_HOSTS = 100
NO_CHANGES = Changes()


class WhatIfs(Connection):
    """Ask what would be decided.

    Each call asks first whether a scheduler is there.
    """

    def simulate(
        self, context: Any, request: BootRequest, *,
        changes: Changes = NO_CHANGES, ranked_hosts: int = RANKED_HOSTS,
    ) -> Decision:
        """Simulate where servers would go, and place none.

        The scheduler decides as it does for a boot, with the same filters,
        weighers and driver; it claims, stores and notifies nothing.

        :param context: the caller's, which a filter's policy may check.
        :param request: what ``openstack server create`` would request.
        :param changes: filters, multipliers and driver to replace.
        :param ranked_hosts: how many hosts of the ranking are returned, with
            their weights, 10,000 at most.
        :returns: the decision, ``simulated``, also where no host fits;
            ``nova_ext.core.explanation.explain.explain`` explains it. A very
            long one is shortened as in the record.
        :raises WrongArgumentsError: for a request that Nova would refuse,
            or changes to what is not there.
        :raises NoSchedulerError: where none has a queue on this bus.
        :raises RequestTimeoutError: where none answers in time; a short
            question, whether one is there, is asked first.
        """
        self._check_presence(context, 'simulate')
        return read('simulate', Decision.from_dict, self._call(
            context, 'simulate', request=plain_data.dump_sparse(request),
            changes=plain_data.dump_sparse(changes), ranked_hosts=ranked_hosts,
        ))

    def simulate_move(
        self, context: Any, request: MoveRequest, *,
        changes: Changes = NO_CHANGES, ranked_hosts: int = RANKED_HOSTS,
    ) -> SimulatedMove:
        """Simulate where Nova would move a server, and move none.

        The other arguments and errors are those of :meth:`simulate`.

        :raises MoveRefusedError: Nova would ask no scheduler; it says why.
        """
        self._check_presence(context, 'simulate')
        return read('simulate_move', SimulatedMove.from_dict, self._call(
            context, 'simulate_move', request=plain_data.dump_sparse(request),
            changes=plain_data.dump_sparse(changes), ranked_hosts=ranked_hosts,
        ))

    def rehearse(
        self, context: Any, request: RehearsalRequest
    ) -> Rehearsal:
        """Rehearse the loss of hosts, or their draining; move nothing.

        A call ends after about half a minute, with the moves so far. To go
        on, call again with all of them in ``moved``.

        :returns: what becomes of servers, one after the other.
        :raises SchedulingError: as for :meth:`simulate`.
        """
        self._check_presence(context, 'rehearse')
        return read('rehearse', Rehearsal.from_dict, self._call(
            context, 'rehearse', request=plain_data.dump_sparse(request),
        ))

    def rehearse_losses(
        self, context: Any, request: LossesRequest
    ) -> Losses:
        """Rehearse the loss of each of many hosts; move nothing.

        A call ends after about half a minute. To go on, call again with the
        losses that remain.

        :returns: counts of each loss.
        :raises SchedulingError: as for :meth:`simulate`.
        """
        self._check_presence(context, 'rehearse')
        return read('rehearse_losses', Losses.from_dict, self._call(
            context, 'rehearse_losses',
            request=plain_data.dump_sparse(request),
        ))

    def capacity(
        self, context: Any, request: BootRequest, *,
        changes: Changes = NO_CHANGES, is_empty: bool = False,
        diagnose: bool = True,
    ) -> Capacity:
        """Count how many more servers fit, one request after the other.

        :param request: for one server.
        :param changes: filters, multipliers and driver to replace.
        :param is_empty: count as if there were no servers yet.
        :param diagnose: say what hosts lack, where placement offers none.
        :raises WrongArgumentsError: as for :meth:`simulate`.
        :raises NoSchedulerError: this and a RequestTimeoutError as for
            :meth:`simulate`.
        """
        self._check_presence(context, 'count what fits')
        return read('capacity', Capacity.from_dict, self._call(
            context, 'capacity', request=plain_data.dump_sparse(request),
            changes=plain_data.dump_sparse(changes),
            # Earlier schedulers do not know these.
            **({'is_empty': True} if is_empty else {}),
            **({} if diagnose else {'diagnose': False}),
        ))

    def diagnose(
        self, context: Any, placement: Placement, ended: datetime
    ) -> PlacementDiagnosis | None:
        """Have placement asked what the hosts lack that it left out.

        :param placement: of a decision: its query, and the digest of what
            was offered.
        :param ended: when the decision ended.
        :returns: None where it was not asked, or did not answer in time.
        :raises NoSchedulerError: this and a RequestTimeoutError as for
            :meth:`simulate`.
        """
        self._check_presence(context, 'ask placement what hosts lack')
        answer = self._call(
            context, 'diagnose', query=placement.query,
            offered=placement.offered, ended=ended.isoformat(),
        )
        return answer and read(
            'diagnose', partial(plain_data.load, PlacementDiagnosis), answer
        )
