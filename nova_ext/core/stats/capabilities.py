"""Parse and validate the capabilities that services report.

A capability is a key with several values. As text: ``hypervisor=kvm;xen,
disk_gb=120``.
"""

import math
from collections.abc import Mapping
from typing import Any

from nova_ext.core.base.scheduling_errors import WrongArgumentsError

#: Values by key.
Capabilities = Mapping[str, tuple[str, ...]]

#: Limits of one report: keys, values of a key, ...
MAX_KEYS = 64
MAX_VALUES = 1024
#: ... characters of a key or value, and of all of them together.
MAX_LENGTH = 255
MAX_SIZE = 65536

#: Python refuses to write integers of thousands of digits.
_MAX_BITS = 256
#: A short text takes as much, and its place in a tuple.
_OBJECT_BYTES = 64
_SEPARATORS = frozenset('=;,')

#: Services whose hosts nova-ext-agent reports, as a zone's parents see them;
#: a scheduler takes their reports without a driver of such a topic.
HOST_SERVICES = ('compute', 'network', 'volume')


def parse(text: str) -> Capabilities:
    """Parse the text form.

    :param text: ``key=value;value, key=value``; empty for none.
    :raises WrongArgumentsError: naming the part that is malformed.
    """
    capabilities: dict[str, tuple[str, ...]] = {}
    for part in text.split(',') if text.strip() else ():
        key, equals, values = part.partition('=')
        key = key.strip()
        if not equals:
            raise WrongArgumentsError(
                f'capabilities: {part.strip()!r} is no key=value;value'
            )
        if key in capabilities:
            raise WrongArgumentsError(f'capabilities: {key!r} stands twice')
        capabilities[key] = tuple(values.split(';'))
    return validate(capabilities)


def format_text(capabilities: Capabilities) -> str:
    """Return the text form, keys sorted."""
    return ', '.join(
        f'{key}={";".join(values)}'
        for key, values in sorted(capabilities.items())
    )


def validate(report: Any) -> Capabilities:
    """Validate what a service reports.

    :param report: a mapping of keys to a value or a list of values: text,
        finite numbers or booleans.
    :returns: values as text, in their order, each once.
    :raises WrongArgumentsError: saying what is wrong.
    """
    if not isinstance(report, Mapping):
        raise WrongArgumentsError('capabilities are no mapping of keys')
    if len(report) > MAX_KEYS:
        raise WrongArgumentsError(
            f'capabilities: {len(report)} keys, {MAX_KEYS} are taken'
        )
    capabilities: dict[str, tuple[str, ...]] = {}
    for name, value in report.items():
        key = _to_text('a key', name)
        if not key:
            raise WrongArgumentsError('capabilities: a key is empty')
        capabilities[key] = _validate_values(key, value)
    size = sum(
        len(key) + sum(map(len, values))
        for key, values in capabilities.items()
    )
    if size > MAX_SIZE:
        raise WrongArgumentsError(
            f'capabilities: {size} characters, {MAX_SIZE} are taken'
        )
    return capabilities


def measure(capabilities: Capabilities) -> int:
    """Return about how many bytes of memory a report takes."""
    return sum(
        _OBJECT_BYTES + len(text)
        for key, values in capabilities.items() for text in (key, *values)
    )


def _validate_values(key: str, value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list | tuple) else [value]
    if len(values) > MAX_VALUES:
        raise WrongArgumentsError(
            f'capabilities: {key!r} has {len(values)} values, {MAX_VALUES} '
            'are taken'
        )
    texts = dict.fromkeys(
        _to_text(f'a value of {key!r}', value) for value in values
    )
    texts.pop('', None)
    return tuple(texts)


def _to_text(what: str, value: Any) -> str:
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
