"""Asking the API for recorded decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nova_ext.cli import server_name
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation import serialized

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


@dataclass
class Listing:
    """Decisions, the newest first.

    :param matches: how many match; 0 where they are about anything.
    :param notes: what else one should know.
    """

    decisions: list[Mapping[str, Any]] = field(default_factory=list)
    matches: int = 0
    notes: Sequence[str] = ()


def listed(client: Any, limit: int = PAGE, **wanted: Any) -> Listing:
    """Ask for decisions.

    :param wanted: what behind the path asks for.
    """
    found: list[Mapping[str, Any]] = []
    while True:
        answer = client.get(
            '/v1/decisions', limit=min(PAGE, limit - len(found)), **wanted
        )
        found += answer['decisions']
        if 'decisions_links' not in answer or len(found) >= limit:
            return Listing(
                found, answer.get('matches', 0), answer.get('notes', ())
            )
        wanted['marker'] = found[-1]['id']


def newest(
    client: Any, *, server: str = '', request: str = ''
) -> tuple[Mapping[str, Any], int]:
    """The explanation of the newest decision about one, and its id."""
    if server:
        told = client.get(f'/v1/servers/{server}/explanation')['explanation']
        return told, told['decision_id']
    found = listed(client, 1, request=request)
    if not found.decisions:
        raise NovaExtError('; '.join([
            f'there is no decision about request {request}', *found.notes
        ]))
    number = found.decisions[0]['id']
    told = client.get(f'/v1/decisions/{number}')['decision']['explanation']
    older = found.matches - 1
    notes = [*told['notes'], *serialized.listed_by_all(older), *found.notes]
    return {**told, 'older': older, 'notes': notes}, number
