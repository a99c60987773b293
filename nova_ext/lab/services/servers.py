"""Boot, find and remove servers in a lab."""

import time
from collections.abc import Mapping
from typing import Any

from nova_ext.lab.services.cloud import LabUser
from nova_ext.lab.state.errors import LabError

#: Seconds for a boot, one of many at once. With Nova 31 or 33 and a broker
#: each takes two seconds of the computes' time: oslo.messaging before 18.2
#: looks for the answer to a call twice a second.
DEADLINE_S = 180.0
_PAUSE_S = 0.1

#: The default flavor's id, and the default image's name.
FLAVOR = '1'
IMAGE = 'cirros'


def boot(
    cloud: LabUser, name: str, hints: Mapping[str, Any] | None = None,
    flavor: str = FLAVOR, image: str = IMAGE,
) -> dict[str, Any]:
    """Boot a server and wait until it is ACTIVE or in ERROR.

    :param hints: scheduler hints.
    :param flavor: the flavor's id.
    :param image: the image's name.
    :returns: the server.
    """
    body: dict[str, Any] = {'server': {
        'name': name, 'flavorRef': flavor,
        'imageRef': find_image(cloud, image)['id'], 'networks': 'none',
    }}
    if hints:
        body['os:scheduler_hints'] = dict(hints)
    server = cloud.compute.post('/servers', json=body).json()['server']
    return wait_until_built(cloud, server['id'])


def find_image(cloud: LabUser, name: str) -> dict[str, Any]:
    """Return an image, as Glance shows it.

    :raises LabError: when there is no image of the name.
    """
    images = cloud.get('image', f'/v2/images?name={name}')['images']
    if not images:
        raise LabError(
            f'no image {name}; a lab uploads its own when it starts: stop it '
            'and start it again'
        )
    image: dict[str, Any] = images[0]
    return image


def wait_until_built(cloud: LabUser, server_id: str) -> dict[str, Any]:
    """Wait until a server is ACTIVE or in ERROR.

    :raises LabError: when the deadline passes.
    """
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        server: dict[str, Any] = cloud.get(
            'compute', f'/servers/{server_id}'
        )['server']
        # Nova says why only after it has set the state ERROR.
        if server['status'] == 'ACTIVE' or 'fault' in server:
            return server
        time.sleep(_PAUSE_S)
    raise LabError(
        f'server {server_id} is still {server["status"]} after '
        f'{DEADLINE_S:.0f} s; the scheduler\'s log may say why'
    )


def find(cloud: LabUser, name: str) -> list[dict[str, Any]]:
    """Return the servers of exactly this name, of all projects."""
    answer = cloud.get('compute', f'/servers?all_tenants=1&name=^{name}$')
    servers: list[dict[str, Any]] = answer['servers']
    return servers


def remove(cloud: LabUser, name: str) -> None:
    """Delete all servers of a name and wait until they are gone."""
    for server in find(cloud, name):
        cloud.compute.delete(f'/servers/{server["id"]}')
    deadline = time.monotonic() + DEADLINE_S
    while find(cloud, name) and time.monotonic() < deadline:
        time.sleep(_PAUSE_S)
