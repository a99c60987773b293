"""Read what child zones answer. None of it is trusted, and none repeated.

What a child zone writes may hold the token that it was sent: errors are in
words of ours.
"""

import itertools
import json
from typing import Any, NoReturn

import jsonschema
import requests

from nova_ext.core.base.errors import NovaExtError

#: The version of the API that is asked for.
VERSION = 'scheduler 1.0'
#: Codes of a child's errors that may be repeated.
_CODES = frozenset({
    'busy', 'conflict', 'cycle', 'database_silent', 'forbidden',
    'identity_silent', 'internal_error', 'invalid_request', 'no_database',
    'no_offers', 'no_scheduler', 'not_found', 'other_zone',
    'request_entity_too_large', 'scheduler_failed', 'scheduler_silent',
    'scheduler_too_old', 'scheduler_unreachable',
})
#: Codes that say less than the status.
_VAGUE = ('', 'forbidden')
_SUCCESSES = (200, 201, 202, 204)
_PROBLEMS = {
    401: 'it refuses the token of its Keystone',
    403: 'its policy does not allow it',
    404: 'no nova-ext-api is at this URL',
}


class ChildError(NovaExtError):
    """Report why a child zone gave no answer that can be used.

    :param status: of its answer; 0: there was none, so that it may have
        carried the request out, if it was sent.
    :param code: of its error, one of nova-ext-api's; empty: another.
    :param is_sent: whether the request may have left this zone.
    """

    def __init__(
        self, message: str, status: int = 0, code: str = '',
        is_sent: bool = True,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.is_sent = is_sent


class MalformedAnswerError(ChildError):
    """Report an answer that can't be used."""


def read(body: bytes, validator: jsonschema.Draft202012Validator) -> Any:
    """Return the document of an answer that fits a schema.

    :raises MalformedAnswerError: naming the field that does not fit.
    """
    try:
        document = json.loads(body, parse_constant=_refuse_constant)
        error = next(validator.iter_errors(document), None)
    except RecursionError:
        raise MalformedAnswerError('its answer is nested too deeply') from None
    except ValueError:
        raise MalformedAnswerError('its answer is no JSON') from None
    if error is None:
        return document
    # The path in the schema has names of ours alone.
    place = '.'.join(
        str(name) for keyword, name in itertools.pairwise(
            error.absolute_schema_path
        ) if keyword == 'properties'
    )
    where = f' at {place}' if place else ''
    raise MalformedAnswerError(f'its answer does not fit the schema{where}')


def check_status(response: requests.Response) -> None:
    """Refuse an answer without success.

    :raises ChildError: saying why.
    """
    status = response.status_code
    if status in _SUCCESSES:
        return
    if response.is_redirect:
        raise ChildError(
            f'it answers {status}, a redirect: none is followed', status
        )
    code = _find_code(response)
    problem = _PROBLEMS.get(status) if code in _VAGUE else code
    if status == requests.codes.not_acceptable:
        problem = f'its nova-ext-api is too old: it knows no version {VERSION}'
    raise ChildError(
        f'it answers {status}{f": {problem}" if problem else ""}', status, code
    )


def _find_code(response: requests.Response) -> str:
    """Return the code of a child's error, if it is one of nova-ext-api's."""
    try:
        code = response.json()['errors'][0]['code'].removeprefix('scheduler.')
    except (ValueError, LookupError, TypeError, AttributeError,
            RecursionError):
        return ''
    return code if code in _CODES else ''


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f'{name} is no JSON')
