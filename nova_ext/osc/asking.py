"""Asking the API for recorded decisions."""

from collections.abc import Mapping
from typing import Any

from nova_ext.core.errors import NovaExtError
from nova_ext.shell import server_name

#: Decisions that are asked for at a time.
PAGE = 100


def about(manager: Any, text: str) -> dict[str, Any]:
    """What a decision is about, in the API's words.

    :param manager: OpenStackClient's, which looks names of servers up.
    :param text: a server's name or ID, or the ID of a request.
    """
    wanted = server_name.identify(
        text, lambda: manager.sdk_connection.compute
    )
    return {'request' if wanted.startswith('req-') else 'server': wanted}


def listed(
    client: Any, limit: int = PAGE, **wanted: Any
) -> list[Mapping[str, Any]]:
    """Decisions, the newest first.

    :param wanted: what behind the path asks for.
    """
    found: list[Mapping[str, Any]] = []
    while len(found) < limit:
        answer = client.get(
            '/v1/decisions', limit=min(PAGE, limit - len(found)), **wanted
        )
        found += answer['decisions']
        if 'decisions_links' not in answer:
            break
        wanted['marker'] = found[-1]['id']
    return found


def newest(
    client: Any, *, server: str = '', request: str = ''
) -> tuple[Mapping[str, Any], int]:
    """The explanation of the newest decision about one, and its id."""
    if server:
        told = client.get(f'/v1/servers/{server}/explanation')['explanation']
        return told, told['decision_id']
    found = listed(client, 1, request=request)
    if not found:
        raise NovaExtError(f'there is no decision about request {request}')
    number = found[0]['id']
    told = client.get(f'/v1/decisions/{number}')['decision']
    return told['explanation'], number
