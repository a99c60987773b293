"""List the mirrors of the schedulers' workers."""

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
