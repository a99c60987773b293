"""What a lab holds beside flavors and accounts."""

from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state.hosts import Host

IMAGES = ('cirros', 'cirros-alt')
_IMAGE_BYTES = 512


def images(cloud: Cloud) -> None:
    """Upload the stand-ins for images that are not there yet."""
    there = {
        image['name']: image
        for image in cloud.get('image', '/v2/images')['images']
    }
    for name in IMAGES:
        image = there.get(name)
        if image is None:
            image = cloud.image.post('/v2/images', json={
                'name': name, 'visibility': 'public',
                'container_format': 'bare', 'disk_format': 'raw',
            }).json()
        if image['status'] == 'queued':
            cloud.image.put(
                f'/v2/images/{image["id"]}/file',
                data=name.encode().ljust(_IMAGE_BYTES, b'\0'),
                headers={'Content-Type': 'application/octet-stream'},
            )


def zones(cloud: Cloud, hosts: list[Host]) -> None:
    """Put hosts into the availability zones that they name."""
    wanted: dict[str, list[str]] = {}
    for host in hosts:
        if host.az is not None:
            wanted.setdefault(host.az, []).append(host.name)
    if not wanted:
        return
    there = {
        aggregate['name']: aggregate
        for aggregate in cloud.get('compute', '/os-aggregates')['aggregates']
    }
    for zone, names in wanted.items():
        name = f'az-{zone}'
        aggregate = there.get(name)
        if aggregate is None:
            aggregate = cloud.compute.post('/os-aggregates', json={
                'aggregate': {'name': name, 'availability_zone': zone},
            }).json()['aggregate']
        for member in set(names) - set(aggregate.get('hosts', [])):
            cloud.compute.post(
                f'/os-aggregates/{aggregate["id"]}/action',
                json={'add_host': {'host': member}},
            )
