"""Build a boot request from the options of server create."""

import argparse
from collections.abc import Mapping
from typing import Any

from nova_ext.cli import root_disk
from nova_ext.core.base.errors import NovaExtError

#: From 2.61 on a flavor is shown with its extra specs.
_MICROVERSION = '2.61'

#: Values of --nic and --network that name no network.
NO_NETWORKS = ('none', 'auto')

#: Fields of every image in Glance; all else of it is properties.
_IMAGE = (
    'id', 'name', 'status', 'disk_format', 'container_format', 'min_ram',
    'min_disk', 'size',
)
_NO_PROPERTIES = frozenset({
    *_IMAGE, 'checksum', 'created_at', 'direct_url', 'file', 'locations',
    'os_hash_algo', 'os_hash_value', 'os_hidden', 'owner', 'protected',
    'schema', 'self', 'stores', 'tags', 'updated_at', 'virtual_size',
    'visibility',
    # Block devices as JSON; nova-api reads them, and no filter does.
    'block_device_mapping', 'mappings',
})


def build_request(
    cloud: Any, options: argparse.Namespace
) -> tuple[dict[str, Any], list[str]]:
    """Return what a boot would request; names are looked up as the user.

    :param cloud: a connection of openstacksdk.
    :param options: of :mod:`nova_ext.cli.server_create`, parsed.
    :returns: the fields of a BootRequest that are not empty; and notes on
        what was not looked up, or could not be.
    :raises NovaExtError: for what ``server create`` refuses before it sends
        a request.
    """
    _check_number(options)
    flavor = get_flavor(cloud.compute, options.flavor)
    image = get_image(cloud, options)
    volume_image, volume_notes = _get_volume_image(cloud, options)
    request = {
        'flavor': convert_flavor(flavor),
        'image': convert_image(image) or volume_image,
        'boot_from_volume': root_disk.is_volume(options, image),
        'availability_zone': options.availability_zone,
        'host': options.host,
        'hypervisor_hostname': options.hypervisor_hostname,
        'hints': _build_hints(cloud.compute, options),
    }
    flavor_notes = [] if 'extra_specs' in flavor else [
        f'extra specs of flavor {options.flavor} could not be read, and were '
        'left out: the cloud does not show them to this user'
    ]
    return {name: value for name, value in request.items() if value}, [
        *flavor_notes, *volume_notes, *_note_networks(options)
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


def _note_networks(options: argparse.Namespace) -> list[str]:
    """Note that networks were not looked up; Nova reads their ports."""
    has_network = any(
        value not in NO_NETWORKS
        for values in (options.port, options.nic, options.network)
        for value in values or ()
    )
    return [
        'ports and networks were not looked up: what a port requests of its '
        'host, such as bandwidth or a PCI device, was left out'
    ] if has_network else []


def _check_number(options: argparse.Namespace) -> None:
    """Refuse the numbers of servers that server create refuses."""
    if options.min > options.max:
        raise NovaExtError('min instances should be <= max instances')
    if options.min < 1:
        raise NovaExtError('min instances should be > 0')


def get_flavor(compute: Any, name: str) -> dict[str, Any]:
    """Return the flavor as Nova's API shows it."""
    flavor_id = compute.find_flavor(name, ignore_missing=False).id
    response = compute.get(
        f'/flavors/{flavor_id}', microversion=_MICROVERSION
    )
    response.raise_for_status()
    flavor: dict[str, Any] = response.json()['flavor']
    return flavor


def convert_flavor(flavor: dict[str, Any]) -> dict[str, Any]:
    """Return a flavor of Nova's API as a BootFlavor names its fields."""
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


def get_image(cloud: Any, options: argparse.Namespace) -> dict[str, Any]:
    """Return the image as Glance shows it; empty: none."""
    if options.image_properties:
        image_id = _find_image(cloud.image, options.image_properties)
    elif name := options.image or root_disk.get_image_id(options):
        image_id = cloud.image.find_image(name, ignore_missing=False).id
    else:
        return {}
    response = cloud.image.get(f'/images/{image_id}')
    response.raise_for_status()
    image: dict[str, Any] = response.json()
    return image


def _find_image(images: Any, properties: dict[str, str]) -> str:
    """Return the first image with these properties, as server create does."""
    for image in images.images():
        known = {**image.to_dict(), **(image.properties or {})}
        if properties.items() <= known.items():
            return str(image.id)
    raise NovaExtError(f'no image has the properties {properties}')


def _get_volume_image(
    cloud: Any, options: argparse.Namespace
) -> tuple[dict[str, Any], list[str]]:
    """Return the image of the volume, and a note if it is not looked up."""
    volume = root_disk.get_volume(options)
    if volume is None:
        return {}, []
    if not cloud.has_service('block-storage'):
        kind, name = volume
        return {}, [
            f'{kind} {name} was not looked up, as the cloud has no block '
            'storage: what its image requests was left out'
        ]
    return root_disk.read_volume_image(cloud.block_storage, *volume), []


def join_hints(hints: Mapping[str, list[str]] | None) -> dict[str, Any]:
    """Return hints as Nova takes them: one value is no list."""
    return {
        name: values[0] if len(values) == 1 else values
        for name, values in (hints or {}).items()
    }


def _build_hints(compute: Any, options: argparse.Namespace) -> dict[str, Any]:
    hints = join_hints(options.hints)
    if options.server_group:
        hints['group'] = compute.find_server_group(
            options.server_group, ignore_missing=False
        ).id
    return hints
