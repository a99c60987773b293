"""Find the disk that a server would boot from, as nova-api does."""

import argparse
import json
from collections.abc import Mapping
from typing import Any

from nova_ext.core.base.errors import NovaExtError

#: Sources of a root disk, besides images.
_VOLUMES = ('volume', 'snapshot')

#: What Cinder copies of the image itself; all else are its properties.
#: Nova leaves these out (nova.block_device.get_image_metadata_from_volume).
_NO_PROPERTIES = frozenset({
    'image_id', 'image_name', 'size', 'checksum', 'container_format',
    'disk_format', 'min_ram', 'min_disk',
})
_GIB = 1024 ** 3


def get_image_id(options: argparse.Namespace) -> str | None:
    """Return the image that ``--block-device`` names as the root disk.

    :param options: of :mod:`nova_ext.cli.server_create`, parsed.
    """
    device = _get_device(options)
    return device.get('uuid') if device.get('source_type') == 'image' else None


def get_volume(options: argparse.Namespace) -> tuple[str, str] | None:
    """Return the volume, or its snapshot, that the server boots from.

    :returns: ``volume`` or ``snapshot``, and its name or ID; None where none
        is named.
    """
    for kind in _VOLUMES:
        if named := getattr(options, kind):
            return kind, named
    device = {} if options.image or options.image_properties else (
        _get_device(options)
    )
    kind = device.get('source_type', '')
    return (kind, device.get('uuid', '')) if kind in _VOLUMES else None


def is_volume(options: argparse.Namespace, image: Mapping[str, Any]) -> bool:
    """Say whether the root disk is a volume, which is on no host's disk.

    :param image: as Glance shows it; empty: none.
    """
    if options.boot_from_volume or options.volume or options.snapshot:
        return True
    # The image of a volume-backed server has block devices of its own.
    device = _get_device_of_image(image)
    if not device and not options.image and not options.image_properties:
        device = _get_device(options)
    kind = device.get('destination_type') or (
        'local' if device.get('source_type', 'blank') == 'blank' else 'volume'
    )
    return bool(kind == 'volume')


def read_volume_image(volumes: Any, kind: str, name: str) -> dict[str, Any]:
    """Return the image of a volume, as Nova's request spec has it.

    :param volumes: the block storage of openstacksdk's connection.
    :param kind: ``volume`` or ``snapshot``, which has its volume's image.
    :param name: name or ID, looked up as the user.
    """
    if kind == 'snapshot':
        name = volumes.find_snapshot(name, ignore_missing=False).volume_id
    volume_id = volumes.find_volume(name, ignore_missing=False).id
    response = volumes.get(f'/volumes/{volume_id}')
    response.raise_for_status()
    volume = response.json()['volume']
    metadata = volume.get('volume_image_metadata') or {}
    return {
        'status': 'active', 'size': volume['size'] * _GIB,
        'min_ram': int(metadata.get('min_ram') or 0),
        'min_disk': int(metadata.get('min_disk') or 0),
        'properties': {
            name: value for name, value in metadata.items()
            if name not in _NO_PROPERTIES
        },
    }


def _get_device(options: argparse.Namespace) -> Mapping[str, Any]:
    for device in options.block_devices or ():
        try:
            index = int(device.get('boot_index', -1))
        except (TypeError, ValueError):
            raise NovaExtError(
                'The boot_index key of --block-device should be an integer'
            ) from None
        if index == 0:
            return dict(device)
    return {}


def _get_device_of_image(image: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        devices = json.loads(image.get('block_device_mapping', '[]'))
    except ValueError:
        return {}
    for device in devices if isinstance(devices, list) else ():
        if isinstance(device, dict) and device.get('boot_index') == 0:
            return device
    return {}
