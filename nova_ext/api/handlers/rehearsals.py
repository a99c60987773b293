"""Rehearse the loss of hosts, and their draining."""

from typing import Any

from nova_ext.api.handlers.simulations import SHARE
from nova_ext.api.http import errors
from nova_ext.api.http.request import Request
from nova_ext.core.base.scheduling_errors import NoSchedulerError
from nova_ext.core.rpc.rehearsal import RehearsalRequest

_INSTEAD = (
    '"nova-ext simulate --server" says on a host with its configuration where '
    'it would move one server'
)


def rehearse(request: Request) -> dict[str, Any]:
    """Say what becomes of the servers of hosts, for some of the time."""
    wanted = RehearsalRequest.from_dict(request.body['rehearsal'])
    with SHARE.hold(request.context.project_id):
        try:
            rehearsal = request.backends.scheduler().rehearse(
                request.context, wanted
            )
        except NoSchedulerError as error:
            raise errors.no_scheduler(error, _INSTEAD) from error
    return {'rehearsal': rehearsal.to_dict()}
