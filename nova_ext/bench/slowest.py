"""What in a plugin takes the time."""

import cProfile
import pstats
import re
from dataclasses import dataclass
from pathlib import Path

from nova_ext.bench.contender import Ask

#: The profiler's own entry for being switched off.
_PROFILER = "<method 'disable' of '_lsprof.Profiler' objects>"


@dataclass(frozen=True)
class Part:
    """A function that ran.

    :param what: its name, and where it stands.
    :param calls: how often it was called, a host.
    :param share: of all time, spent in it and in what it called.
    :param own: of all time, spent in it alone.
    """

    what: str
    calls: float
    share: float
    own: float


def parts(ask: Ask, hosts: int, most: int) -> list[Part]:
    """Profile one pass over the hosts.

    :param ask: asks about all hosts.
    :param hosts: how many these are.
    :param most: how many functions to tell of.
    :returns: the dearest first; what drives the plugin is left out.
    """
    profile = cProfile.Profile()
    profile.runcall(ask)
    found = [
        (share, own, _label(where), calls)
        for where, (_, calls, own, share, callers) in
        pstats.Stats(profile).stats.items()  # type: ignore[attr-defined]
        if callers and where[2] != _PROFILER
    ]
    total = sum(own for _, own, _, _ in found) or 1.0
    return [
        Part(label, calls / hosts, share / total, own / total)
        for share, own, label, calls in sorted(found, reverse=True)[:most]
    ]


def _label(where: tuple[str, int, str]) -> str:
    file, line, name = where
    if line:
        return f'{name} ({Path(file).name}:{line})'
    return re.sub(' at 0x[0-9a-f]+', '', name)
