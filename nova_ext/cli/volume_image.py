"""The image of which a volume was made, as Cinder keeps it with the volume."""

from collections.abc import Mapping
from typing import Any

#: What Cinder keeps of the image itself; all else are properties.
#: Nova leaves these out (nova.block_device.get_image_metadata_from_volume).
_OF_THE_IMAGE = frozenset({
    'image_id', 'image_name', 'size', 'checksum', 'container_format',
    'disk_format', 'min_ram', 'min_disk',
})
_GIB = 1024 ** 3


def of(volumes: Any, kind: str, name: str) -> dict[str, Any]:
    """What Nova keeps of the image; names are looked up as the user.

    :param volumes: the block storage of openstacksdk's connection.
    :param kind: ``volume`` or ``snapshot``, which has its volume's image.
    :param name: the volume's or snapshot's, or its id.
    """
    if kind == 'snapshot':
        name = volumes.find_snapshot(name, ignore_missing=False).volume_id
    number = volumes.find_volume(name, ignore_missing=False).id
    response = volumes.get(f'/volumes/{number}')
    response.raise_for_status()
    return _kept(response.json()['volume'])


def _kept(volume: Mapping[str, Any]) -> dict[str, Any]:
    made = volume.get('volume_image_metadata') or {}
    return {
        'status': 'active', 'size': volume['size'] * _GIB,
        'min_ram': int(made.get('min_ram') or 0),
        'min_disk': int(made.get('min_disk') or 0),
        'properties': {
            name: value for name, value in made.items()
            if name not in _OF_THE_IMAGE
        },
    }
