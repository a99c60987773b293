"""Find a server by its name, and read what happened to it."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from nova_ext.cli import cloud
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation import server_history
from nova_ext.core.explanation.server_history import History

#: Give openstacksdk's connection to a block.
Connect = Callable[[], AbstractContextManager[Any]]

_UUID = r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
_REQUEST = re.compile(f'req-{_UUID}')

#: Nova shows an event's host from 2.62 on and its details from 2.84 on.
_MICROVERSION = '2.84'
#: It shows hints of a server from 2.100 on, in the releases that are
#: supported.
_SERVER_MICROVERSION = '2.100'


def identify(text: str, connect: Connect = cloud.connect) -> str:
    """Return the UUID of a server, or the ID of a request.

    :param text: either of them, or the name of a server, which is looked up
        in the cloud.
    :raises NovaExtError: when no server, or several, have the name, or it
        can't be looked up.
    """
    if _REQUEST.fullmatch(text):
        return text
    if re.fullmatch(_UUID, text.lower()):
        return text.lower()
    return _look_up(text, connect)


def is_server(identified: str) -> bool:
    """Say whether what :func:`identify` returned is a server's UUID."""
    return not _REQUEST.fullmatch(identified)


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


def read_history(
    wanted: str, connect: Connect = cloud.connect
) -> tuple[History | None, list[str]]:
    """Read what Nova's API shows of a server, as its user.

    :param wanted: a server's UUID, or the ID of a request.
    :returns: the history, None where it is not known; and a line that says
        why. A request has none.
    """
    if _REQUEST.fullmatch(wanted):
        return None, []
    try:
        with connect() as connection:
            return _read_history(connection.compute, wanted), []
    except Exception as error:
        return None, [
            f'what became of the server is not known: {cloud.describe(error)}'
        ]


def _read_history(compute: Any, server: str) -> History:
    actions = _get(compute, f'/servers/{server}/os-instance-actions')
    listed: list[dict[str, Any]] = []
    if actions.status_code != 403:  # a policy may keep users from them
        actions.raise_for_status()
        listed = actions.json()['instanceActions']
    newest = server_history.find_newest(listed)
    if newest is not None:
        action = _get(
            compute, f'/servers/{server}/os-instance-actions/'
            f'{newest["request_id"]}',
        )
        action.raise_for_status()
        newest = action.json()['instanceAction']
    shown = _get(compute, f'/servers/{server}', _SERVER_MICROVERSION)
    if shown.status_code == 406:
        shown = _get(compute, f'/servers/{server}')
    if shown.status_code == 404:  # Nova shows the actions of deleted ones.
        return History({}, listed, newest)
    shown.raise_for_status()
    return History(shown.json()['server'], listed, newest)


def _get(
    compute: Any, path: str, microversion: str = _MICROVERSION
) -> Any:
    return compute.get(path, microversion=microversion)
