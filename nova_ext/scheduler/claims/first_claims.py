"""Claim for new servers, all of a request together.

Nova's client first asks placement for a server's allocations, as the server
may be on a move, and claims for one server after the other. A new server has
none. So placement is asked once, by ``POST /allocations``, which takes all
claims or none.
"""

import enum
import random
import time
from collections.abc import Mapping
from typing import Any

from keystoneauth1 import exceptions as keystone
from nova.scheduler.client import report

#: A claim of one consumer, as in placement's API.
Claim = dict[str, Any]

#: Attempts where another write to a provider comes in between, and seconds
#: between them at most. Nova's client makes as many.
ATTEMPTS = 4
_PAUSE_S = 0.1


class Answer(enum.Enum):
    """Name what placement answered.

    EXISTS: a consumer has allocations already, so it is no new server.
    FAILED: nothing was written, and not for the sake of a host.
    UNKNOWN: no answer came, or an error; the claims may have been written.
    """

    CLAIMED = 'claimed'
    REFUSED = 'refused'
    EXISTS = 'exists'
    FAILED = 'failed'
    UNKNOWN = 'unknown'


def make(
    alloc_request: Mapping[str, Any], project_id: str, user_id: str
) -> Claim:
    """Return the claim of a new consumer."""
    return {
        **alloc_request, 'project_id': project_id, 'user_id': user_id,
        'consumer_generation': None,
    }


def post(client: Any, context: Any, claims: Mapping[str, Claim]) -> Answer:
    """Claim for new consumers.

    :param client: Nova's report client.
    :param claims: by consumer.
    """
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(random.uniform(0, _PAUSE_S))  # noqa: S311  not a secret
        try:
            response = client.post(
                '/allocations', claims, version=report.SAME_SUBTREE_VERSION,
                global_request_id=context.global_id,
            )
        except keystone.ClientException:
            return Answer.UNKNOWN
        answer = _read(response)
        if answer is not None:
            return answer
    return Answer.REFUSED


def _read(response: Any) -> Answer | None:
    """Return what was answered; None: another write came in between."""
    if response.status_code == 204:
        return Answer.CLAIMED
    if response.status_code in (401, 403, 404, 405, 413, 429):
        return Answer.FAILED
    if response.status_code not in (400, 409):
        return Answer.UNKNOWN
    try:
        error = response.json()['errors'][0]
        code, detail = error.get('code'), error.get('detail') or ''
    except (ValueError, LookupError, TypeError, AttributeError):
        return Answer.UNKNOWN  # a proxy's page
    if code != 'placement.concurrent_update':
        return Answer.REFUSED
    # Placement has one code for both, as Nova's client notes.
    if 'consumer generation conflict' in detail:
        return Answer.EXISTS
    return None
