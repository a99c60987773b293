"""Stats that are pushed of hosts: checked, and believed for a time."""

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats.timed_reports import Reports

#: A number, a text or a truth.
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
#: What the names of all other stats begin with.
EXTRA = 'ext:'

#: Stats that one host or node may have.
MAX_STATS = 128
#: Characters of a name or a value.
MAX_LENGTH = 255
_MAX_BITS = 256


@dataclass(frozen=True)
class Stat:
    """One stat of a host, as it may be used now.

    :param value: None where there is none, or only one that is too old.
    :param why: why there is none, as a clause an operator reads.
    :param detail: how old one is that is too old; continues the clause.
    """

    value: Value | None
    why: str = ''
    detail: str = ''

    @property
    def text(self) -> str:
        """The value as users write it; empty: there is none."""
        return '' if self.value is None else as_text(self.value)


def as_text(value: Value) -> str:
    """Return a value as users write it: truths are ``true`` and ``false``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def checked(given: Any) -> dict[str, Value]:
    """Check what is pushed of one host.

    :param given: values by name: a field of FIELDS, or ``ext:`` and more.
    :raises WrongArgumentsError: saying what is wrong.
    """
    if not isinstance(given, Mapping):
        raise WrongArgumentsError('stats are no mapping of names')
    if len(given) > MAX_STATS:
        raise WrongArgumentsError(
            f'stats: {len(given)} names, {MAX_STATS} are taken'
        )
    return {_name(name): _value(name, value) for name, value in given.items()}


def checked_name(given: Any) -> Name:
    """Check the name of a host, or a pair of host and node.

    :raises WrongArgumentsError: for anything else.
    """
    pair = [given, ''] if isinstance(given, str) else given
    if (
        isinstance(pair, list | tuple) and len(pair) == 2
        and all(isinstance(part, str) for part in pair) and pair[0]
        and all(len(part) <= MAX_LENGTH for part in pair)
    ):
        return pair[0], pair[1]
    raise WrongArgumentsError('name is neither a host nor a (host, node)')


class Stats:
    """The newest stats of all hosts; threads may share it.

    :param max_age_s: seconds after which a stat does not count.
    :param most: how many hosts and nodes are kept.
    :param clock: seconds that never go back.
    """

    def __init__(
        self, max_age_s: float, most: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_age_s = max_age_s
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._hosts: dict[Name, Reports[str, Value]] = {}

    def update(
        self, name: Name, stats: Mapping[str, Value], serial: int
    ) -> None:
        """Take stats of one host; those that are not named stay.

        :param serial: greater in each update of the host.
        :raises WrongArgumentsError: when there is no room for all of them;
            none is taken then.
        """
        with self._lock:
            kept = self._kept(name)
            kept.take(stats, serial)
            self._hosts[name] = kept

    def stat(self, host: str, node: str, name: str) -> Stat:
        """A stat of a node, or of its host as a whole."""
        age_s: float | None = None
        for where in ((host, node), (host, '')):
            kept = self._hosts.get(where)
            if kept is None:
                continue
            value = kept.get(name)
            if value is not None:
                return Stat(value)
            age_s = kept.age_s(name) if age_s is None else age_s
        if age_s is None:
            return Stat(None, f'no stat {name}')
        return Stat(
            None, f'stat {name} is stale',
            f'at {age_s:.0f} s, {self._max_age_s:.0f} are believed',
        )

    def _kept(self, name: Name) -> Reports[str, Value]:
        if name in self._hosts:
            return self._hosts[name]
        if len(self._hosts) >= self._most:
            self._forget_old()
        where = ' and node '.join(filter(None, name))
        return Reports(
            self._max_age_s, MAX_STATS, f'stats of host {where}', self._clock
        )

    def _forget_old(self) -> None:
        for name, kept in list(self._hosts.items()):
            if not kept.all():
                del self._hosts[name]
        if len(self._hosts) >= self._most:
            raise WrongArgumentsError(
                f'stats of {self._most} hosts are kept, and of no other'
            )


def _name(name: Any) -> str:
    if isinstance(name, str) and len(name) <= MAX_LENGTH and (
        name in FIELDS or (name.startswith(EXTRA) and name != EXTRA)
    ):
        return name
    raise WrongArgumentsError(
        f'stats: {str(name)[:MAX_LENGTH]!r} is no field of a compute node '
        f'that may be pushed, and does not begin with {EXTRA}'
    )


def _value(name: str, value: Any) -> Value:
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
