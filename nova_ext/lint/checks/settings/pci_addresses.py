"""Check the addresses of PCI devices, as Nova does."""

import re
from collections.abc import Callable, Mapping
from typing import Any

#: The largest number of each part of an address.
_PARTS = {'domain': 0xffff, 'bus': 0xff, 'slot': 0x1f, 'function': 7}


def check_address(address: Any) -> str:
    """Return why Nova refuses an address; empty: it does not."""
    if not address:
        return ''
    if isinstance(address, dict):
        return _find(address, _is_pattern)
    if not isinstance(address, str):
        return 'an address is a text or an object'
    before, _, function = address.partition('.')
    parts = before.split(':')
    if len(parts) > 3:
        return f'the address {address} has more than three colons'
    names = list(_PARTS)[3 - len(parts):3]
    fields = dict(zip(names, parts, strict=True)) | {'function': function}
    return _find(fields, lambda name, text: (
        text.strip() in ('', '*') or is_hexadecimal(text, _PARTS[name])
    ))


def _find(
    fields: Mapping[str, Any], is_good: Callable[[str, Any], bool]
) -> str:
    return next((
        f'the address\'s {name} is {text}, which Nova refuses'
        for name, text in fields.items() if not is_good(name, text)
    ), '')


def _is_pattern(name: str, text: Any) -> bool:
    if name not in _PARTS:
        return True
    try:
        re.compile(text)
    except (re.error, TypeError):
        return False
    return True


def is_hexadecimal(text: str, most: int) -> bool:
    """Say whether a text is a hexadecimal number, and not too large."""
    try:
        return int(text, 16) <= most
    except ValueError:
        return False
