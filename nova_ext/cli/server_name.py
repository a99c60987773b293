"""From what a user calls a server to its UUID."""

import logging
import re
import uuid
from collections.abc import Callable
from typing import Any

from nova_ext.cli import server_state
from nova_ext.core.base.errors import NovaExtError

_REQUEST = re.compile(r'req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')


def identify(
    text: str, connect: Callable[[], Any] = server_state.compute
) -> str:
    """A server's UUID or a request id.

    :param text: either of them, or the name of a server, which is looked up
        in the cloud.
    :param connect: gives the compute API; by default that of the cloud of
        the environment (OS_CLOUD and its like).
    :raises NovaExtError: when no server, or several, bear the name, or it
        can't be looked up.
    """
    if _REQUEST.fullmatch(text):
        return text
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return _look_up(text, connect)


def _look_up(name: str, connect: Callable[[], Any]) -> str:
    # The warnings of these say what the error says again.
    logging.getLogger('keystoneauth').setLevel(logging.ERROR)
    try:
        ids = _servers(name, connect())
    except Exception as error:
        reason = ' '.join(str(error).split()) or type(error).__name__
        raise NovaExtError(
            f'{name} is no server UUID and no request id, and can\'t be '
            f'looked up as a server\'s name: {reason}; give the id, or set '
            f'OS_CLOUD'
        ) from error
    if not ids:
        raise NovaExtError(
            f'there is no server {name}; one that was deleted is found by its '
            f'UUID alone'
        )
    if len(ids) > 1:
        raise NovaExtError(
            f'{len(ids)} servers are named {name}, give the id of one: '
            f'{", ".join(sorted(ids))}'
        )
    return ids[0]


def _servers(name: str, compute: Any) -> list[str]:
    from openstack import exceptions

    # Nova takes a regular expression.
    wanted = {'name': f'^{re.escape(name)}$', 'details': False}
    try:
        servers = list(compute.servers(all_projects=True, **wanted))
    except exceptions.ForbiddenException:
        servers = list(compute.servers(**wanted))
    return [server.id for server in servers if server.name == name]
