"""Nova's own draw, by a generator whose seed can be told.

Nova draws with the generator of its whole process, whose state nobody knows
and anybody moves.
"""

import random
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, NamedTuple

from nova_ext.core.ranking import new_seed


class Draw(NamedTuple):
    """A method of Nova's that draws, and what it draws by.

    :param method: takes what Nova's takes, and returns what it returns.
    :param seed: None where Nova's generator is used.
    """

    method: Callable[..., Any]
    seed: int | None


def seeded(method: Callable[..., Any]) -> Draw:
    """Nova's method with a generator of its own for this one call.

    The code is Nova's, and Nova is not changed: the code runs with other
    global names, of which ``random`` is a ``random.Random``.

    :param method: a bound method, which should draw with ``random``.
    :returns: the method itself, and no seed, where it does not.
    """
    if not isinstance(method, MethodType) or not _draws(method.__func__):
        return Draw(method, None)
    function = method.__func__
    seed = new_seed()
    chance = random.Random(seed)  # noqa: S311  not a secret
    names = {**function.__globals__, 'random': chance}
    own = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__,
        function.__closure__,
    )
    own.__kwdefaults__ = function.__kwdefaults__
    return Draw(MethodType(own, method.__self__), seed)


def _draws(function: Any) -> bool:
    """Whether it is plain code that names the module ``random``."""
    return (
        isinstance(function, FunctionType)
        and 'random' in function.__code__.co_names
        and function.__globals__.get('random') is random
    )
