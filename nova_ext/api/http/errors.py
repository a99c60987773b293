"""Answer errors in the form of the OpenStack API SIG.

Their text is written for the caller. No traceback, SQL statement or address
gets into it.
"""

from typing import Any

from nova_ext.core.base import scheduling_errors as s
from nova_ext.core.base.errors import NovaExtError


class HttpError(NovaExtError):
    """End a request with an error.

    :param status: HTTP status.
    :param code: for programs, without its prefix ``scheduler.``.
    :param detail: one line for people.
    :param more: further fields of the error.
    """

    def __init__(
        self, status: int, code: str, detail: str, **more: Any
    ) -> None:
        self.status, self.code, self.detail = status, code, detail
        self.more = more
        super().__init__(detail)

    def body(self, request_id: str | None) -> dict[str, Any]:
        """Return the body of the answer."""
        return {'errors': [{
            'status': self.status,
            'code': f'scheduler.{self.code}',
            'title': self.code.replace('_', ' ').capitalize(),
            'detail': self.detail,
            'request_id': request_id or '',
            **self.more,
        }]}


UNAUTHORIZED = HttpError(
    401, 'unauthorized', 'a valid token is needed in X-Auth-Token'
)


def invalid(detail: str) -> HttpError:
    """Return the error of a request that does not fit its schema."""
    return HttpError(400, 'invalid_request', detail)


def not_found(what: str) -> HttpError:
    """Return the error of what is not there, or not for the caller."""
    return HttpError(404, 'not_found', f'there is no {what}')


def no_scheduler(error: s.NoSchedulerError, instead: str) -> HttpError:
    """Return the error where none of the schedulers is nova-ext's.

    :param instead: what tells the same in plugin mode, as a clause.
    """
    return HttpError(
        503, 'no_scheduler', f'{error}: in plugin mode none runs, and a stock '
        f'nova-scheduler answers no such question; {instead}'
    )


#: Status and code by class of a scheduler's error, and whether the caller may
#: read its message. Other messages are for operators.
_SCHEDULING_ERRORS: dict[type[s.SchedulingError], tuple[int, str, bool]] = {
    s.WrongArgumentsError: (400, 'invalid_request', True),
    s.MoveRefusedError: (409, 'move_refused', True),
    s.BusyError: (503, 'busy', True),
    s.RequestTimeoutError: (504, 'scheduler_silent', True),
    s.UnreachableError: (503, 'scheduler_unreachable', False),
    s.TooOldError: (503, 'scheduler_too_old', False),
    s.NotHonouredError: (503, 'offers_not_honoured', False),
    # It names a plugin.
    s.DriverError: (502, 'driver_failed', True),
    s.SchedulingError: (502, 'scheduler_failed', False),
}
_DETAILS = {
    'scheduler_unreachable': 'the message bus of the schedulers does not '
    'answer; try again later',
    'scheduler_too_old': 'no scheduler here can answer that; it takes a later '
    'nova-ext-scheduler',
    'offers_not_honoured': 'a scheduler of this zone would ignore an offer, '
    'so none is made; the log of nova-ext-api names it',
    'scheduler_failed': 'the scheduler could not answer; its log and that of '
    'nova-ext-api say why',
}


def convert(error: s.SchedulingError) -> HttpError:
    """Return the error that answers a scheduler's error."""
    status, code, is_public = next(
        _SCHEDULING_ERRORS[cls] for cls in type(error).__mro__
        if cls in _SCHEDULING_ERRORS
    )
    return HttpError(
        status, code, str(error) if is_public else _DETAILS[code]
    )
