"""Rehearse the loss of hosts, and their draining."""

import contextlib
from collections.abc import Iterator
from typing import Any

from nova_ext.api.handlers.simulations import SHARE
from nova_ext.api.http import errors
from nova_ext.api.http.request import Request
from nova_ext.core.base.scheduling_errors import NoSchedulerError
from nova_ext.core.rpc.losses import LossesRequest
from nova_ext.core.rpc.rehearsal import RehearsalRequest

_INSTEAD = (
    '"nova-ext simulate --server" says on a host with its configuration where '
    'it would move one server'
)


def rehearse(request: Request) -> dict[str, Any]:
    """Say what becomes of the servers of hosts, for some of the time."""
    wanted = RehearsalRequest.from_dict(request.body['rehearsal'])
    with _hold(request) as scheduler:
        rehearsal = scheduler.rehearse(request.context, wanted)
    return {'rehearsal': rehearsal.to_dict()}


def rehearse_losses(request: Request) -> dict[str, Any]:
    """Count what becomes of the servers after each of many losses."""
    wanted = LossesRequest.from_dict(request.body['losses'])
    with _hold(request) as scheduler:
        losses = scheduler.rehearse_losses(request.context, wanted)
    return {'losses': losses.to_dict()}


@contextlib.contextmanager
def _hold(request: Request) -> Iterator[Any]:
    """Yield the scheduler to one of the callers that may wait for it."""
    with SHARE.hold(request.context.project_id):
        try:
            yield request.backends.scheduler()
        except NoSchedulerError as error:
            raise errors.no_scheduler(error, _INSTEAD) from error
