"""Tell what the mirrors of the schedulers' workers do, and switch them."""

from typing import Any

from nova_ext.api.http import errors
from nova_ext.api.http.request import Request
from nova_ext.core.base.scheduling_errors import NoSchedulerError

_INSTEAD = (
    'a stock nova-scheduler has no mirror, and one that does not run decides '
    'nothing'
)


def list_(request: Request) -> dict[str, Any]:
    """List the mirrors of all workers that answer, by host and worker."""
    try:
        return {
            'mirrors': request.backends.scheduler().mirror_states(
                request.context
            ),
        }
    except NoSchedulerError as error:
        raise errors.no_scheduler(error, _INSTEAD) from error


def update(request: Request) -> dict[str, Any]:
    """Turn all mirrors off, or on again, and list them afterwards.

    A worker that starts later decides as it is configured.
    """
    request.backends.scheduler().set_mirror(
        request.context, request.body['active']
    )
    return list_(request)
