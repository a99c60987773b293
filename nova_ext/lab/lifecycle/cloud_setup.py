"""Prepare a cloud that has started: its computes, images and zones."""

import time

from keystoneauth1 import exceptions

from nova_ext.core.base.progress import Progress
from nova_ext.lab.services.cloud import LabUser
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import LabHost

IMAGES = ('cirros', 'cirros-alt')
_IMAGE_BYTES = 512
_PATIENCE_S = 60
_POLL_S = 0.2


def upload_images(cloud: LabUser) -> None:
    """Upload the stand-ins for images that are missing."""
    for name in IMAGES:
        # Of all images Glance would list 25.
        known = cloud.get('image', f'/v2/images?name={name}')['images']
        image = known[0] if known else cloud.image.post('/v2/images', json={
            'name': name, 'visibility': 'public',
            'container_format': 'bare', 'disk_format': 'raw',
        }).json()
        if image['status'] == 'queued':
            cloud.image.put(
                f'/v2/images/{image["id"]}/file',
                data=name.encode().ljust(_IMAGE_BYTES, b'\0'),
                headers={'Content-Type': 'application/octet-stream'},
            )


def wait_for_hosts(
    cloud: LabUser, hosts: list[LabHost], progress: Progress
) -> None:
    """Wait until every compute is up and Placement offers it.

    One that was forced down stays down, as an administrator wants it.

    :raises LabError: when that takes too long.
    """
    names = {host.name for host in hosts}
    deadline = time.monotonic() + _PATIENCE_S
    while problem := _find_problem(cloud, names):
        progress.detail(problem)
        if time.monotonic() > deadline:
            raise LabError(f'the cloud does not serve: {problem}')
        time.sleep(_POLL_S)


def _find_problem(cloud: LabUser, names: set[str]) -> str:
    """Return what is missing, as a clause; empty when all is there."""
    try:
        services = cloud.get('compute', '/os-services?binary=nova-compute')
        # Nova sets the trait after the inventory.
        providers = cloud.get(
            'placement', '/resource_providers?required=COMPUTE_NODE'
        )
    except exceptions.ClientException as error:
        return ' '.join(str(error).split())
    down = names - {
        service['host'] for service in services['services']
        if service['state'] == 'up' or service['forced_down']
    }
    if down:
        return f'{len(down)} computes are not up, such as {min(down)}'
    absent = names - {
        provider['name'] for provider in providers['resource_providers']
    }
    if absent:
        return f'Placement lacks {len(absent)} computes, such as {min(absent)}'
    return ''


def add_zones(cloud: LabUser, hosts: list[LabHost]) -> None:
    """Put hosts into the availability zones that they name."""
    members: dict[str, list[str]] = {}
    for host in hosts:
        if host.az is not None:
            members.setdefault(host.az, []).append(host.name)
    if not members:
        return
    existing = {
        aggregate['name']: aggregate
        for aggregate in cloud.get('compute', '/os-aggregates')['aggregates']
    }
    for zone, names in members.items():
        name = f'az-{zone}'
        aggregate = existing.get(name)
        if aggregate is None:
            aggregate = cloud.compute.post('/os-aggregates', json={
                'aggregate': {'name': name, 'availability_zone': zone},
            }).json()['aggregate']
        for member in set(names) - set(aggregate.get('hosts', [])):
            cloud.compute.post(
                f'/os-aggregates/{aggregate["id"]}/action',
                json={'add_host': {'host': member}},
            )
