"""Refresh the mirror before each request, so that it knows what Nova knows."""

import tempfile
import threading

from nova_ext.scheduler.base import options
from nova_ext.scheduler.manager import SchedulerManager
from nova_ext.scheduler.mirror import cloud_reader
from nova_ext.scheduler.mirror.hosts.host_reader import CellError

#: Placement needs no rest between answers.
cloud_reader.PLACEMENT_SHARE = 1


class RefreshingManager(SchedulerManager):
    """Decide from a mirror that is never older than the request."""

    def __init__(self, *args, **kwargs):
        # Clouds of several tests have cells of one UUID.
        self._folder = tempfile.TemporaryDirectory()
        options.CONF.set_override(
            'mirror_path', self._folder.name, 'nova_ext'
        )
        super().__init__(*args, **kwargs)
        self._refreshing = threading.Lock()
        # No thread refreshes it at the same time.
        self._mirror.start = lambda: None

    def select_destinations(self, *args, **kwargs):
        """Choose hosts from a mirror that was just refreshed."""
        with self._refreshing:
            try:
                self._mirror.refresh()
            except CellError:  # a test has a cell that does not answer
                self._mirror.snapshot = None
        return super().select_destinations(*args, **kwargs)
