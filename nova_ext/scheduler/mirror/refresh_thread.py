"""Refresh a mirror in a thread: from time to time, and when it is woken."""

import logging
import threading
import time
from collections.abc import Callable

from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.mirror.providers.provider_tables import DamagedError

_FAILURES = RateLimitedLog(logging.getLogger(__name__))

#: Seconds between two passes at least, whatever wakes it. After one that took
#: longer, as many.
_REST_S = 0.5
#: Seconds between two looks whether there is news.
_LOOK_S = 1


class RefreshThread:
    """Make pass after pass.

    :param refresh: makes one.
    :param has_news: says whether a pass is due before its time.
    """

    def __init__(
        self, refresh: Callable[[], None], has_news: Callable[[], bool]
    ) -> None:
        self._refresh = refresh
        self._has_news = has_news
        self._wanted = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(
            target=self._run, name='nova-ext-mirror', daemon=True
        )

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Have what changed read at once."""
        self._wanted.set()

    def stop(self) -> threading.Thread:
        """Tell the thread to end, and return it; a pass under way goes on."""
        self._stopped.set()
        self._wanted.set()
        return self._thread

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wanted.clear()
            began = time.monotonic()
            try:
                self._refresh()
            except DamagedError:
                pass  # it was logged, and there is a new file now
            except Exception as error:  # the next pass may do
                _FAILURES.warning(
                    'The mirror was not refreshed: %s: %s',
                    type(error).__name__, str(error).partition('\n')[0],
                )
            ended = time.monotonic()
            every_s = options.CONF.nova_ext.mirror_refresh_s
            if self._wait(began + every_s):
                # Claims may be refused many times a second, and wake it.
                rest_s = min(every_s, max(_REST_S, ended - began))
                self._stopped.wait(ended + rest_s - time.monotonic())

    def _wait(self, ends: float) -> bool:
        """Wait until it is time, or until there is news.

        :returns: whether it was woken before.
        """
        while (
            not self._stopped.is_set()
            and (left_s := ends - time.monotonic()) > 0
        ):
            if self._wanted.wait(min(left_s, _LOOK_S)):
                return True
            if self._has_news():
                break
        return False
