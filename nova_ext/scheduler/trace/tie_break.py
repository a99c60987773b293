"""Seed Nova's draw, and find the hosts that tied for first place."""

import dis
import random
from collections.abc import Callable, Sequence
from functools import cache
from types import CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

from nova_ext.core.decision.decision import Draw
from nova_ext.core.plugin.answers import generate_seed
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.host_states import HostKey, host_key, host_keys
from nova_ext.scheduler.trace.weighings import Weighings


class TieBreak(NamedTuple):
    """Hold the hosts that tied, and the draw among them.

    :param equal: how many hosts had the greatest weight; 0: not known, or
        the driver put them in another order.
    :param hosts: those that were drawn from; none without a draw.
    :param draw: the draw for the record, still without the hosts' names.
    """

    equal: int = 0
    hosts: Sequence[Any] = ()
    draw: Draw | None = None


def seed_method(
    method: Callable[..., Any], seed: int | None = None
) -> tuple[Any, int | None]:
    """Return a method of Nova's with a generator of its own, and its seed.

    Nova draws with the generator of its whole process. Nobody knows its
    state, and any code moves it. So Nova's code runs with other global
    names: ``random`` is a ``random.Random``. Nova is not changed.

    :param method: a bound method, which should draw with ``random``.
    :param seed: None: a new one.
    :returns: the method itself, and no seed, where it does not.
    """
    return _replace_random(method, seed) or (method, None)


def find_driver_draw(ranking: Sequence[Any], seed: int | None) -> TieBreak:
    """Return the draw of a driver: it drew the order of all hosts."""
    if len(ranking) < 2:
        return TieBreak()
    draw = Draw([], len(ranking), seed, by_driver=True)
    return TieBreak(0, ranking, draw)


def find_nova_draw(
    weighings: Weighings, ranking: Sequence[Any], remaining: Sequence[Any],
    seed: int | None,
) -> TieBreak:
    """Return Nova's draw, where it decided which host is the first.

    Nova shuffles the hosts of the greatest weight, if it is configured so,
    and then takes any of the first few
    (SchedulerManager._get_sorted_hosts).

    :param ranking: all hosts, as Nova returned them.
    :param remaining: those that may be used, in the driver's order.
    """
    if not remaining:
        return TieBreak()
    is_first = _same(remaining[0], ranking[0])
    keys = set() if is_first else host_keys(remaining)
    if not is_first and not _same(remaining[0], _select(ranking, keys)[0]):
        return TieBreak()
    conf = options.CONF.filter_scheduler
    size = conf.host_subset_size
    best, few = weighings.list_best(), weighings.list_heaviest(size)
    shuffled = len(best) if conf.shuffle_best_same_weighed_hosts else 0
    hosts = best if shuffled > len(few) else few
    draw = Draw([], len(hosts), seed, shuffled, size)
    if not is_first:  # a draw among the remaining
        best, hosts = _select(best, keys), _select(hosts, keys)
        draw = Draw([], len(hosts))
    if len(hosts) < 2:
        return TieBreak(len(best))
    return TieBreak(len(best), hosts, draw)


def _same(host: Any, other: Any) -> bool:
    return host_key(host) == host_key(other)


def _select(hosts: Sequence[Any], keys: set[HostKey]) -> list[Any]:
    return [host for host in hosts if host_key(host) in keys]


@best_effort
def _replace_random(
    method: Callable[..., Any], seed: int | None
) -> tuple[Any, int] | None:
    if not isinstance(method, MethodType) or not _draws(method.__func__):
        return None
    function = method.__func__
    if seed is None:
        seed = generate_seed()
    generator = random.Random(seed)  # noqa: S311  not a secret
    seeded = FunctionType(
        function.__code__, {**function.__globals__, 'random': generator},
        function.__name__, function.__defaults__, function.__closure__,
    )
    seeded.__kwdefaults__ = function.__kwdefaults__
    return MethodType(seeded, method.__self__), seed


def _draws(function: Any) -> bool:
    """Say whether it is plain code that reads the module ``random``."""
    return (
        isinstance(function, FunctionType)
        and function.__globals__.get('random') is random
        and _reads_random(function.__code__)
    )


@cache
def _reads_random(code: CodeType) -> bool:
    return any(
        step.opname == 'LOAD_GLOBAL' and step.argval == 'random'
        for step in dis.get_instructions(code)
    )
