"""What goes wrong, in the one form in which it is told.

The form is that of the OpenStack API SIG; what it holds is written for the
caller. No traceback, statement or address gets into it.
"""

from typing import Any

from nova_ext.core.base import scheduling_errors as s
from nova_ext.core.base.errors import NovaExtError


class HttpError(NovaExtError):
    """Ends a request with an error.

    :param status: of HTTP.
    :param code: for programs, without ``scheduler.`` before it.
    :param detail: one line for a person.
    :param more: further fields of the error.
    """

    def __init__(
        self, status: int, code: str, detail: str, **more: Any
    ) -> None:
        self.status, self.code, self.detail = status, code, detail
        self.more = more
        super().__init__(detail)

    def body(self, request_id: str | None) -> dict[str, Any]:
        """The answer's body."""
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
    """A request that is not as it has to be."""
    return HttpError(400, 'invalid_request', detail)


def not_found(what: str) -> HttpError:
    """What is not there, or must not be known to be there."""
    return HttpError(404, 'not_found', f'there is no {what}')


#: What a scheduler may answer, by class: status, code, and whether its own
#: words are for the caller. The others are an operator's business.
_OF_SCHEDULERS: dict[type[s.SchedulingError], tuple[int, str, bool]] = {
    s.WrongArgumentsError: (400, 'invalid_request', True),
    s.BusyError: (503, 'busy', True),
    s.RequestTimeoutError: (504, 'scheduler_silent', True),
    s.UnreachableError: (503, 'scheduler_unreachable', False),
    s.TooOldError: (503, 'scheduler_too_old', False),
    s.SchedulingError: (502, 'scheduler_failed', False),
}
_WORDS = {
    'scheduler_unreachable': 'the message bus of the schedulers does not '
    'answer; try again later',
    'scheduler_too_old': 'no scheduler here knows how to answer that; it '
    'takes a later nova-ext-scheduler',
    'scheduler_failed': 'the scheduler could not answer; its log and that of '
    'nova-ext-api say why',
}


def of(error: s.SchedulingError) -> HttpError:
    """The failure that a scheduler's answer comes to."""
    known = next(
        _OF_SCHEDULERS[cls] for cls in type(error).__mro__
        if cls in _OF_SCHEDULERS
    )
    status, code, told = known
    return HttpError(status, code, str(error) if told else _WORDS[code])
