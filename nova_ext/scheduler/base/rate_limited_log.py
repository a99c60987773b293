"""Log rarely what others cause, so that they can't fill the log."""

import logging
import threading
import time
import traceback
from collections.abc import Callable

from nova_ext.core.explanation.text_format import sanitize
from nova_ext.scheduler.base.printable_error import (
    MAX_LENGTH,
    build_exc_info,
    describe,
)

#: Seconds between two lines.
INTERVAL_S = 60.0
#: Characters that are logged of a traceback.
MAX_TRACEBACK_LENGTH = 8192


class RateLimitedLog:
    """Log one line a minute, and count what was left out."""

    def __init__(
        self, log: logging.Logger,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log = log
        self._clock = clock
        self._lock = threading.Lock()
        self._next = clock()
        self._left_out = 0

    def warning(self, message: str, *values: object) -> None:
        """Log at WARNING, unless a line was logged a moment ago.

        :param values: each is cut to 255 characters.
        """
        self._log_line(
            logging.WARNING, message,
            *(
                describe(value) if isinstance(value, BaseException)
                else sanitize(str(value)[:MAX_LENGTH]) for value in values
            ),
        )

    def error(self, message: str, error: BaseException) -> None:
        """Log an error with its traceback, as rarely, at ERROR."""
        lines = traceback.format_exception(build_exc_info(error)[1])
        self._log_line(
            logging.ERROR, '%s: %s: %s\n%s', message, type(error).__name__,
            describe(error),
            ''.join(lines[:-1]).rstrip()[:MAX_TRACEBACK_LENGTH],
        )

    def _log_line(self, level: int, message: str, *values: object) -> None:
        with self._lock:
            if self._clock() < self._next:
                self._left_out += 1
                return
            self._next = self._clock() + INTERVAL_S
            left_out, self._left_out = self._left_out, 0
        if left_out:
            message += f' ({left_out} more like it before)'
        self._log.log(level, message, *values)
