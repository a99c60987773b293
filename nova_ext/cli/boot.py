"""From the options of server create to what the scheduler is asked."""

import argparse
from typing import Any

from nova_ext.cli import root_disk, volume_image
from nova_ext.core.base.errors import NovaExtError

#: From 2.61 on a flavor is shown with its extra specs.
_MICROVERSION = '2.61'

#: What names no network to --nic and --network.
_NO_NETWORKS = ('none', 'auto')

#: What Glance keeps of every image; all else of it is properties.
_IMAGE = (
    'id', 'name', 'status', 'disk_format', 'container_format', 'min_ram',
    'min_disk', 'size',
)
_NO_PROPERTIES = frozenset({
    *_IMAGE, 'checksum', 'created_at', 'direct_url', 'file', 'locations',
    'os_hash_algo', 'os_hash_value', 'os_hidden', 'owner', 'protected',
    'schema', 'self', 'stores', 'tags', 'updated_at', 'virtual_size',
    'visibility',
    # Disks, written as JSON; nova-api reads them, and no filter does.
    'block_device_mapping', 'mappings',
})


def request(
    cloud: Any, given: argparse.Namespace
) -> tuple[dict[str, Any], list[str]]:
    """What a boot would ask for; names are looked up as the user.

    :param cloud: a connection of openstacksdk.
    :param given: as :mod:`nova_ext.cli.server_create` has them parsed.
    :returns: fields of a BootRequest, those that are given; and what could
        not be looked up, or was not.
    :raises NovaExtError: for what ``server create`` refuses before it asks.
    """
    _check_number(given)
    flavor = _flavor(cloud.compute, given.flavor)
    image = _image(cloud, given)
    of_volume, passed_over = _of_volume(cloud, given)
    made = {
        'flavor': _size(flavor),
        'image': convert_image(image) or of_volume,
        'boot_from_volume': root_disk.is_volume(given, image),
        'availability_zone': given.availability_zone,
        'host': given.host,
        'hypervisor_hostname': given.hypervisor_hostname,
        'hints': _hints(cloud.compute, given),
    }
    notes = [] if 'extra_specs' in flavor else [
        f'extra specs of flavor {given.flavor} could not be read, and were '
        'not asked for: the cloud does not show them to this user'
    ]
    return {name: value for name, value in made.items() if value}, [
        *notes, *passed_over, *_passed_over(given)
    ]


def convert_image(image: dict[str, Any]) -> dict[str, Any]:
    """Return what Nova keeps of an image that Glance shows.

    :param image: empty: there is none.
    """
    return image and {
        **{name: image[name] for name in _IMAGE if name in image},
        'properties': {
            name: value for name, value in image.items()
            if name not in _NO_PROPERTIES and isinstance(value, str)
        },
    }


def _passed_over(given: argparse.Namespace) -> list[str]:
    """That networks may ask for something: Nova reads it off their ports."""
    named = any(
        value not in _NO_NETWORKS
        for values in (given.port, given.nic, given.network)
        for value in values or ()
    )
    return [
        'ports and networks were not looked at: what a port asks of its '
        'host, such as bandwidth or a PCI device, was not asked for'
    ] if named else []


def _check_number(given: argparse.Namespace) -> None:
    """Refuse the numbers of servers that server create does, as it does."""
    if given.min > given.max:
        raise NovaExtError('min instances should be <= max instances')
    if given.min < 1:
        raise NovaExtError('min instances should be > 0')


def _flavor(compute: Any, name: str) -> dict[str, Any]:
    """The flavor, as Nova's API shows it."""
    number = compute.find_flavor(name, ignore_missing=False).id
    response = compute.get(f'/flavors/{number}', microversion=_MICROVERSION)
    response.raise_for_status()
    flavor: dict[str, Any] = response.json()['flavor']
    return flavor


def _size(flavor: dict[str, Any]) -> dict[str, Any]:
    """A flavor of Nova's API, as a BootFlavor names its parts."""
    return {
        'vcpus': flavor['vcpus'], 'memory_mb': flavor['ram'],
        'root_gb': flavor['disk'],
        'ephemeral_gb': flavor['OS-FLV-EXT-DATA:ephemeral'],
        # Nova writes no swap as an empty text.
        'swap': flavor['swap'] or 0,
        'name': flavor['name'], 'flavorid': flavor['id'],
        # Who may see a flavor may not see these, by policy.
        'extra_specs': flavor.get('extra_specs', {}),
    }


def _image(cloud: Any, given: argparse.Namespace) -> dict[str, Any]:
    """The image, as Glance shows it; empty: none."""
    if given.image_properties:
        number = _one_with(cloud.image, given.image_properties)
    elif named := given.image or root_disk.image(given):
        number = cloud.image.find_image(named, ignore_missing=False).id
    else:
        return {}
    response = cloud.image.get(f'/images/{number}')
    response.raise_for_status()
    shown: dict[str, Any] = response.json()
    return shown


def _of_volume(
    cloud: Any, given: argparse.Namespace
) -> tuple[dict[str, Any], list[str]]:
    """What Nova keeps of a volume's image, and what was not looked up."""
    booted = root_disk.volume(given)
    if booted is None:
        return {}, []
    if not cloud.has_service('block-storage'):
        kind, name = booted
        return {}, [
            f'{kind} {name} was not looked up, as the cloud has no block '
            'storage: what its image asks for was not asked for'
        ]
    return volume_image.of(cloud.block_storage, *booted), []


def _one_with(images: Any, wanted: dict[str, str]) -> str:
    """The first image with these properties, as server create takes it."""
    for image in images.images():
        known = {**image.to_dict(), **(image.properties or {})}
        if wanted.items() <= known.items():
            return str(image.id)
    raise NovaExtError(f'no image has the properties {wanted}')


def _hints(compute: Any, given: argparse.Namespace) -> dict[str, Any]:
    hints = {
        name: values[0] if len(values) == 1 else values
        for name, values in (given.hints or {}).items()
    }
    if given.server_group:
        hints['group'] = compute.find_server_group(
            given.server_group, ignore_missing=False
        ).id
    return hints
