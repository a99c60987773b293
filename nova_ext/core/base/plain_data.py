"""Turn dataclasses into plain data that JSON can hold, and back."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin

Data = TypeVar('Data')


def dump_sparse(value: Any) -> Any:
    """Return a dataclass's fields that differ from their defaults.

    :param value: a dataclass, a list of them, or plain data.
    """
    if isinstance(value, list):
        return [dump_sparse(item) for item in value]
    if not is_dataclass(value):
        return value
    return {
        f.name: dump_sparse(getattr(value, f.name))
        for f in fields(value)
        if getattr(value, f.name) != _get_default(f)
    }


def load(
    kind: type[Data], data: Mapping[str, Any], *, strict: bool = False
) -> Data:
    """Build a dataclass from plain data; ignore unknown fields.

    :param data: values by field; an absent field gets its default.
    :param strict: refuse unknown fields, where ignoring one would change
        what the data means.
    :raises TypeError: for a value that is not of its field's type.
    """
    return cast(Data, _load(kind, data, strict))


def _get_default(field: Any) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _load(kind: Any, value: Any, strict: bool) -> Any:
    origin, args = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _load_fields(cast(Any, kind), _check(dict, value), strict)
    if origin is UnionType:
        return None if value is None else _load(args[0], value, strict)
    if origin is list:
        return [_load(args[0], item, strict) for item in _check(list, value)]
    if origin is dict:
        return {
            name: _load(args[1], item, strict)
            for name, item in _check(dict, value).items()
        }
    return value if kind is Any else _check(kind, value)


def _load_fields(kind: Any, data: dict[str, Any], strict: bool) -> Any:
    known = {f.name: f.type for f in fields(kind)}
    unknown = sorted(set(data) - set(known))
    if strict and unknown:
        raise TypeError(f'{kind.__name__} has no {", ".join(unknown)}')
    return kind(**{
        name: _load(known[name], value, strict)
        for name, value in data.items() if name in known
    })


def _check(kind: type[Any], value: Any) -> Any:
    kinds = (int, float) if kind is float else kind
    if isinstance(value, kinds) and (type(value) is not bool or kind is bool):
        return value
    raise TypeError(f'{type(value).__name__} where {kind.__name__} belongs')
