"""Dataclasses as plain data that JSON can hold, and back."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin

Made = TypeVar('Made')


def sparse(value: Any) -> Any:
    """A dataclass without the fields that are at their defaults.

    :param value: a dataclass, a list of them, or plain data.
    """
    if isinstance(value, list):
        return [sparse(item) for item in value]
    if not is_dataclass(value):
        return value
    return {
        f.name: sparse(getattr(value, f.name))
        for f in fields(value)
        if getattr(value, f.name) != _default(f)
    }


def read(
    kind: type[Made], data: Mapping[str, Any], *, strict: bool = False
) -> Made:
    """Make a dataclass of plain data; fields that it lacks are ignored.

    :param data: by field; what is not there is at its default.
    :param strict: refuse fields that it lacks, where the data would mean
        something else without them.
    :raises TypeError: for a value that is none of its field's type.
    """
    return cast(Made, _read(kind, data, strict))


def _default(of: Any) -> Any:
    if of.default_factory is not MISSING:
        return of.default_factory()
    return of.default


def _read(kind: Any, value: Any, strict: bool) -> Any:
    form, parts = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _read_fields(cast(Any, kind), _of(dict, value), strict)
    if form is UnionType:
        return None if value is None else _read(parts[0], value, strict)
    if form is list:
        return [_read(parts[0], item, strict) for item in _of(list, value)]
    if form is dict:
        return {
            k: _read(parts[1], v, strict) for k, v in _of(dict, value).items()
        }
    return value if kind is Any else _of(kind, value)


def _read_fields(kind: Any, given: dict[str, Any], strict: bool) -> Any:
    known = {f.name: f.type for f in fields(kind)}
    lacking = sorted(set(given) - set(known))
    if strict and lacking:
        raise TypeError(f'{kind.__name__} has no {", ".join(lacking)}')
    return kind(**{
        name: _read(known[name], value, strict)
        for name, value in given.items() if name in known
    })


def _of(kind: type[Any], value: Any) -> Any:
    if isinstance(value, (int, float) if kind is float else kind):
        return value
    raise TypeError(f'{type(value).__name__} where {kind.__name__} belongs')
