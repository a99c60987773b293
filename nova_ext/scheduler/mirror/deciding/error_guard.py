"""Leave a request to Nova, whatever is raised while it is decided."""

import functools
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from nova_ext.core.base.errors import FAILURES
from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog

_ERRORS = RateLimitedLog(logging.getLogger(__name__))

T = TypeVar('T')


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
