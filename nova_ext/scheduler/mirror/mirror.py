"""Keep a snapshot of hosts and providers in memory, and refresh it.

Each worker has a mirror of its own, and a thread that refreshes it. Nothing
waits for it: until it is loaded there is no snapshot.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

from oslo_log import log

from nova_ext.engine.host_columns import HostTable
from nova_ext.engine.provider_columns import ProviderTable
from nova_ext.scheduler.base import options
from nova_ext.scheduler.mirror import nova_plugins
from nova_ext.scheduler.mirror.host_reader import HostReader
from nova_ext.scheduler.mirror.provider_reader import ProviderReader
from nova_ext.scheduler.mirror.snapshot import Snapshot
from nova_ext.scheduler.mirror.verification import Verification
from nova_ext.scheduler.plugins.traced import copy_untraced

LOG = log.getLogger(__name__)

#: Of the time, so much may pass in placement's answers to one mirror.
PLACEMENT_SHARE = 0.1


class Mirror:
    """Keep a snapshot.

    :param host_manager: Nova's.
    :param get_client: returns Nova's report client.
    :ivar snapshot: None until all was read once.
    """

    def __init__(
        self, host_manager: Any, get_client: Callable[[], Any]
    ) -> None:
        self.snapshot: Snapshot | None = None
        self._filters = [
            copy_untraced(filter_) for filter_ in host_manager.enabled_filters
        ]
        self._weighers = [
            copy_untraced(weigher) for weigher in host_manager.weighers
        ]
        self._hosts = HostTable(nova_plugins.make_readers(self._weighers))
        self._providers = ProviderTable()
        self._pending: set[str] = set()
        self._host_reader = HostReader(host_manager)
        self._provider_reader = ProviderReader(
            get_client, PLACEMENT_SHARE
        )
        self._stopped = threading.Event()
        self._thread = threading.Thread(
            target=self._run, name='nova-ext-mirror', daemon=True
        )

    def verify(self, spec: Any) -> Verification:
        """Begin to hold Nova's decision on a request against the engine's."""
        return Verification(
            self.snapshot, self._filters, self._weighers, spec
        )

    def start(self) -> None:
        """Begin to refresh."""
        self._thread.start()

    def stop(self) -> None:
        """End refreshing; do not wait for a pass under way."""
        self._stopped.set()

    def refresh(self) -> Snapshot:
        """Read what changed, and make a snapshot of it."""
        read_at = time.monotonic()
        # Until they were read: a pass may fail in between.
        self._pending |= self._host_reader.read(self._hosts)
        self._provider_reader.read(self._providers, self._pending)
        self._pending = set()
        self.snapshot = Snapshot(
            self._hosts.freeze(), self._providers.freeze(),
            self._provider_reader.unknown, read_at,
        )
        return self.snapshot

    def _run(self) -> None:
        while not self._stopped.is_set():
            began = time.monotonic()
            first = self.snapshot is None
            try:
                snapshot = self.refresh()
            except Exception as error:  # the next pass may do
                LOG.warning(
                    'The mirror was not refreshed: %s: %s',
                    type(error).__name__, str(error).partition('\n')[0],
                )
            else:
                if first:
                    LOG.info(
                        'The mirror is loaded: %d hosts in %.1f s',
                        len(snapshot.hosts), time.monotonic() - began,
                    )
            self._stopped.wait(options.CONF.nova_ext.mirror_refresh_s)
