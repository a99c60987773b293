"""What a service can do or has, as keys with several values each.

As text: ``hypervisor=kvm;xen, disk_gb=120``. Values are text; where all
values of a key are numbers, they can be rolled up to the least and the
greatest.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from nova_ext.core.base.scheduling_errors import WrongArgumentsError

#: Values by key.
Capabilities = Mapping[str, tuple[str, ...]]

#: What one service may report. The length of a key or value is in
#: characters.
MAX_KEYS = 64
MAX_VALUES = 1024
MAX_LENGTH = 255
#: Characters of all keys and values of one report together.
MAX_SIZE = 65536

#: Python refuses to write integers of thousands of digits.
_MAX_BITS = 256
_SEPARATORS = frozenset('=;,')


def parse(text: str) -> Capabilities:
    """Read the text form.

    :param text: ``key=value;value, key=value``; empty for none.
    :raises WrongArgumentsError: naming the part that can't be read.
    """
    found: dict[str, tuple[str, ...]] = {}
    for part in text.split(',') if text.strip() else ():
        key, equals, values = part.partition('=')
        key = key.strip()
        if not equals:
            raise WrongArgumentsError(
                f'capabilities: {part.strip()!r} is no key=value;value'
            )
        if key in found:
            raise WrongArgumentsError(f'capabilities: {key!r} stands twice')
        found[key] = tuple(values.split(';'))
    return checked(found)


def text_form(capabilities: Capabilities) -> str:
    """Write the text form, keys sorted; ``parse`` reads it again."""
    return ', '.join(
        f'{key}={";".join(values)}'
        for key, values in sorted(capabilities.items())
    )


def checked(given: Any) -> Capabilities:
    """Check what a service reports, and bring it into one form.

    :param given: a mapping of keys to a value or a list of values, which
        are text, finite numbers or booleans.
    :returns: values as text, in their order, each once.
    :raises WrongArgumentsError: saying what is wrong.
    """
    if not isinstance(given, Mapping):
        raise WrongArgumentsError('capabilities are no mapping of keys')
    if len(given) > MAX_KEYS:
        raise WrongArgumentsError(
            f'capabilities: {len(given)} keys, {MAX_KEYS} are taken'
        )
    found: dict[str, tuple[str, ...]] = {}
    for given_key, value in given.items():
        key = _key(given_key)
        found[key] = _values(key, value)
    size = sum(len(key) + sum(map(len, found[key])) for key in found)
    if size > MAX_SIZE:
        raise WrongArgumentsError(
            f'capabilities: {size} characters, {MAX_SIZE} are taken'
        )
    return found


def numbers(values: Iterable[str]) -> list[float] | None:
    """The values as numbers; None if one is none."""
    try:
        found = [float(value) for value in values]
    except ValueError:
        return None
    return found if all(map(math.isfinite, found)) else None


def roll_up(
    reports: Iterable[tuple[str, Capabilities]]
) -> dict[str, str]:
    """Summarise what many services report.

    :param reports: service name and capabilities, one for each host.
    :returns: by ``<service>_<capability>``: ``least,greatest`` where all
        values of all hosts are numbers, else all values, sorted and joined
        by ``;``: of words there is no least.
    """
    gathered: dict[str, set[str]] = {}
    for service, capabilities in reports:
        for key, values in capabilities.items():
            gathered.setdefault(f'{service}_{key}', set()).update(values)
    return {
        name: _summary(values)
        for name, values in sorted(gathered.items()) if values
    }


def _summary(values: set[str]) -> str:
    ordered = sorted(values)
    if numbers(ordered) is None:
        return ';'.join(ordered)
    return f'{min(ordered, key=float)},{max(ordered, key=float)}'


def _key(key: Any) -> str:
    text = _text('a key', key)
    if not text:
        raise WrongArgumentsError('capabilities: a key is empty')
    return text


def _values(key: str, given: Any) -> tuple[str, ...]:
    listed = given if isinstance(given, list | tuple) else [given]
    if len(listed) > MAX_VALUES:
        raise WrongArgumentsError(
            f'capabilities: {key!r} has {len(listed)} values, {MAX_VALUES} '
            'are taken'
        )
    values = dict.fromkeys(
        _text(f'a value of {key!r}', value) for value in listed
    )
    values.pop('', None)
    return tuple(values)


def _text(what: str, value: Any) -> str:
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise WrongArgumentsError(f'capabilities: {what} is too large')
    if isinstance(value, float) and not math.isfinite(value):
        raise WrongArgumentsError(f'capabilities: {what} is not finite')
    if not isinstance(value, str | int | float):
        raise WrongArgumentsError(
            f'capabilities: {what} is a {type(value).__name__}, no text or '
            'number'
        )
    text = str(value)
    if len(text) > MAX_LENGTH:
        raise WrongArgumentsError(
            f'capabilities: {what} is longer than {MAX_LENGTH} characters'
        )
    text = text.strip()
    if _SEPARATORS & set(text):
        raise WrongArgumentsError(
            f'capabilities: {what} holds one of "=", ";" and ","'
        )
    return text
