"""Make plain values of Nova's objects, and mask secrets in them."""

import datetime
import json
from collections.abc import Iterator, Mapping
from typing import Any

import netaddr

from nova_ext.core.request import masking
from nova_ext.journal.model import UNKNOWN


def to_plain(value: Any) -> Any:
    """Return a value as plain values; UNKNOWN for what has none.

    A versioned object becomes its primitive.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, netaddr.IPAddress | netaddr.IPNetwork):
        return str(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if hasattr(value, 'obj_to_primitive'):
        return value.obj_to_primitive()
    if isinstance(value, Mapping):
        return {str(name): to_plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(each) for each in value]
    return UNKNOWN


def is_known(value: Any) -> bool:
    """Say whether a plain value has no part that is not known."""
    if value is UNKNOWN:
        return False
    if isinstance(value, Mapping):
        return all(map(is_known, value.values()))
    return not isinstance(value, list) or all(map(is_known, value))


def topology_to_plain(topology: Any) -> Any:
    """Return a host's topology as a primitive.

    :param topology: a NUMATopology, or its text in Nova's database.
    """
    if isinstance(topology, str):
        return json.loads(topology)
    return to_plain(topology)


def mask_spec(spec: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Mask the secrets of a request spec's primitive.

    :returns: the masked one, and where it differs: hints' names after
        ``hints.``, and other places.
    """
    masked = masking.mask_passwords(spec)
    return masked, [
        path.replace('nova_object.data.', '').replace(
            'scheduler_hints.', 'hints.'
        )
        for path in dict.fromkeys(_find_differences(spec, masked, ''))
    ]


def _find_differences(value: Any, masked: Any, path: str) -> Iterator[str]:
    if isinstance(value, Mapping) and isinstance(masked, Mapping):
        for name, each in value.items():
            yield from _find_differences(
                each, masked.get(name), f'{path}.{name}' if path else name
            )
    elif isinstance(value, list | tuple) and isinstance(masked, list | tuple):
        for each, other in zip(value, masked, strict=True):
            yield from _find_differences(each, other, path)
    elif value != masked:
        yield path
