"""Find a server by its name, and say what became of it."""

import re
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from nova_ext.cli import cloud
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import server_outcome

#: Give openstacksdk's connection to a block.
Connect = Callable[[], AbstractContextManager[Any]]

_REQUEST = re.compile(r'req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')

#: Nova shows an event's host from 2.62 on and its details from 2.84 on.
_MICROVERSION = '2.84'


def identify(text: str, connect: Connect = cloud.connect) -> str:
    """Return the UUID of a server, or the ID of a request.

    :param text: either of them, or the name of a server, which is looked up
        in the cloud.
    :raises NovaExtError: when no server, or several, have the name, or it
        can't be looked up.
    """
    if _REQUEST.fullmatch(text):
        return text
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return _look_up(text, connect)


def _look_up(name: str, connect: Connect) -> str:
    try:
        with connect() as connection:
            ids = _list_ids(name, connection.compute)
    except Exception as error:
        raise NovaExtError(
            f'{name} is no server UUID and no request ID, and can\'t be '
            f'looked up as a server\'s name: {cloud.describe(error)}'
        ) from error
    if not ids:
        raise NovaExtError(
            f'there is no server {name}; one that was deleted is found by its '
            f'UUID alone'
        )
    if len(ids) > 1:
        raise NovaExtError(
            f'{len(ids)} servers are named {name}, give the ID of one: '
            f'{", ".join(sorted(ids))}'
        )
    return ids[0]


def _list_ids(name: str, compute: Any) -> list[str]:
    from openstack import exceptions

    # Nova takes a regular expression.
    query = {'name': f'^{re.escape(name)}$', 'details': False}
    try:
        servers = list(compute.servers(all_projects=True, **query))
    except exceptions.ForbiddenException:
        servers = list(compute.servers(**query))
    return [server.id for server in servers if server.name == name]


def describe_outcome(
    decision: Decision, server: str, connect: Connect = cloud.connect
) -> list[str]:
    """Say what became of a server after a decision.

    :param server: UUID.
    :returns: lines; one line where the cloud does not answer, none where
        the decision is not about the server.
    """
    if server not in decision.servers:
        return []
    try:
        with connect() as connection:
            return server_outcome.describe_outcome(decision, *_get_action(
                connection.compute, server, decision.request_id
            ))
    except Exception as error:
        return [
            f'what became of the server is not known: {cloud.describe(error)}'
        ]


def _get_action(
    compute: Any, server: str, request_id: str
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return a server and its action of one request, as Nova shows them.

    :returns: None in place of the action where there is none.
    """
    shown = compute.get(f'/servers/{server}', microversion=_MICROVERSION)
    shown.raise_for_status()
    action = compute.get(
        f'/servers/{server}/os-instance-actions/{request_id}',
        microversion=_MICROVERSION,
    )
    if action.status_code == 404:
        return shown.json()['server'], None
    action.raise_for_status()
    return shown.json()['server'], action.json()['instanceAction']
