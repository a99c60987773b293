"""Make plain values of Nova's objects, and mask secrets in them."""

import datetime
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import msgpack
import netaddr
from oslo_versionedobjects import base, fields

from nova_ext.core.request import masking
from nova_ext.journal.model import UNKNOWN

#: Fields of a spec that hold no secret, and differ from request to request.
_IDENTIFIERS = frozenset(('instance_uuid', 'project_id', 'user_id'))


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
    """Return a versioned object's primitive, without what was changed.

    ``obj_to_primitive`` looks for changes in an object's parts again and
    again, which takes three quarters of its time and more. Most of the rest
    are methods that ask whether a field is set.
    """
    cls: Any = type(value)
    fields_set = vars(value)
    prefix = cls.OBJ_SERIAL_NAMESPACE
    return {
        f'{prefix}.name': cls.obj_name(),
        f'{prefix}.namespace': cls.OBJ_PROJECT_NAMESPACE,
        f'{prefix}.version': cls.VERSION,
        f'{prefix}.data': {
            name: _field_to_primitive(value, name, field, fields_set[kept_as])
            for name, kept_as, field in _list_fields(cls)
            if kept_as in fields_set
        },
    }


@cache
def _list_fields(cls: Any) -> Sequence[tuple[str, str, Any]]:
    """Return the fields of a class: name, attribute that has it, and type."""
    return [
        (name, base._get_attrname(name), field)
        for name, field in cls.fields.items()
    ]


def _field_to_primitive(
    owner: Any, attribute: str, field: Any, value: Any
) -> Any:
    try:
        return _to_primitive(value)
    except TypeError:
        return field.to_primitive(owner, attribute, value)


def _to_primitive(value: Any) -> Any:
    """Return a field's primitive, or a part of it.

    :raises TypeError: for what the field itself knows.
    """
    if value is None or isinstance(value, str | int | float):
        return value
    if hasattr(value, 'obj_to_primitive'):
        return to_primitive(value)
    if isinstance(value, fields.CoercedList):
        return list(map(_to_primitive, value))
    if isinstance(value, fields.CoercedSet):
        return tuple(map(_to_primitive, value))
    if isinstance(value, fields.CoercedDict):
        return {name: _to_primitive(each) for name, each in value.items()}
    raise TypeError(type(value))


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
    return topology and to_primitive(topology)


def mask_spec(spec: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Mask the secrets of a request spec's primitive.

    :returns: the masked one, and where it differs: hints' names after
        ``hints.``, and other places.
    """
    data: dict[str, Any] = {}
    places: list[str] = []
    for name, value in spec['nova_object.data'].items():
        if name in _IDENTIFIERS:
            data[name] = value
            continue
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
