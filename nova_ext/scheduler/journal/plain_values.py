"""Make plain values of Nova's objects, and mask secrets in them."""

import datetime
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgpack
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
        return to_primitive(value)
    if isinstance(value, Mapping):
        return {str(name): to_plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(each) for each in value]
    return UNKNOWN


def to_primitive(value: Any) -> dict[str, Any]:
    """Return a versioned object's primitive, without what was changed."""
    primitive: dict[str, Any] = value.obj_to_primitive()
    _drop_changes(primitive)
    return primitive


def _drop_changes(primitive: Any) -> None:
    """Drop the names of changed fields, which no decision depends on."""
    if isinstance(primitive, dict):
        primitive.pop('nova_object.changes', None)
        for each in primitive.values():
            _drop_changes(each)
    elif isinstance(primitive, list):
        for each in primitive:
            _drop_changes(each)


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


def are_equal_topologies(one: Any, other: Any) -> bool:
    """Compare topologies, as :func:`topology_to_plain` takes them.

    That takes a fifth of the time in which one becomes plain.
    """
    if not one or not other or isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    return len(one.cells) == len(other.cells) and all(
        _list_fields(cell) == _list_fields(again)
        for cell, again in zip(one.cells, other.cells, strict=True)
    )


def _list_fields(cell: Any) -> dict[str, Any]:
    """Return a cell's fields, and those of what Nova does not compare."""
    fields = {
        name: getattr(cell, name) for name in cell.fields if name in cell
    }
    network = fields.pop('network_metadata', None)
    if network is not None:
        fields |= {name: getattr(network, name) for name in network.fields}
    return fields


def mask_spec(spec: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Mask the secrets of a request spec's primitive.

    :returns: the masked one, and where it differs: hints' names after
        ``hints.``, and other places.
    """
    data: dict[str, Any] = {}
    places: list[str] = []
    for name, value in spec['nova_object.data'].items():
        data[name], masked_places = _mask_field(name, msgpack.packb(value))
        places += masked_places
    return {**spec, 'nova_object.data': data}, places


@lru_cache(512)
def _mask_field(name: str, packed: bytes) -> tuple[Any, Sequence[str]]:
    """Mask a field; flavors, images and what is empty come again and again."""
    value = msgpack.unpackb(packed)
    masked = masking.mask_passwords({name: value})[name]
    return masked, [
        path.replace('nova_object.data.', '').replace(
            'scheduler_hints.', 'hints.'
        )
        for path in dict.fromkeys(_find_differences(value, masked, name))
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
