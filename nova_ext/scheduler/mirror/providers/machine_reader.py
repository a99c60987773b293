"""Read placement for all workers of a machine, while no other of them does."""

import logging
import math
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nova_ext.core.base.machine_lock import MachineLock, make_folder
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.mirror.providers.pace import Pace, count_schedulers
from nova_ext.scheduler.mirror.providers.provider_file import ProviderFile
from nova_ext.scheduler.mirror.providers.provider_reader import ProviderReader
from nova_ext.scheduler.mirror.providers.provider_tables import DamagedError

_FAILURES = RateLimitedLog(logging.getLogger(__name__))

#: Seconds between two looks whether the worker that reads has ended.
_TRY_S = 1


class MachineReader:
    """Read placement into the machine's file, in a thread.

    :param file: the machine's. The lock is a file beside it.
    :param get_client: returns Nova's report client.
    :param share: of one of placement's cores, which all readers may take.
    :param get_changes: returns when each host's row changed, in seconds since
        1970, by its provider's UUID.
    """

    def __init__(
        self, file: ProviderFile, get_client: Callable[[], Any],
        share: float, get_changes: Callable[[], Mapping[str, float]],
    ) -> None:
        self._get_changes = get_changes
        self._pace = Pace(share, count_schedulers)
        self._reader = ProviderReader(file, get_client, self._pace)
        self._folder = file.path.parent
        self._lock = MachineLock(Path(f'{file.path}.lock'))
        self._wanted = threading.Event()
        self._thread = threading.Thread(
            target=self._run, name='nova-ext-mirror-reader', daemon=True
        )

    def start(self) -> None:
        """Begin to read, once no other worker does."""
        self._thread.start()

    def stop(self) -> threading.Thread:
        """Tell the thread to end, and return it; a request goes on."""
        self._pace.end()
        self._wanted.set()
        return self._thread

    def wake(self) -> None:
        """Have what is wanted read at once, if this worker reads."""
        self._wanted.set()

    def read(self, time_s: float = math.inf) -> None:
        """Read all that changed, whichever worker else does.

        :param time_s: after so much time the rest is left.
        :raises PlacementError: where placement does not answer as it should.
        """
        self._reader.read(self._get_changes(), _get_max_age_s(), time_s)

    def _run(self) -> None:
        while not self._pace.ended:
            ends = time.monotonic() + _TRY_S
            try:
                make_folder(self._folder, 0o700)
                if self._lock.acquire():
                    pause_s = options.CONF.nova_ext.mirror_refresh_s
                    ends = time.monotonic() + pause_s
                    self._reader.read(
                        self._get_changes(), _get_max_age_s(), pause_s
                    )
            except DamagedError:
                # It was logged, and there is a new file now.
                ends = time.monotonic() + _TRY_S
            except Exception as error:  # the next turn may do
                _FAILURES.warning(
                    'The mirror did not read placement: %s: %s',
                    type(error).__name__, str(error).partition('\n')[0],
                )
            self._wanted.wait(max(0.0, ends - time.monotonic()))
            self._wanted.clear()
        self._lock.release()


def _get_max_age_s() -> float:
    return float(options.CONF.nova_ext.mirror_max_age_s)
