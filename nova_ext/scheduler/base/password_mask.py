"""Passwords out of what is recorded and logged."""

from collections.abc import Mapping
from typing import Any

from oslo_utils import strutils


def masked(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, passwords masked by oslo.utils.

    That of Nova 31 (oslo.utils 8) leaves lists alone, and the values of a
    request spec's hints are lists.
    """
    known = strutils.mask_dict_password(values)
    return {name: _in_lists(value) for name, value in known.items()}


def _in_lists(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _in_lists(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_item(item) for item in value]
    return value


def _item(item: Any) -> Any:
    if isinstance(item, str):
        return strutils.mask_password(item)
    return masked(item) if isinstance(item, Mapping) else _in_lists(item)
