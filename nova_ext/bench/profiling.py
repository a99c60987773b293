"""Find the functions of a plugin that take the time."""

import cProfile
import pstats
import re
from dataclasses import dataclass
from pathlib import Path

from nova_ext.bench.timing import TimedCall

#: The profiler's own entry for being switched off.
_PROFILER = "<method 'disable' of '_lsprof.Profiler' objects>"


@dataclass(frozen=True)
class Part:
    """Represent a function that ran.

    :param function: its name, file and line.
    :param calls: how often it was called, a host.
    :param share: share of all time in it and in the functions it called.
    :param own: share of all time in it alone.
    """

    function: str
    calls: float
    share: float
    own: float


def find_slowest(call: TimedCall, hosts: int, most: int) -> list[Part]:
    """Profile one call, and return its slowest functions, the slowest first.

    :param call: calls a plugin about all hosts; left out itself.
    :param hosts: how many hosts these are.
    :param most: how many functions to return.
    """
    profile = cProfile.Profile()
    profile.runcall(call)
    functions = [
        (share, own, _format(where), calls)
        for where, (_, calls, own, share, callers) in
        pstats.Stats(profile).stats.items()  # type: ignore[attr-defined]
        if callers and where[2] != _PROFILER
    ]
    total = sum(own for _, own, _, _ in functions) or 1.0
    return [
        Part(function, calls / hosts, share / total, own / total)
        for share, own, function, calls in
        sorted(functions, reverse=True)[:most]
    ]


def _format(where: tuple[str, int, str]) -> str:
    file, line, name = where
    if line:
        return f'{name} ({Path(file).name}:{line})'
    return re.sub(' at 0x[0-9a-f]+', '', name)
