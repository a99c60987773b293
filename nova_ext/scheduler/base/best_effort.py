"""Keep a failure of what stands beside a decision from failing a boot."""

import functools
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from nova_ext.scheduler.base.printable_error import build_exc_info

P = ParamSpec('P')
R = TypeVar('R')

LOG = logging.getLogger(__name__)


def best_effort(
    function: Callable[P, R],
    message: str = 'Recording failed in %s; the decision itself stands',
) -> Callable[P, R | None]:
    """Log what a function that records raises, and return None for it."""

    @functools.wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | None:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            LOG.error(
                message, function.__name__, exc_info=build_exc_info(error)
            )
            return None

    return guarded
