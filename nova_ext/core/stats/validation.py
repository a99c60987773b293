"""Validate the stats that are pushed of hosts."""

import math
from collections.abc import Mapping
from typing import Any

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats.stats import (
    EXTRA,
    FIELDS,
    MAX_LENGTH,
    MAX_STATS,
    Name,
    Value,
)

_MAX_BITS = 256


def validate(stats: Any) -> dict[str, Value]:
    """Validate the stats that are pushed of one host.

    :param stats: values by name: a field of FIELDS, or ``ext:`` and more.
    :raises WrongArgumentsError: saying what is wrong.
    """
    if not isinstance(stats, Mapping):
        raise WrongArgumentsError('stats are no mapping of names')
    if len(stats) > MAX_STATS:
        raise WrongArgumentsError(
            f'stats: {len(stats)} names, {MAX_STATS} are taken'
        )
    return {
        _validate_stat_name(name): _validate_value(name, value)
        for name, value in stats.items()
    }


def validate_name(name: Any) -> Name:
    """Validate the name of a host, or a pair of host and node.

    :raises WrongArgumentsError: for anything else.
    """
    pair = [name, ''] if isinstance(name, str) else name
    if (
        isinstance(pair, list | tuple) and len(pair) == 2
        and all(isinstance(part, str) for part in pair) and pair[0]
        and all(len(part) <= MAX_LENGTH for part in pair)
    ):
        return pair[0], pair[1]
    raise WrongArgumentsError('name is neither a host nor a (host, node)')


def _validate_stat_name(name: Any) -> str:
    if isinstance(name, str) and len(name) <= MAX_LENGTH and (
        name in FIELDS or (name.startswith(EXTRA) and name != EXTRA)
    ):
        return name
    raise WrongArgumentsError(
        f'stats: {str(name)[:MAX_LENGTH]!r} is no field of a compute node '
        f'that may be pushed, and does not begin with {EXTRA}'
    )


def _validate_value(name: str, value: Any) -> Value:
    if isinstance(value, str) and len(value) <= MAX_LENGTH:
        return value
    if isinstance(value, int) and value.bit_length() <= _MAX_BITS:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise WrongArgumentsError(
        f'stats: {name} is no finite number, no truth and no text of '
        f'{MAX_LENGTH} characters'
    )
