"""What the cloud tells of a server: its state and one of its actions."""

import logging
import os
from typing import Any

#: Nova shows an event's host from 2.62 on and its details from 2.84 on.
MICROVERSION = '2.84'

#: Either says that the environment names a cloud.
CLOUD = ('OS_CLOUD', 'OS_AUTH_URL')


def is_reachable() -> bool:
    """Whether the environment names a cloud to ask."""
    return any(os.environ.get(name) for name in CLOUD)


def look_up(
    server: str, request_id: str
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """A server, and its action of one request.

    :param server: UUID.
    :returns: both as Nova's API shows them; None: it has no such action.
    :raises Exception: of many kinds, when the cloud does not tell.
    """
    # Takes two seconds to import.
    import openstack

    logging.getLogger('keystoneauth').setLevel(logging.ERROR)
    compute: Any = openstack.connect().compute
    found = compute.get(f'/servers/{server}', microversion=MICROVERSION)
    found.raise_for_status()
    action = compute.get(
        f'/servers/{server}/os-instance-actions/{request_id}',
        microversion=MICROVERSION,
    )
    if action.status_code == 404:
        return found.json()['server'], None
    action.raise_for_status()
    return found.json()['server'], action.json()['instanceAction']
