"""Check the arguments of a message, whoever has sent it.

oslo.messaging names no sender: whoever is on the bus may send any message. So
each is held to the annotations of the method that it calls, and to a size.
"""

import math
from collections.abc import Mapping
from typing import Any, NewType

from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError

#: A text of 1 to MAX_LENGTH characters.
Name = NewType('Name', str)
#: An integer of 0 to MAX_SERIAL: a sender's time, in nanoseconds since 1970.
Serial = NewType('Serial', int)

#: Characters of a name.
MAX_LENGTH = 255
MAX_SERIAL = 2 ** 63 - 1
#: Characters of all arguments of a message, with a few for each value.
MAX_SIZE = 1024 * 1024
#: Lists and mappings in each other.
MAX_DEPTH = 32

#: Characters that a value takes beside its text.
_VALUE_SIZE = 2
#: Python refuses to write integers of thousands of digits.
_MAX_BITS = 256


def load(
    kinds: Mapping[str, Any], arguments: Mapping[str, Any],
    max_size: int = MAX_SIZE,
) -> dict[str, Any]:
    """Return arguments of the kinds that a method takes.

    :param kinds: by argument: Name, Serial, a class with ``from_dict()``, a
        type that :func:`plain_data.load` takes, or Any.
    :param arguments: as the message has them; each has a kind.
    :param max_size: characters of all of them.
    :raises WrongArgumentsError: naming what is wrong.
    """
    for name, value in arguments.items():
        max_size = _check_plain(name, value, max_size)
    return {
        name: _load(name, kinds[name], value)
        for name, value in arguments.items()
    }


def _check_plain(name: str, value: Any, max_size: int) -> int:
    """Refuse what no database, log or answer can hold.

    :returns: the characters that are left.
    """
    waiting = [(value, 0)]
    while waiting:
        each, depth = waiting.pop()
        max_size -= _VALUE_SIZE
        if isinstance(each, str):
            max_size -= len(each)
        elif isinstance(each, Mapping | list | tuple):
            max_size -= _VALUE_SIZE * len(each)
            if max_size >= 0 and depth < MAX_DEPTH:
                waiting += [(item, depth + 1) for item in each]
                if isinstance(each, Mapping):
                    waiting += [(item, depth + 1) for item in each.values()]
        fault = 'is too long' if max_size < 0 else (
            'is nested too deeply' if depth == MAX_DEPTH
            else _find_fault(each)
        )
        if fault:
            raise WrongArgumentsError(f'{name} {fault}')
    return max_size


def _find_fault(value: Any) -> str:
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return 'holds half of a surrogate pair'
    if isinstance(value, float) and not math.isfinite(value):
        return 'holds a number that is not finite'
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return 'holds an integer that is too large'
    return ''


def _load(name: str, kind: Any, value: Any) -> Any:
    if kind is Name:
        if not isinstance(value, str) or not 0 < len(value) <= MAX_LENGTH:
            raise WrongArgumentsError(
                f'{name} is no text of 1 to {MAX_LENGTH} characters'
            )
        return value
    if kind is Serial:
        if type(value) is not int or not 0 <= value <= MAX_SERIAL:
            raise WrongArgumentsError(
                f'{name} is no integer of 0 to {MAX_SERIAL}'
            )
        return value
    if hasattr(kind, 'from_dict'):
        return kind.from_dict(value)
    try:
        return plain_data.load(kind, value)
    except TypeError as error:
        raise WrongArgumentsError(f'{name}: {error}') from None
