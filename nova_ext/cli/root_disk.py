"""Which disk a server would boot from, told as nova-api tells it."""

import argparse
import json
from collections.abc import Mapping
from typing import Any

from nova_ext.core.base.errors import NovaExtError

_Device = Mapping[str, Any]

#: What else than an image may be the source of a disk.
_VOLUMES = ('volume', 'snapshot')


def image(given: argparse.Namespace) -> str | None:
    """The image that ``--block-device`` has the server boot from.

    :param given: as :mod:`nova_ext.cli.server_create` has it parsed.
    :returns: its id; None where it is no image.
    """
    device = _of_options(given)
    return device.get('uuid') if device.get('source_type') == 'image' else None


def volume(given: argparse.Namespace) -> tuple[str, str] | None:
    """The volume, or the snapshot of one, that the server boots from.

    :returns: ``volume`` or ``snapshot``, and its name or id; None where it is
        none that is there already.
    """
    for kind in _VOLUMES:
        if named := getattr(given, kind):
            return kind, named
    device = {} if given.image or given.image_properties else (
        _of_options(given)
    )
    kind = device.get('source_type', '')
    return (kind, device.get('uuid', '')) if kind in _VOLUMES else None


def is_volume(given: argparse.Namespace, shown: Mapping[str, Any]) -> bool:
    """Whether it is a volume, which takes no room on a host.

    :param shown: the image, as Glance shows it; empty: none.
    """
    if given.boot_from_volume or given.volume or given.snapshot:
        return True
    # An image of a volume-backed server brings the root disk of its own.
    device = _of_image(shown)
    if not device and not given.image and not given.image_properties:
        device = _of_options(given)
    kind = device.get('destination_type') or (
        'local' if device.get('source_type', 'blank') == 'blank' else 'volume'
    )
    return bool(kind == 'volume')


def _of_options(given: argparse.Namespace) -> _Device:
    for device in given.block_devices or ():
        try:
            index = int(device.get('boot_index', -1))
        except (TypeError, ValueError):
            raise NovaExtError(
                'The boot_index key of --block-device should be an integer'
            ) from None
        if index == 0:
            return dict(device)
    return {}


def _of_image(shown: Mapping[str, Any]) -> _Device:
    try:
        devices = json.loads(shown.get('block_device_mapping', '[]'))
    except ValueError:
        return {}
    for device in devices if isinstance(devices, list) else ():
        if isinstance(device, dict) and device.get('boot_index') == 0:
            return device
    return {}
