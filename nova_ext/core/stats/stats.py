"""Validate the stats that hosts push, and keep them for a time."""

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats.timed_reports import TimedReports

#: A number, a text or a boolean.
Value = int | float | str | bool

#: Host and node; an empty node stands for all nodes of the host.
Name = tuple[str, str]

#: Fields of Nova's compute node that may be pushed.
FIELDS = frozenset({
    'cpu_allocation_ratio', 'current_workload', 'disk_allocation_ratio',
    'disk_available_least', 'free_disk_gb', 'free_ram_mb',
    'hypervisor_type', 'hypervisor_version', 'local_gb', 'local_gb_used',
    'memory_mb', 'memory_mb_used', 'ram_allocation_ratio', 'running_vms',
    'vcpus', 'vcpus_used',
})
#: Prefix of the names of all other stats.
EXTRA = 'ext:'

#: Maximum number of stats of one host or node.
MAX_STATS = 128
#: Maximum length of a name or a value, in characters.
MAX_LENGTH = 255
_MAX_BITS = 256


@dataclass(frozen=True)
class Stat:
    """Represent one stat of a host.

    :param value: None if the stat is absent or too old.
    :param reason: why there is no value, as a clause for operators.
    :param detail: age of a value that is too old. Continues the reason.
    """

    value: Value | None
    reason: str = ''
    detail: str = ''

    @property
    def text(self) -> str:
        """Return the value as users write it, or an empty string."""
        return '' if self.value is None else format_value(self.value)


def format_value(value: Value) -> str:
    """Return a value as users write it: ``true``, ``7.5``, ``ssd``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def validate(stats: Any) -> dict[str, Value]:
    """Validate the stats that one host pushes.

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


class HostStats:
    """Keep the newest stats of all hosts; threads may share it.

    :param max_age_s: seconds after which a stat is stale.
    :param most: number of hosts and nodes to keep.
    :param clock: returns seconds that never go back.
    """

    def __init__(
        self, max_age_s: float, most: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_age_s = max_age_s
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._hosts: dict[Name, TimedReports[str, Value]] = {}

    def update(
        self, name: Name, stats: Mapping[str, Value], serial: int
    ) -> None:
        """Update stats of one host; the others stay.

        :param serial: greater in each update of the host.
        :raises WrongArgumentsError: when there are too many; none is kept
            then.
        """
        with self._lock:
            reports = self._get_reports(name)
            reports.update(stats, serial)
            self._hosts[name] = reports

    def get(self, host: str, node: str, name: str) -> Stat:
        """Return a stat of a node, or of its host as a whole."""
        age_s: float | None = None
        for where in ((host, node), (host, '')):
            reports = self._hosts.get(where)
            if reports is None:
                continue
            value = reports.get(name)
            if value is not None:
                return Stat(value)
            age_s = reports.get_age_s(name) if age_s is None else age_s
        if age_s is None:
            return Stat(None, f'no stat {name}')
        return Stat(
            None, f'stat {name} is stale',
            f'at {age_s:.0f} s, {self._max_age_s:.0f} are believed',
        )

    def _get_reports(self, name: Name) -> TimedReports[str, Value]:
        if name in self._hosts:
            return self._hosts[name]
        if len(self._hosts) >= self._most:
            self._drop_old()
        where = ' and node '.join(filter(None, name))
        return TimedReports(
            self._max_age_s, MAX_STATS, f'stats of host {where}', self._clock
        )

    def _drop_old(self) -> None:
        for name, reports in list(self._hosts.items()):
            if not reports.get_all():
                del self._hosts[name]
        if len(self._hosts) >= self._most:
            raise WrongArgumentsError(
                f'stats of {self._most} hosts are kept, and of no other'
            )


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
