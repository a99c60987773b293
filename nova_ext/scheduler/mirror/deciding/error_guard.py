"""Leave a request to Nova, whatever the mirror raises for it."""

import functools
import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from nova_ext.core.base.errors import FAILURES
from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog

_ERRORS = RateLimitedLog(logging.getLogger(__name__))

P = ParamSpec('P')
T = TypeVar('T')


def mirror_effort(function: Callable[P, T]) -> Callable[P, T | None]:
    """Log what a function of the mirror raises, and return None for it."""
    return best_effort(function, 'The mirror failed in %s; Nova decides')


def guard(method: Callable[..., T]) -> Callable[..., T]:
    """Have a method of a request raise no other than a FallbackError.

    Other errors are logged, but for those of a request that is ``simulated``:
    its caller gets Nova's decision.
    """

    @functools.wraps(method)
    def guarded(self: Any, *args: Any) -> T:
        try:
            return method(self, *args)
        except FallbackError:
            raise
        except FAILURES as error:
            if not self.simulated:
                _ERRORS.error('The mirror failed, and Nova decides', error)
            # Of a plugin that raises, a NoValidHost comes.
            kind = type(error.__cause__ or error).__name__
            raise FallbackError(Fallback.ERROR, kind) from error

    return guarded
