"""Nova's own draw, by a generator whose seed can be told.

Nova draws with the generator of its whole process, whose state nobody knows
and anybody moves.
"""

import dis
import random
from collections.abc import Callable
from functools import cache
from types import CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

from nova_ext.core.plugin.ranking import new_seed
from nova_ext.scheduler.base.best_effort import harmless


class Seeded(NamedTuple):
    """A method of Nova's that draws, and what it draws by.

    :param method: takes what Nova's takes, and returns what it returns.
    :param seed: None where Nova's generator is used.
    """

    method: Callable[..., Any]
    seed: int | None


def of(method: Callable[..., Any]) -> Seeded:
    """Nova's method with a generator of its own.

    The code is Nova's, and Nova is not changed: the code runs with other
    global names, of which ``random`` is a ``random.Random``. So whatever
    else was put into the module ``random`` has no part in it.

    :param method: a bound method, which should draw with ``random``.
    :returns: the method itself, and no seed, where it does not.
    """
    return _with_a_seed(method) or Seeded(method, None)


@harmless
def _with_a_seed(method: Callable[..., Any]) -> Seeded | None:
    if not isinstance(method, MethodType) or not _draws(method.__func__):
        return None
    function = method.__func__
    seed = new_seed()
    chance = random.Random(seed)  # noqa: S311  not a secret
    names = {**function.__globals__, 'random': chance}
    own = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__,
        function.__closure__,
    )
    own.__kwdefaults__ = function.__kwdefaults__
    return Seeded(MethodType(own, method.__self__), seed)


def _draws(function: Any) -> bool:
    """Whether it is plain code that reads the module ``random`` by name."""
    return (
        isinstance(function, FunctionType)
        and function.__globals__.get('random') is random
        and _reads_random(function.__code__)
    )


@cache
def _reads_random(code: CodeType) -> bool:
    return any(
        each.opname == 'LOAD_GLOBAL' and each.argval == 'random'
        for each in dis.get_instructions(code)
    )
